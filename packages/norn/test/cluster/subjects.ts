/**
 * Clusters with a known bug each, small enough that the least which shows it can be said by hand.
 */
import assert from 'node:assert/strict'
import { type Actor, type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterView, NodeView } from '../../src/cluster/definition.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { drawAgain } from '../tape/draw-again.ts'
import type { SimulatedOptions } from './simulated.ts'

/** A list of numbers as an arbitrary draws it. */
const numbers =
  (most: number, max = 9) =>
  (tape: Tape) =>
    tape.span('input', 'list', () => {
      const length = drawAgain(tape, 'input', 'value', 0, most)
      return Array.from({ length }, () => tape.span('input', 'item', () => drawAgain(tape, 'input', 'value', 0, max)))
    })

/** A replica that counts what its peer tells it, and that nobody asks whether it has heard. */
export const lostUpdate: SimulatedOptions = {
  system: () =>
    actors({
      primary: ({ send }) => {
        const state = { sum: 0 }
        return {
          state,
          onRequest(amount: number) {
            state.sum += amount
            send('replica', amount)
          },
        }
      },
      replica: () => {
        const state = { sum: 0 }
        return {
          state,
          onMessage(amount: number) {
            state.sum += amount
          },
        }
      },
    }),
  route: () => 'primary',
  steps: 60,
  requests: numbers(6),
  faults: { drops: 3, duplicates: 3, partitions: 1 },
  check: ({ nodes: [primary, replica], messages }) =>
    assert(messages.length > 0 || shownSum(primary!) <= shownSum(replica!), 'the replica lags behind'),
}

/** The same pair, of which the replica counts what comes twice. */
export const duplicateDelivery: SimulatedOptions = {
  ...lostUpdate,
  check: ({ nodes: [primary, replica] }) => assert(shownSum(primary!) >= shownSum(replica!), 'the replica runs ahead'),
}

/**
 * Messages that overtake each other where the network lets them: the last one to come is taken for
 * the last one sent.
 */
export const reordering: SimulatedOptions = {
  system: () =>
    actors({
      writer: ({ send }) => {
        const state = { value: 0 }
        return {
          state,
          onRequest(value: number) {
            state.value = value
            send('reader', value)
          },
        }
      },
      reader: () => {
        const state = { value: 0 }
        return {
          state,
          onMessage(value: number) {
            state.value = value
          },
        }
      },
    }),
  route: () => 'writer',
  steps: 60,
  requests: numbers(6),
  network: { order: 'any' },
  check: ({ nodes: [writer, reader] }) => assert.equal(shownValue(reader!), shownValue(writer!)),
}

interface Vote {
  readonly type: 'ask' | 'grant'
  readonly term: number
}

/** Candidates that time out ask for votes; who has voted forgets it in a crash. */
function voter(timeoutMs: number) {
  return ({ id, nodes, broadcast, send, setTimer, event }: ActorContext): Actor => {
    const state = { term: 0, votedIn: 0, votes: 0, leads: 0 }
    return {
      state,
      onStart: () => setTimer('election', timeoutMs),
      onRestart: () => {},
      onTimer() {
        state.term++
        state.votedIn = state.term
        state.votes = 1
        broadcast({ type: 'ask', term: state.term })
      },
      onMessage({ type, term }: Vote, from) {
        state.term = Math.max(state.term, term)
        if (type === 'ask' && term > state.votedIn) {
          state.votedIn = term
          send(from, { type: 'grant', term })
        }
        if (type === 'grant' && term === state.term && ++state.votes > nodes.length / 2 && state.leads !== term) {
          state.leads = term
          event('leads', { id, term })
        }
      },
    }
  }
}

/** Two leaders of one term, as a voter forgot its vote when it crashed. */
export const forgottenVote: SimulatedOptions = {
  system: () => actors({ a: voter(10), b: voter(20), c: voter(30) }),
  steps: 80,
  faults: { crashes: 2, drops: 2, partitions: 1 },
  invariant: ({ log }) => {
    const leaders = log
      .filter(({ kind, name }) => kind === 'event' && name === 'leads')
      .map(({ data }) => data as { id: string; term: number })
    for (const { id, term } of leaders) {
      assert(!leaders.some((other) => other.term === term && other.id !== id), `term ${term} has two leaders`)
    }
  },
}

/**
 * Whoever is told to lead claims it, and who hears of a claim steps down: unless they cannot hear
 * each other.
 */
export const splitBrain: SimulatedOptions = {
  system: () => {
    const member = ({ broadcast }: ActorContext): Actor => {
      const state = { leads: false }
      return {
        state,
        onRequest() {
          state.leads = true
          broadcast('claim')
        },
        onMessage() {
          state.leads = false
        },
      }
    }
    return actors({ a: member, b: member, c: member })
  },
  steps: 60,
  requests: ['lead', 'lead', 'lead', 'lead'],
  faults: { partitions: 2 },
  check: ({ nodes, messages }) => {
    const leaders = nodes.filter(({ state }) => (state as { leads: boolean }).leads === true)
    assert(messages.length > 0 || leaders.length < 2, 'two leaders')
  },
}

/** A token that goes around a ring and is sent once. */
export const lostToken: SimulatedOptions = {
  system: () => {
    const station =
      (next: string, isFirst = false) =>
      ({ send, event }: ActorContext): Actor => {
        const state = { seen: 0 }
        return {
          state,
          onStart: () => {
            if (isFirst) send(next, 'token')
          },
          onMessage() {
            state.seen++
            event('token')
            if (!isFirst) send(next, 'token')
          },
        }
      }
    return actors({ a: station('b', true), b: station('c'), c: station('d'), d: station('a') })
  },
  steps: 40,
  faults: { drops: 1, crashes: 1, duplicates: 2, partitions: 1 },
  eventually: {
    what: 'the token has been everywhere',
    holds: (view: ClusterView) =>
      view.nodes.every(({ state }) => ((state as { seen: number } | undefined)?.seen ?? 0) > 0),
  },
}

/**
 * A register that clients read, change and write through two gateways: what one writes may
 * overwrite the other.
 */
export const lostIncrement: SimulatedOptions = {
  system: () => {
    const gateway = ({ send, reply }: ActorContext): Actor => {
      let waiting: { id: number; by: number }[] = []
      return {
        state: {},
        onRequest(by: number, id) {
          waiting = [...waiting, { id, by }]
          send('register', { type: 'get' })
        },
        onMessage({ value }: { value: number }) {
          const [first, ...rest] = waiting
          waiting = rest
          send('register', { type: 'set', value: value + first!.by })
          reply(first!.id, 'done')
        },
      }
    }
    return actors({
      left: gateway,
      right: gateway,
      register: ({ send }) => {
        const state = { value: 0 }
        return {
          state,
          onMessage(message: { type: 'get' | 'set'; value: number }, from) {
            if (message.type === 'get') send(from, { value: state.value })
            else state.value = message.value
          },
        }
      },
    })
  },
  steps: 60,
  requests: numbers(6),
  check: (view) => {
    if (view.messages.length > 0) return
    const sum = view.requests.reduce(
      (total, { request, replies }) => total + (replies.length > 0 ? (request as number) : 0),
      0,
    )
    assert.equal(shownValue(view.node('register')), sum)
  },
}

const shownSum = ({ state }: NodeView) => (state as { sum: number }).sum
const shownValue = ({ state }: NodeView) => (state as { value: number }).value

/** What clients must see in the eventual workloads of Maelstrom. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ClusterView } from 'norn/cluster'
import type { MaelstromRequest } from './maelstrom.ts'
import { OBSERVER } from './observer.ts'
import type { Body } from './services.ts'

/** A request of a client, and its reply, if there is one. */
export interface Exchange {
  readonly request: MaelstromRequest
  readonly reply: Body | undefined
}

export function exchangesOf({ requests }: ClusterView): readonly Exchange[] {
  return requests.map(({ request, replies }) => ({
    request: request as MaelstromRequest,
    reply: replies[0] as Body | undefined,
  }))
}

/** Errors after which a request surely had no effect. */
const DEFINITE: ReadonlySet<unknown> = new Set([1, 10, 11, 12, 14, 20, 21, 22, 30])

/** Whether a request took effect, did not, or may have. */
function outcomeOf({ reply }: Exchange): 'ok' | 'fail' | 'unknown' {
  if (reply === undefined) return 'unknown'
  if (reply.type !== 'error') return 'ok'
  return DEFINITE.has(reply.code) ? 'fail' : 'unknown'
}

export function checkEcho(view: ClusterView): void {
  for (const { request, reply } of exchangesOf(view)) {
    if (reply === undefined || reply.type === 'error') continue
    assert.deepEqual({ type: reply.type, echo: reply.echo }, { type: 'echo_ok', echo: request.echo })
  }
}

/** A value that all nodes come to agree on. */
export interface Convergent {
  /** Throws if no read may return this. */
  assertPossible(value: unknown, exchanges: readonly Exchange[]): void
  /** Whether a last read may return this. */
  isComplete(value: unknown, exchanges: readonly Exchange[]): boolean
}

/** What a read returned, with sets in an order of their own. */
function readValue({ value, messages = value }: Body): unknown {
  return Array.isArray(messages) ? messages.map((each) => JSON.stringify(each)).sort() : messages
}

/** The options of a cluster whose nodes converge. */
export function convergesTo(what: string, convergent: Convergent, withinMs: number) {
  return {
    check(view: ClusterView) {
      const exchanges = exchangesOf(view)
      for (const { request, reply } of exchanges) {
        if (request.type === 'read' && reply?.type === 'read_ok') convergent.assertPossible(readValue(reply), exchanges)
      }
    },
    eventually: {
      what,
      withinMs,
      holds(view: ClusterView) {
        const exchanges = exchangesOf(view)
        const seen = view.node(OBSERVER).state as Readonly<Record<string, Body | undefined>> | undefined
        if (seen === undefined) return false
        const values = Object.values(seen).map((reply) => (reply === undefined ? undefined : readValue(reply)))
        const [first] = values
        return values.every((each) => isDeepStrictEqual(each, first)) && convergent.isComplete(first, exchanges)
      },
    },
  }
}

/** The elements that requests have added. */
function elementsOf(exchanges: readonly Exchange[], outcomes: readonly string[]): readonly string[] {
  return exchanges
    .filter((exchange) => exchange.request.type !== 'read' && outcomes.includes(outcomeOf(exchange)))
    .map(({ request }) => JSON.stringify(request.element ?? request.message))
}

export const GROWING_SET: Convergent = {
  assertPossible(value, exchanges) {
    assert.ok(Array.isArray(value), 'a read of a set must return an array')
    const added = elementsOf(exchanges, ['ok', 'fail', 'unknown'])
    for (const element of value) assert.ok(added.includes(element), `a read returned ${element}, which was never added`)
  },
  isComplete: (value, exchanges) =>
    Array.isArray(value) && elementsOf(exchanges, ['ok']).every((element) => value.includes(element)),
}

export const COUNTER: Convergent = {
  assertPossible: (value) => assert.ok(Number.isSafeInteger(value), `a read returned ${JSON.stringify(value)}`),
  isComplete(value, exchanges) {
    let sums = new Set([0])
    for (const exchange of exchanges) {
      const delta = Number(exchange.request.delta)
      const outcome = exchange.request.type === 'read' ? 'fail' : outcomeOf(exchange)
      if (outcome === 'ok') sums = new Set([...sums].map((sum) => sum + delta))
      if (outcome === 'unknown') sums = new Set([...sums].flatMap((sum) => [sum, sum + delta]))
    }
    return sums.has(value as number)
  },
}

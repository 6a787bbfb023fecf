/**
 * The microbenchmark as the published harness runs it: under Coyote, whose scheduler runs one
 * operation at a time, up to its next scheduling point. After the published runtime and driver, as
 * read; the actors and the model are those of norn's own experiment (actors.ts, model.ts).
 *
 * - An operation is a test driver that creates the actors one by one, or an actor while it handles
 *   messages. Scheduling points: before and after each creation, before each send, after a send that
 *   wakes the receiver, and before each further message that a running actor receives.
 * - An actor has one inbox for all senders.
 * - Every send, receive and action of an actor is recorded: an Execute that sends the next one leaves
 *   three entries for its two scheduling points.
 * - An execution has at most 1,000 scheduling points: the harness asks for 100, and Coyote's fair
 *   strategies multiply by ten.
 */

import type { LogEntry } from '../../../packages/norn/src/cluster/log.ts'
import type { Effects, NodeEvent, NodeId, System } from '../../../packages/norn/src/cluster/system.ts'
import { Follower } from '../../../packages/norn/src/model/follower.ts'
import { microbenchmark, SeededBug } from '../actors.ts'
import type { Size } from '../model.ts'

const MAX_POINTS = 1000

/** The test driver creates the actors; it is the first of the operations. */
const DRIVER = 0

/** One recorded event of an execution. */
export interface Entry {
  /** The driver is 0, the actors follow in the order of their creation. */
  readonly operation: number
  readonly kind: 'send' | 'receive' | 'action'
}

export interface Execution {
  readonly entries: Entry[]
  /** The abstract states reached, each once. */
  readonly states: readonly number[]
  readonly hasFailed: boolean
}

interface Actor {
  readonly node: NodeId
  readonly inbox: { readonly from: NodeId; readonly message: unknown }[]
  /** What is left to do until the next scheduling point; undefined if the actor is idle. */
  operation: Generator<void> | undefined
}

export class Runtime {
  readonly #system: System
  readonly #follower: Follower<LogEntry, undefined>
  #actors: Actor[] = []
  #entries: Entry[] = []

  constructor(size: Size) {
    const { system, model } = microbenchmark({ ...size, begin: 'at once' })
    this.#system = system()
    this.#follower = new Follower(model as unknown as ConstructorParameters<typeof Follower<LogEntry, undefined>>[0])
  }

  /** @param pick chooses one of the enabled operations, and returns its index in the list */
  execute(pick: (enabled: readonly number[]) => number): Execution {
    this.#system.reset()
    this.#follower.begin()
    this.#entries = []
    this.#actors = this.#system.nodes.map((node) => ({ node, inbox: [], operation: undefined }))
    let driver: Generator<void> | undefined = this.#create()
    let hasFailed = false
    try {
      for (let chosen = DRIVER, points = 0; points < MAX_POINTS; points++) {
        if (chosen === DRIVER) {
          if (driver!.next().done) driver = undefined
        } else {
          const actor = this.#actors[chosen - 1]!
          if (actor.operation!.next().done) actor.operation = undefined
        }
        const enabled = driver === undefined ? [] : [DRIVER]
        for (const [at, { operation }] of this.#actors.entries()) if (operation !== undefined) enabled.push(at + 1)
        if (enabled.length === 0) break
        chosen = enabled[pick(enabled)]!
      }
    } catch (error) {
      if (!(error instanceof SeededBug)) throw error
      hasFailed = true
    }
    return { entries: this.#entries, states: this.#follower.states, hasFailed }
  }

  *#create(): Generator<void> {
    for (const [at, actor] of this.#actors.entries()) {
      yield
      actor.operation = this.#run(at, true)
      yield
    }
  }

  /** Handles messages until the inbox is empty. */
  *#run(at: number, isNew: boolean): Generator<void> {
    const { node, inbox } = this.#actors[at]!
    if (isNew) yield* this.#perform(at, { type: 'start', node })
    for (let first = true; inbox.length > 0; first = false) {
      const { from, message } = inbox.shift()!
      if (!first) yield
      this.#record(at, 'receive')
      this.#record(at, 'action')
      this.#follow({ kind: 'deliver', node, data: message })
      yield* this.#perform(at, { type: 'deliver', node, from, message })
    }
  }

  *#perform(at: number, event: NodeEvent): Generator<void> {
    const sends: { readonly to: NodeId; readonly message: unknown }[] = []
    this.#system.perform(event, { ...NO_EFFECTS, send: (to, message) => void sends.push({ to, message }) })
    for (const { to, message } of sends) {
      yield
      this.#record(at, 'send')
      // An announcement is an action of the model; the messages of the others count when received.
      if (event.type === 'start') this.#follow({ kind: 'start', node: event.node, data: undefined })
      const receiver = this.#actors.findIndex(({ node }) => node === to)
      const { inbox, operation } = this.#actors[receiver]!
      inbox.push({ from: event.node, message })
      if (operation === undefined) {
        this.#actors[receiver]!.operation = this.#run(receiver, false)
        yield
      }
    }
  }

  #record(at: number, kind: Entry['kind']): void {
    this.#entries.push({ operation: at + 1, kind })
  }

  #follow(entry: Pick<LogEntry, 'kind' | 'node' | 'data'>): void {
    this.#follower.follow(entry as LogEntry, undefined)
    this.#follower.settle(undefined)
  }
}

function never(): never {
  throw new Error('the actors of the microbenchmark only send messages')
}

const NO_EFFECTS: Effects = {
  send: never,
  setTimer: never,
  clearTimer: never,
  reply: never,
  event: never,
  nowMs: 0,
  random: never,
}

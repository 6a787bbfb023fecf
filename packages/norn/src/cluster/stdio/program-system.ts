/**
 * A program as a system: events become commands, answers become effects.
 *
 * Invariant: the commands of an execution depend on its events only, not on earlier executions. Batches
 * change neither their order nor what a check sees after each event.
 */
import type { Data, Effects, NodeEvent, NodeId, System } from '../system.ts'
import type { ProgramHost } from './program-host.ts'
import type { Answer, Command } from './protocol.ts'

/** The longest batch. */
const MAX_BATCH = 100

/**
 * A program as a system. Outside of norn's processes, end it with `close`.
 *
 * @public
 */
export interface ProgramSystem<State = unknown> extends System<State> {
  /** Called when a message is lost; the program is told if its `hello` asks for it. */
  lost(from: NodeId, to: NodeId, message: Data, nowMs: number): void
  /** Ends the program; the next reset starts it again. */
  close(): void
  /** The process id; undefined if the program does not run. */
  readonly pid: number | undefined
}

/** A program that several systems use in turn. */
export interface Shared {
  readonly host: ProgramHost
  /** The system whose execution it runs. */
  owner: object | undefined
}

/** The name of the timer that stands for the clock of a program. */
const TICK = 'tick'

export function systemOf(shared: Shared): ProgramSystem {
  return new Program(shared)
}

class Program implements ProgramSystem {
  /** What JSON gives is plain and new, and messages leave as JSON. */
  readonly sharesNothing = true
  readonly #shared: Shared
  readonly #states = new Map<NodeId, Data>()
  /** Whether a reset must be sent before the next event. */
  #resetDue = false
  /** Commands that come next, and are not sent. */
  #foreseen: Command[] = []
  /** Losses during an event, which are reported after it; undefined between events. */
  #losses: Command[] | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  get nodes(): readonly NodeId[] {
    return this.#host.hello.nodes
  }

  get counters(): Uint32Array | undefined {
    return this.#host.counters
  }

  get crashes(): boolean {
    return this.#host.hello.crashes
  }

  get #host(): ProgramHost {
    return this.#shared.host
  }

  reset(): void {
    this.#shared.owner = this
    this.#states.clear()
    this.#resetDue = true
    this.#foreseen = []
    this.#losses = undefined
  }

  foresee(events: readonly NodeEvent[], nowMs: number): void {
    if (this.#host.batches) this.#foreseen = events.map((event) => this.#commandOf(event, nowMs))
  }

  perform(event: NodeEvent, effects: Effects): void {
    this.#own()
    const { tickMs } = this.#host.hello
    const { type, node } = event
    if (tickMs !== undefined && (type === 'start' || type === 'restart' || isTick(event))) {
      effects.setTimer(TICK, tickMs)
    }
    const answer = this.#answerTo(this.#commandOf(event, effects.nowMs), effects)
    this.#note(answer)
    this.#losses = []
    apply(answer, effects)
    this.#reportLosses()
    if (type === 'crash') this.#states.delete(node)
  }

  #answerTo(command: Command, effects: Effects): Answer {
    const host = this.#host
    if (host.hasNext) return host.next()
    const ahead = this.#foreseen.splice(0, MAX_BATCH)
    if (this.#resetDue) {
      this.#begin(effects, ahead)
      return ahead.length > 0 ? host.next() : host.perform(command)
    }
    if (ahead.length < 2) return host.perform(command)
    host.batch(ahead)
    return host.next()
  }

  #commandOf(event: NodeEvent, nowMs: number): Command {
    return commandOf(event, nowMs, this.#host.hello.tickMs !== undefined)
  }

  state(node: NodeId): Data {
    return this.#states.get(node)
  }

  lost(from: NodeId, to: NodeId, message: Data, nowMs: number): void {
    if (this.#resetDue || !this.#host.hello.drops) return
    this.#own()
    const drop: Command = { command: 'drop', node: to, from, message, nowMs }
    if (this.#losses !== undefined) this.#losses.push(drop)
    else this.#note(this.#host.perform(drop))
  }

  /** Reports what was lost during an event. */
  #reportLosses(): void {
    const host = this.#host
    const losses = this.#losses!
    this.#losses = undefined
    while (losses.length > 1 && host.batches) {
      host.batch(losses.splice(0, MAX_BATCH))
      while (host.hasNext) this.#note(host.next())
    }
    for (const drop of losses) this.#note(host.perform(drop))
  }

  finish(): void {
    if (this.#shared.owner !== this) return
    this.#shared.owner = undefined
    if (!this.#resetDue) this.#host.settle()
  }

  close(): void {
    this.#host.end()
  }

  get pid(): number | undefined {
    return this.#host.pid
  }

  #own(): void {
    if (this.#shared.owner === this) return
    throw new Error(
      'this system was not reset, or another one of the same program was since: one process plays one execution at a time',
    )
  }

  /** Sends the reset. Only a program that draws random numbers costs the tape a choice. */
  #begin(effects: Effects, following: readonly Command[]): void {
    this.#resetDue = false
    const seed = this.#host.hello.random ? Math.floor(effects.random() * 2 ** 32) : 0
    this.#note(this.#host.reset(seed, following))
  }

  #note({ states }: Answer): void {
    for (const node in states) this.#states.set(node, states[node])
  }
}

function commandOf(event: NodeEvent, nowMs: number, ticks: boolean): Command {
  const { type, node } = event
  switch (event.type) {
    case 'deliver':
      return { command: 'deliver', node, from: event.from, message: event.message, nowMs }
    case 'timeout':
      if (ticks && isTick(event)) return { command: 'tick', node, nowMs }
      return { command: 'timeout', node, timer: event.timer, nowMs }
    case 'request':
      return { command: 'request', node, number: event.id, request: event.request, nowMs }
    default:
      return { command: type as 'start' | 'crash' | 'restart', node, nowMs }
  }
}

function isTick(event: NodeEvent): boolean {
  return event.type === 'timeout' && event.timer === TICK
}

/** Events come first, so that logs and models see a reason before its effects. */
function apply({ events, sent, timers, replies }: Answer, effects: Effects): void {
  for (const { event, data } of events) effects.event(event, data)
  for (const { to, message } of sent) effects.send(to, message)
  for (const change of timers) {
    if ('clear' in change) effects.clearTimer(change.clear)
    else effects.setTimer(change.set, change.ms)
  }
  for (const { number, reply } of replies) effects.reply(number, reply)
}

/**
 * A program as a system: events become commands, answers become effects.
 *
 * Invariant: the commands of an execution depend on its events only, not on earlier executions.
 */
import type { Data, Effects, NodeEvent, NodeId, System } from '../system.ts'
import type { ProgramHost } from './program-host.ts'
import type { Answer, Command } from './protocol.ts'

/**
 * A program as a system. Outside of norn's processes, end it with `close`.
 *
 * @public
 */
export interface ProgramSystem<State = unknown> extends System<State> {
  /** Called when a message is lost; the program is told if its `hello` asks for it. */
  lost(from: NodeId, to: NodeId, message: Data): void
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
  readonly #shared: Shared
  readonly #states = new Map<NodeId, Data>()
  /** Whether a reset must be sent before the next event. */
  #resetDue = false

  constructor(shared: Shared) {
    this.#shared = shared
  }

  get nodes(): readonly NodeId[] {
    return this.#host.hello.nodes
  }

  get #host(): ProgramHost {
    return this.#shared.host
  }

  reset(): void {
    this.#shared.owner = this
    this.#states.clear()
    this.#resetDue = true
  }

  perform(event: NodeEvent, effects: Effects): void {
    this.#own()
    this.#begin(effects)
    const { tickMs } = this.#host.hello
    const { type, node } = event
    if (tickMs !== undefined && (type === 'start' || type === 'restart' || isTick(event))) {
      effects.setTimer(TICK, tickMs)
    }
    const answer = this.#host.perform(commandOf(event, effects.nowMs, tickMs !== undefined))
    this.#note(answer)
    apply(answer, effects)
    if (type === 'crash') this.#states.delete(node)
  }

  state(node: NodeId): Data {
    return this.#states.get(node)
  }

  lost(from: NodeId, to: NodeId, message: Data): void {
    if (this.#resetDue || !this.#host.hello.drops) return
    this.#own()
    this.#note(this.#host.perform({ command: 'drop', node: to, from, message }))
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
  #begin(effects: Effects): void {
    if (!this.#resetDue) return
    this.#resetDue = false
    const seed = this.#host.hello.random ? Math.floor(effects.random() * 2 ** 32) : 0
    this.#note(this.#host.reset(seed))
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
    case 'crash':
      return { command: 'crash', node }
    default:
      return { command: type as 'start' | 'restart', node, nowMs }
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

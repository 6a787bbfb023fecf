/**
 * A child process that runs Node: an isolate of norn. It begins after a drawn latency; signals reach
 * it after one of theirs, and end it unless it listens for them.
 */
import process from 'node:process'
import type { Content } from '../isolates/messaging-record.ts'
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Side } from '../network/connection.ts'
import { Termination } from '../realm/ending.ts'
import { BEGIN_US, type Born, Child, type End, type ProcessesHost, type Reaper } from './child.ts'

/** What plays the process. */
export interface Program {
  readonly isolate: Isolate
  /** Runs its script; called in the isolate. */
  begin(): void
  /** Tells its listeners; returns whether there are any. Called in the isolate. */
  hears(signal: string): boolean
  /** Its ends of pipes. */
  readonly sides: readonly Side[]
}

interface Due {
  readonly kind: 'spawn' | 'signal'
  readonly step: Step
  readonly delayUs: number
  readonly atUs: number
  readonly run: () => void
}

/** Signals that Node ignores, or that do nothing unless a process asks for them. */
const IGNORED_SIGNALS = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH', 'SIGPIPE', 'SIGXFSZ']

/** From the end of its pipes until its parent hears of its end: what is in a pipe is usually read before. */
const EXIT_US = 1000

export class NodeChild extends Child {
  readonly program: Program
  #due: Due[] = []
  #isOrphan = false

  constructor(host: ProcessesHost, reaper: Reaper, born: Born, program: Program) {
    super(host, reaper, born)
    this.program = program
    this.#add('spawn', BEGIN_US, () => {
      program.isolate.isStarted = true
      program.begin()
    })
  }

  signal(name: string): void {
    const { isolate } = this.program
    if (this.exit !== undefined || isolate.hasEnded) return
    if (name === 'SIGUSR1') this.host.refuse(`a signal SIGUSR1 to '${this.name}', which starts Node's inspector`)
    this.#add('signal', 0, () => this.#receive(name), name)
  }

  /** Its own program sends it a signal: one that nobody listens for ends it within the call. Throws then. */
  signalsItself(name: string): void {
    const isHeard = name !== 'SIGKILL' && process.listenerCount(name) > 0
    if (isHeard || name === 'SIGUSR1' || IGNORED_SIGNALS.includes(name)) {
      this.signal(name)
      return
    }
    this.#endBy(name)
    throw new Termination(`the process is ended by ${name}`)
  }

  /** The isolate is gone. */
  end(end: End): void {
    let closedUs = this.host.nowUs()
    for (const { outbound } of this.program.sides) closedUs = outbound.arrival(closedUs)
    this.#due = []
    this.ended(end, closedUs + EXIT_US)
    const text = end.signal === '' ? `exits with code ${end.code}` : `is ended by ${end.signal}`
    const { isolate } = this.program
    this.host.messaging?.()?.sends(this.exit!.step, { what: 'exit', text }, this.isolate, isolate)
    if (this.#isOrphan) super.orphan()
  }

  override orphan(): void {
    this.#isOrphan = true
    if (this.exit !== undefined) super.orphan()
  }

  override next(nowUs: number): Arrival | undefined {
    const due = this.#due[0]
    if (due === undefined || due.atUs > nowUs) return undefined
    this.#due.shift()
    this.#refresh()
    const { causality } = this.host
    const { isolate } = this.program
    // Before it has begun the kernel ends it.
    const runner = due.kind === 'spawn' || isolate.isStarted ? isolate : causality.main
    return { ...this.arrival(due.kind, due.step, due.delayUs, due.run), isolate: runner }
  }

  #receive(signal: string): void {
    const { isolate } = this.program
    if (isolate.hasEnded) return
    if (isolate.isStarted && signal !== 'SIGKILL' && this.program.hears(signal)) return
    if (IGNORED_SIGNALS.includes(signal)) return
    this.#endBy(signal)
  }

  #endBy(signal: string): void {
    const { isolate } = this.program
    isolate.process.signal = signal
    isolate.exitCode = 0
  }

  #add(kind: Due['kind'], us: number, run: () => void, signal = ''): void {
    const { step, delayUs } = this.host.announce(kind, this.name, 'callback')
    const content: Content = kind === 'spawn' ? { what: 'start', text: '' } : { what: 'message', text: signal }
    this.host.messaging?.()?.sends(step, content, this.program.isolate)
    const due = { kind, step, delayUs, run, atUs: this.host.nowUs() + us + delayUs }
    // Signals keep their order.
    const last = this.#due.findLast((each) => each.kind === 'signal')
    const atUs = kind === 'signal' ? Math.max(due.atUs, last?.atUs ?? 0) : due.atUs
    const later = this.#due.findIndex((each) => each.atUs > atUs)
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { ...due, atUs })
    this.#refresh()
  }

  #refresh(): void {
    this.readyUs = this.#due[0]?.atUs ?? Number.POSITIVE_INFINITY
  }
}

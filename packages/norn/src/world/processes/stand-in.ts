/**
 * A child process that a stand-in plays: it starts after a drawn latency, reads its standard input,
 * writes what the stand-in returned, and exits. A stand-in that takes `stdin` starts when that has
 * ended, or, if nothing was written, when nothing else is left to do.
 */
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { Side } from '../network/connection.ts'
import { isTermination } from '../realm/ending.ts'
import { BEGIN_US, type Born, Child, type End, type Output, type ProcessesHost, type Reaper } from './child.ts'
import type { CommandContext, Found } from './commands.ts'
import { type Outcome, start } from './output.ts'

export interface Spawned {
  readonly found: Found
  readonly context: CommandContext
  readonly stdin: Side | undefined
  readonly stdout: Output
  readonly stderr: Output
  /** Pipes beyond the standard streams. */
  readonly others: readonly Side[]
}

/** Signals that do nothing unless a process asks for them. */
const IGNORED = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH']

const NOTHING = new Uint8Array()

export class StandIn extends Child {
  readonly spawned: Spawned
  readonly #step: Step
  readonly #delayUs: number
  readonly #startUs: number
  readonly #takesStdin: boolean
  readonly #input: Uint8Array[] = []
  #state: 'waiting' | 'pausing' | 'running' | 'writing' = 'waiting'
  #pause: { readonly step: Step; readonly delayUs: number } | undefined
  #isInputMissed = false
  #outcome: Outcome | undefined
  #stdout = NOTHING as Uint8Array
  #stderr = NOTHING as Uint8Array

  constructor(host: ProcessesHost, reaper: Reaper, born: Born, spawned: Spawned) {
    super(host, reaper, born)
    this.spawned = spawned
    const { command, utility } = spawned.found
    const takes = utility === undefined ? command !== null && command.length > 1 : utility.isFilter
    this.#takesStdin = spawned.stdin !== undefined && takes
    const { step, delayUs } = host.announce('spawn', this.name, 'callback')
    this.#step = step
    this.#delayUs = delayUs
    this.#startUs = host.nowUs() + BEGIN_US + delayUs
    const owner = { refresh: () => this.#changed(), drained: () => this.#write() }
    for (const side of this.#sides()) side.attach(owner)
    this.#changed()
  }

  signal(name: string): void {
    if (this.exit === undefined && !IGNORED.includes(name)) this.#end({ code: 0, signal: name })
  }

  override next(nowUs: number): Arrival | undefined {
    if (this.exit !== undefined || this.readyUs > nowUs) return undefined
    if (this.#state === 'pausing') {
      this.#state = 'running'
      const { step, delayUs } = this.#pause!
      return this.arrival('sleep', step, delayUs, () => this.#start())
    }
    if (this.#state !== 'waiting') return undefined
    const { inbound } = this.spawned.stdin ?? {}
    const first = this.#takesStdin ? inbound!.first(nowUs) : undefined
    if (first === undefined) return this.#begin(nowUs)
    return this.arrival('data', first.step, first.delayUs, () => {
      this.#take(inbound!.take(inbound!.available(nowUs, Number.POSITIVE_INFINITY)))
      this.spawned.stdin!.hasRead()
      this.#changed()
    })
  }

  /** Runs it, or lets it pause first. */
  #begin(nowUs: number): Arrival {
    const us = this.spawned.found.utility?.us ?? 0
    if (us === 0) {
      this.#state = 'running'
      return this.arrival('spawn', this.#step, this.#delayUs, () => this.#start())
    }
    return this.arrival('spawn', this.#step, this.#delayUs, () => {
      this.#state = 'pausing'
      this.#pause = this.host.announce('sleep', this.name, 'callback')
      this.readyUs = nowUs + us + this.#pause.delayUs
    })
  }

  #take(bytes: Uint8Array): void {
    if (this.spawned.found.utility === undefined) {
      this.#input.push(bytes)
      return
    }
    this.#stdout = Buffer.concat([this.#stdout, bytes])
    this.#pass()
  }

  /** A filter writes what it reads, as there is room. */
  #pass(): void {
    const left = this.#send(this.spawned.stdout, this.#stdout)
    if (left === undefined) this.#end({ code: 0, signal: 'SIGPIPE' })
    else this.#stdout = left
  }

  override rouse(nowUs: number): void {
    this.isPatient = false
    this.#isInputMissed = true
    this.readyUs = Math.max(nowUs, this.#startUs)
  }

  *#sides(): Iterable<Side> {
    const { stdin, stdout, stderr, others } = this.spawned
    for (const each of [stdin, stdout, stderr, ...others])
      if (each !== undefined && typeof each !== 'function') yield each
  }

  /** Something has come through a pipe. */
  #changed(): void {
    if (this.#isInputMissed && this.spawned.stdin!.inbound.size > 0 && this.exit === undefined) {
      this.host.refuse(
        `child process '${this.name}' whose stdin came after a timer, when its stand-in had begun (write or end stdin earlier)`,
      )
    }
    if (this.#state !== 'waiting' || this.exit !== undefined) return
    const { stdin } = this.spawned
    const readyUs = this.#takesStdin ? stdin!.inbound.readableUs : 0
    this.readyUs = Math.max(this.#startUs, readyUs)
    this.isPatient =
      readyUs === Number.POSITIVE_INFINITY && this.#input.length === 0 && this.spawned.found.utility === undefined
  }

  #start(): void {
    this.readyUs = Number.POSITIVE_INFINITY
    const { found, context } = this.spawned
    const wrong = (error: unknown) => {
      if (isTermination(error)) throw error
      this.host.refuse((error as Error).message)
    }
    try {
      const outcome = start(found, Buffer.concat(this.#input), context)
      if (outcome instanceof Promise) outcome.then((settled) => this.#finish(settled)).catch(wrong)
      else this.#finish(outcome)
    } catch (error) {
      wrong(error)
    }
  }

  #finish(outcome: Outcome): void {
    if (this.exit !== undefined) return
    this.#outcome = outcome
    this.#stdout = Buffer.concat([this.#stdout, outcome.stdout])
    this.#stderr = outcome.stderr
    this.#state = 'writing'
    this.#write()
  }

  /** Writes as much as there is room for; exits when all is written. */
  #write(): void {
    if (this.#state === 'waiting' && this.exit === undefined && this.#stdout.length > 0) this.#pass()
    if (this.#state !== 'writing' || this.exit !== undefined) return
    const { stdout, stderr } = this.spawned
    const left = { stdout: this.#send(stdout, this.#stdout), stderr: this.#send(stderr, this.#stderr) }
    if (left.stdout === undefined || left.stderr === undefined) {
      this.#end({ code: 0, signal: 'SIGPIPE' })
      return
    }
    this.#stdout = left.stdout
    this.#stderr = left.stderr
    if (left.stdout.length === 0 && left.stderr.length === 0) this.#end(this.#outcome!)
  }

  /** @returns the rest; undefined if nobody reads it any more */
  #send(output: Output, bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length === 0 || output === undefined) return NOTHING
    if (typeof output === 'function') {
      output(bytes)
      return NOTHING
    }
    if (output.peer.isClosed) return undefined
    const sent = Math.min(bytes.length, output.outbound.room)
    if (sent > 0) output.send(bytes.subarray(0, sent))
    return bytes.subarray(sent)
  }

  #end(end: End): void {
    let closedUs = this.host.nowUs()
    for (const side of this.#sides()) {
      side.close()
      closedUs = side.outbound.arrival(closedUs)
    }
    this.ended(end, closedUs)
  }
}

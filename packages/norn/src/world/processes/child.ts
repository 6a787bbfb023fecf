/**
 * A child process, played by a stand-in: it starts after a drawn latency, reads its standard input,
 * writes what the stand-in returned, and exits.
 *
 * Follows Linux and src/unix/process.c of libuv: a process that ends closes its pipes before its
 * parent hears of it (SIGCHLD), and its parent hears through one descriptor, after all others of
 * the phase; one signal reaps whoever has ended by then. A stand-in that takes `stdin` starts when
 * that has ended, or, if nothing was written, when nothing else is left to do.
 */
import type { Arrival } from '../async-handles.ts'
import type { Causality, Step } from '../causality.ts'
import { isTermination } from '../ending.ts'
import type { Courier, Side } from '../network/connection.ts'
import { Descriptor, type Descriptors } from '../network/descriptors.ts'
import type { Control } from '../replace.ts'
import type { CommandContext, Found } from './commands.ts'
import { type Outcome, start } from './output.ts'

export interface ProcessesHost extends Control, Courier {
  readonly causality: Causality
  readonly descriptors: Descriptors
}

/** Where the standard streams of a process go: a side of a pipe, a function, or nowhere. */
export type Output = Side | ((bytes: Uint8Array) => void) | undefined

export interface Spawned {
  readonly found: Found
  readonly pid: number
  readonly context: CommandContext
  readonly stdin: Side | undefined
  readonly stdout: Output
  readonly stderr: Output
  /** Pipes beyond the standard streams. */
  readonly others: readonly Side[]
  readonly isDetached: boolean
}

interface Exit {
  readonly step: Step
  readonly atUs: number
  readonly delayUs: number
  readonly code: number
  readonly signal: string
}

const NOTHING = new Uint8Array()

/** Virtual time that a call takes to start a process, and a process to begin. */
export const SPAWN_US = 500
export const BEGIN_US = 1000

export class Child extends Descriptor {
  readonly spawned: Spawned
  isRefed = true
  /** How it ended; undefined while it runs. */
  exit: Exit | undefined
  isReaped = false
  readonly #host: ProcessesHost
  readonly #reaper: Reaper
  readonly #onExit: (code: number, signal: string) => void
  readonly #step: Step
  readonly #delayUs: number
  readonly #startUs: number
  readonly #takesStdin: boolean
  readonly #input: Uint8Array[] = []
  #state: 'waiting' | 'running' | 'writing' = 'waiting'
  #isInputMissed = false
  #outcome: Outcome | undefined
  #stdout = NOTHING as Uint8Array
  #stderr = NOTHING as Uint8Array

  constructor(host: ProcessesHost, reaper: Reaper, spawned: Spawned, onExit: (code: number, signal: string) => void) {
    super(reaper.isolate)
    this.spawned = spawned
    this.#host = host
    this.#reaper = reaper
    this.#onExit = onExit
    const { command } = spawned.found
    this.#takesStdin = spawned.stdin !== undefined && command !== null && command.length > 1
    const { step, delayUs } = host.announce('spawn', this.name, 'callback')
    this.#step = step
    this.#delayUs = delayUs
    this.#startUs = host.nowUs() + BEGIN_US + delayUs
    for (const side of this.#sides()) side.owner = { refresh: () => this.#changed(), drained: () => this.#write() }
    this.#changed()
    reaper.children.push(this)
    host.descriptors.watch(this)
  }

  /** For traces. */
  get name(): string {
    return this.spawned.found.name
  }

  /** Its parent hears of its end through the reaper. */
  keepsAlive(): boolean {
    return this.isRefed && !this.isReaped
  }

  /** Sends it a signal whose default action ends it. */
  kill(signal: string): void {
    if (this.exit === undefined) this.#end({ code: 0, signal })
  }

  override next(nowUs: number): Arrival | undefined {
    if (this.#state !== 'waiting' || this.exit !== undefined || this.readyUs > nowUs) return undefined
    const { inbound } = this.spawned.stdin ?? {}
    const first = this.#takesStdin ? inbound!.first(nowUs) : undefined
    if (first === undefined) {
      this.#state = 'running'
      return this.#arrival('spawn', this.#step, this.#delayUs, () => this.#start())
    }
    return this.#arrival('data', first.step, first.delayUs, () => {
      this.#input.push(inbound!.take(inbound!.available(nowUs, Number.POSITIVE_INFINITY)))
      this.spawned.stdin!.hasRead()
      this.#changed()
    })
  }

  override rouse(nowUs: number): void {
    this.isPatient = false
    this.#isInputMissed = true
    this.readyUs = Math.max(nowUs, this.#startUs)
  }

  reap(): Arrival {
    this.isReaped = true
    const { step, delayUs, code, signal } = this.exit!
    this.#host.descriptors.close(this)
    return { ...this.#arrival('exit', step, delayUs, () => this.#onExit(code, signal)), isolate: this.isolate }
  }

  // It is another process: what it does, it does beside the program, which the loop calls it from.
  #arrival(kind: string, step: Step, delayUs: number, run: () => void): Arrival {
    return { step, isolate: this.#host.causality.main, kind, resource: this.name, delayUs, run }
  }

  *#sides(): Iterable<Side> {
    const { stdin, stdout, stderr, others } = this.spawned
    for (const each of [stdin, stdout, stderr, ...others])
      if (each !== undefined && typeof each !== 'function') yield each
  }

  /** Something has come through a pipe. */
  #changed(): void {
    if (this.#isInputMissed && this.spawned.stdin!.inbound.size > 0 && this.exit === undefined) {
      this.#host.refuse(
        `child process '${this.name}' whose stdin came after a timer, when its stand-in had begun (write or end stdin earlier)`,
      )
    }
    if (this.#state !== 'waiting' || this.exit !== undefined) return
    const { stdin } = this.spawned
    const readyUs = this.#takesStdin ? stdin!.inbound.readableUs : 0
    this.readyUs = Math.max(this.#startUs, readyUs)
    this.isPatient = readyUs === Number.POSITIVE_INFINITY && this.#input.length === 0
  }

  #start(): void {
    this.readyUs = Number.POSITIVE_INFINITY
    const { found, context } = this.spawned
    const wrong = (error: unknown) => {
      if (isTermination(error)) throw error
      this.#host.refuse((error as Error).message)
    }
    try {
      const outcome = start(found, Buffer.concat(this.#input).toString('utf8'), context)
      if (outcome instanceof Promise) outcome.then((settled) => this.#finish(settled)).catch(wrong)
      else this.#finish(outcome)
    } catch (error) {
      wrong(error)
    }
  }

  #finish(outcome: Outcome): void {
    if (this.exit !== undefined) return
    this.#outcome = outcome
    this.#stdout = outcome.stdout
    this.#stderr = outcome.stderr
    this.#state = 'writing'
    this.#write()
  }

  /** Writes as much as there is room for; exits when all is written. */
  #write(): void {
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

  #end({ code, signal }: { readonly code: number; readonly signal: string }): void {
    const { announce, nowUs } = this.#host
    this.readyUs = Number.POSITIVE_INFINITY
    this.isPatient = false
    let closedUs = nowUs()
    for (const side of this.#sides()) {
      side.close()
      closedUs = Math.max(closedUs, side.outbound.end?.atUs ?? closedUs)
    }
    const { step, delayUs } = announce('exit', this.name, 'callback')
    this.exit = { step, delayUs, code, signal, atUs: closedUs + delayUs }
    this.#reaper.refresh()
  }
}

/** What an isolate hears of the ends of its children: the pipe of its signals. */
export class Reaper extends Descriptor {
  override readonly isLast = true
  children: Child[] = []
  #ended: Child[] = []

  keepsAlive(): boolean {
    return false
  }

  refresh(): void {
    this.readyUs = Math.min(Number.POSITIVE_INFINITY, ...this.children.map(({ exit }) => exit?.atUs ?? Infinity))
  }

  override next(nowUs: number, index: number): Arrival | undefined {
    if (index === 0) {
      this.#ended = this.children.filter(({ exit }) => exit !== undefined && exit.atUs <= nowUs)
      this.children = this.children.filter((child) => !this.#ended.includes(child))
      this.refresh()
    }
    return this.#ended.shift()?.reap()
  }
}

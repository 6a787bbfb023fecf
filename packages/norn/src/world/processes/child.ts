/**
 * A child process as its parent sees it: it ends, and the parent hears of that.
 *
 * Follows Linux and src/unix/process.c of libuv: a process that ends closes its pipes before its
 * parent hears of it (SIGCHLD), and its parent hears through one descriptor, after all others of
 * the phase; one signal reaps whoever has ended by then.
 */
import type { Arrival } from '../loop/async-handles.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Isolate } from '../loop/isolate.ts'
import { Descriptor, type Descriptors } from '../loop/poll-descriptors.ts'
import type { Courier, Side } from '../network/connection.ts'
import type { Control } from '../realm/replace.ts'

export interface ProcessesHost extends Control, Courier {
  readonly causality: Causality
  readonly descriptors: Descriptors
}

/** Where a descriptor of a process leads: a side of a pipe, a function, or nowhere. */
export type Output = Side | ((bytes: Uint8Array) => void) | undefined

/** What each child process has. */
export interface Born {
  /** For traces and people. */
  readonly name: string
  readonly pid: number
  readonly isDetached: boolean
  /** What its parent's handle hears. */
  readonly onExit: (code: number, signal: string) => void
}

/** How a process ends: with a code, or by the signal of a name. */
export interface End {
  readonly code: number
  readonly signal: string
}

interface Exit extends End {
  readonly step: Step
  readonly atUs: number
  readonly delayUs: number
}

/** Virtual time that a call takes to start a process, and a process to begin. */
export const SPAWN_US = 500
export const BEGIN_US = 1000

export abstract class Child extends Descriptor {
  readonly born: Born
  isRefed = true
  /** How it ended; undefined while it runs. */
  exit: Exit | undefined
  isReaped = false
  protected readonly host: ProcessesHost
  readonly #reaper: Reaper

  constructor(host: ProcessesHost, reaper: Reaper, born: Born) {
    super(reaper.isolate)
    this.born = born
    this.host = host
    this.#reaper = reaper
    reaper.children.push(this)
    host.descriptors.watch(this)
  }

  get name(): string {
    return this.born.name
  }

  /** It is another process, whatever its parent does. */
  override get isBlocked(): boolean {
    return false
  }

  /** Its parent hears of its end through the reaper. */
  keepsAlive(): boolean {
    return this.isRefed && !this.isReaped
  }

  /** Sends it a signal that does not stop it. */
  abstract signal(name: string): void

  /** Its parent has ended: nobody hears of it. */
  orphan(): void {
    this.isReaped = true
    this.host.descriptors.close(this)
  }

  reap(): Arrival {
    this.isReaped = true
    const { step, delayUs, code, signal } = this.exit!
    this.host.descriptors.close(this)
    return { ...this.arrival('exit', step, delayUs, () => this.born.onExit(code, signal)), isolate: this.isolate }
  }

  // It is another process: what it does, it does beside the program, which the loop calls it from.
  protected arrival(kind: string, step: Step, delayUs: number, run: () => void): Arrival {
    return { step, isolate: this.host.causality.main, kind, resource: this.name, delayUs, run }
  }

  /** @param closedUs when its pipes have closed */
  protected ended({ code, signal }: End, closedUs: number): void {
    this.readyUs = Number.POSITIVE_INFINITY
    this.isPatient = false
    const { step, delayUs } = this.host.announce('exit', this.name, 'callback')
    this.exit = { step, delayUs, code, signal, atUs: closedUs + delayUs }
    this.#reaper.refresh()
  }
}

/** What an isolate hears of the ends of its children: the pipe of its signals. */
export class Reaper extends Descriptor {
  override readonly isLast = true
  children: Child[] = []
  #ended: Child[] = []

  constructor(isolate: Isolate) {
    super(isolate)
  }

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

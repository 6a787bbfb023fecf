/**
 * Handles that wake the poll phase without a pool thread: message ports and platform tasks.
 *
 * Follows libuv's `uv__async_io` (src/unix/async.c) and `uv__run_closing_handles`
 * (src/unix/core.c): one poll round serves all handles in creation order; a handle created during
 * the round waits for the next one, where it comes before those still unserved. Closing callbacks
 * run after immediates, last closed first. Pure: callers give times in microseconds.
 */
import type { Step } from './causality.ts'
import type { Isolate } from './isolate.ts'

/** A callback that a handle has ready to run. */
export interface Arrival {
  readonly step: Step
  /** Which runs it; by default the isolate of the step. */
  readonly isolate?: Isolate
  /** Whether it ends the wait in which its isolate blocks. */
  readonly unblocks?: boolean
  /** Of an immediate: whether it keeps no loop alive, and lets it sleep. */
  readonly isUnrefed?: boolean
  readonly kind: string
  readonly resource: string
  /** The drawn delay, in microseconds. */
  readonly delayUs: number
  run(): void
  /** Called for each error of it and of its ticks. */
  readonly threw?: () => void
}

export interface AsyncHandle {
  /**
   * When the loop serves it, in microseconds of virtual time; infinite while it has nothing to run.
   */
  dueUs: number
  /** Whether it keeps the loop of an isolate alive, or of any. */
  keepsAlive(isolate?: Isolate): boolean
  /**
   * The next callback; undefined when the handle has no more for this round.
   *
   * @param index the number of callbacks already run in this round
   */
  next(nowUs: number, index: number): Arrival | undefined
}

/** The isolate that runs a callback. */
export function isolateOf({ step, isolate = step.isolate }: Pick<Arrival, 'step' | 'isolate'>): Isolate {
  return isolate
}

const isRefed = ({ isUnrefed }: Arrival): boolean => isUnrefed !== true

export class AsyncHandles {
  #handles: AsyncHandle[] = []
  /** Handles that the current round has yet to serve; undefined between rounds. */
  #toServe: AsyncHandle[] | undefined
  #current: { readonly handle: AsyncHandle; served: number } | undefined
  #round = 0
  #closing: Arrival[] = []
  #closed: Arrival[] = []
  #immediates: Arrival[] = []
  /** Closing callbacks of isolates that block. */
  #held: Arrival[] = []

  open(handle: AsyncHandle): void {
    this.#handles.push(handle)
  }

  /** Stops serving the handle once its turn in this round is over; `closed` runs in the closing phase. */
  close(handle: AsyncHandle, closed: Arrival): void {
    const current = this.#current
    this.remove(handle)
    if (current?.handle === handle) this.#current = current
    this.#closing.push(closed)
  }

  /** The number of rounds begun. */
  get round(): number {
    return this.#round
  }

  /** A callback for the closing phase; the last one comes first. */
  closes(closed: Arrival): void {
    this.#closing.push(closed)
  }

  /** Whether closing callbacks or native immediates are pending that do not let the loop sleep. */
  get closing(): boolean {
    return this.#closing.length > 0 || this.#closed.length > 0 || this.#immediates.some(isRefed)
  }

  /**
   * Runs a callback in the next check phase, before the program's immediates; follows
   * `Environment::SetImmediate` (src/env.cc).
   */
  setImmediate(arrival: Arrival): void {
    this.#immediates.push(arrival)
  }

  get immediatesPending(): boolean {
    return this.#immediates.length > 0
  }

  takeImmediate(): Arrival | undefined {
    return this.#immediates.shift()
  }

  /** @param isolate whose handles count; by default all */
  keepAlive(isolate?: Isolate): boolean {
    if (this.#all().some((handle) => handle.keepsAlive(isolate))) return true
    if (isolate === undefined) return this.closing
    const pending = [...this.#closing, ...this.#closed, ...this.#immediates.filter(isRefed)]
    return pending.some((arrival) => isolateOf(arrival) === isolate)
  }

  /** Forgets a handle of an isolate that has ended. */
  remove(handle: AsyncHandle): void {
    const isOther = (each: AsyncHandle) => each !== handle
    this.#handles = this.#handles.filter(isOther)
    this.#toServe = this.#toServe?.filter(isOther)
    if (this.#current?.handle === handle) this.#current = undefined
  }

  /**
   * When the next handle is due, in microseconds; infinite if none is.
   *
   * @param afterUs leaves out handles that are due by then
   */
  nextEventUs(afterUs = Number.NEGATIVE_INFINITY): number {
    if (this.#current !== undefined) return Number.NEGATIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const { dueUs } of this.#all()) if (dueUs > afterUs && dueUs < next) next = dueUs
    return next
  }

  /**
   * Begins a round, unless one is in progress: it serves the handles that exist now. libuv does so
   * before it calls back operations of the pool, which are the first handle of the round.
   */
  beginRound(): void {
    if (this.#toServe !== undefined || this.#handles.length === 0) return
    this.#round++
    this.#toServe = this.#handles
    this.#handles = []
  }

  /** The next callback of the current round; undefined when the round is over. */
  take(nowUs: number): Arrival | undefined {
    if (this.#toServe === undefined) return undefined
    for (;;) {
      if (this.#current !== undefined) {
        const { handle } = this.#current
        const arrival = handle.next(nowUs, this.#current.served++)
        if (arrival !== undefined) return arrival
        this.#current = undefined
      }
      const handle = this.#toServe.shift()
      if (handle === undefined) {
        this.#toServe = undefined
        return undefined
      }
      this.#handles.push(handle)
      if (handle.dueUs > nowUs) continue
      handle.dueUs = Number.POSITIVE_INFINITY
      this.#current = { handle, served: 0 }
    }
  }

  /**
   * The next closing callback; undefined when the phase is over. Handles closed meanwhile wait for
   * the next turn.
   */
  takeClosed(): Arrival | undefined {
    return this.#closed.pop()
  }

  /** Keeps a callback of an isolate that blocks. */
  hold(arrival: Arrival): void {
    this.#held.push(arrival)
  }

  /** The isolate no longer blocks. */
  release(isolate: Isolate): void {
    this.#closing.push(...this.#held.filter((arrival) => isolateOf(arrival) === isolate))
    this.#held = this.#held.filter((arrival) => isolateOf(arrival) !== isolate)
  }

  /** Begins the closing phase, unless one is in progress. */
  beginClosing(): void {
    if (this.#closed.length > 0) return
    this.#closed = this.#closing
    this.#closing = []
  }

  reset(): void {
    this.#round = 0
    this.#handles = []
    this.#toServe = this.#current = undefined
    this.#closing = []
    this.#closed = []
    this.#immediates = []
    this.#held = []
  }

  #all(): readonly AsyncHandle[] {
    return this.#toServe === undefined ? this.#handles : [...this.#handles, ...this.#toServe]
  }
}

/**
 * What wakes the poll phase without a thread of the pool: message ports, and tasks of the platform.
 *
 * Follows libuv's `uv__async_io` (src/unix/async.c) and `uv__run_closing_handles` (src/unix/core.c): all such handles share
 * one descriptor, so whatever has been sent is seen by the very next poll, in one round over the handles in the order of
 * their making. A handle that is sent something by one before it is served in the same round; one that is made meanwhile
 * waits for the next, and stands before those that were still to come. Handles are closed in the phase after the
 * immediates, those of one turn last first.
 *
 * Pure: knows no Node; times are microseconds given by the caller.
 */
import type { Step } from './causality.ts'

/** One run of the program that a handle has ready. */
export interface Arrival {
  readonly step: Step
  readonly kind: string
  readonly resource: string
  /** How late this was by choice, in microseconds. */
  readonly delayUs: number
  run(): void
}

export interface AsyncHandle {
  /** When it is to be served, in microseconds of virtual time; infinite while nothing was sent to it. */
  dueUs: number
  /** Whether the loop goes on for its sake alone. */
  keepsAlive(): boolean
  /**
   * What is to be run next; undefined ends this callback of the handle.
   *
   * @param index how many have been run in this callback
   */
  next(nowUs: number, index: number): Arrival | undefined
}

export class AsyncHandles {
  #handles: AsyncHandle[] = []
  /** Those that the round under way has still to come to; undefined between rounds. */
  #toServe: AsyncHandle[] | undefined
  #current: { readonly handle: AsyncHandle; served: number } | undefined
  #closing: Arrival[] = []
  #closed: Arrival[] = []

  open(handle: AsyncHandle): void {
    this.#handles.push(handle)
  }

  /** The handle is served no more; `closed` runs in the closing phase. */
  close(handle: AsyncHandle, closed: Arrival): void {
    const isOther = (each: AsyncHandle) => each !== handle
    this.#handles = this.#handles.filter(isOther)
    this.#toServe = this.#toServe?.filter(isOther)
    if (this.#current?.handle === handle) this.#current = undefined
    this.#closing.push(closed)
  }

  /** Whether something is to be run without any wait. */
  get closing(): boolean {
    return this.#closing.length > 0 || this.#closed.length > 0
  }

  keepAlive(): boolean {
    return this.closing || this.#all().some((handle) => handle.keepsAlive())
  }

  /** When the next handle is due; infinite if none is. */
  nextEventUs(): number {
    if (this.#current !== undefined) return Number.NEGATIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    for (const { dueUs } of this.#all()) if (dueUs < next) next = dueUs
    return next
  }

  /** The next run of the round under way, or of a new one; undefined when the round is over. */
  take(nowUs: number): Arrival | undefined {
    if (this.#toServe === undefined) {
      if (this.#handles.length === 0) return undefined
      this.#toServe = this.#handles
      this.#handles = []
    }
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

  /** The next run of the closing phase; undefined when it is over. What is closed meanwhile waits for the next turn. */
  takeClosed(): Arrival | undefined {
    return this.#closed.pop()
  }

  /** Begins the closing phase, unless one is under way. */
  beginClosing(): void {
    if (this.#closed.length > 0) return
    this.#closed = this.#closing
    this.#closing = []
  }

  reset(): void {
    this.#handles = []
    this.#toServe = this.#current = undefined
    this.#closing = []
    this.#closed = []
  }

  #all(): readonly AsyncHandle[] {
    return this.#toServe === undefined ? this.#handles : [...this.#handles, ...this.#toServe]
  }
}

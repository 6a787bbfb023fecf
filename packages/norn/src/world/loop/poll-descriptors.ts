/**
 * The descriptors that the poll phase waits for: sockets, and the one through which libuv hears of
 * its thread pool and of asynchronous handles.
 *
 * Follows Linux's epoll with level-triggered descriptors, and libuv's src/unix/linux.c and core.c:
 * the ready list has descriptors in the order in which they became ready; one that a poll returned
 * keeps its place until a poll finds it not ready; one whose interest is new joins when the next poll
 * registers it, and what becomes ready before that poll returns joins behind it.
 * Each is served once per phase. The pending queue (`uv__io_feed`) runs before the poll phase and,
 * eight rounds at most, after it. Pure: callers give times in microseconds.
 */
import type { Arrival } from './async-handles.ts'
import type { Isolate } from './isolate.ts'
import { ReadyTimes, type Timed } from './ready-times.ts'

/** Something the loop polls. The owner changes `readyUs`, and `watch`es while it wants events. */
export abstract class Descriptor implements Timed {
  #readyUs = Number.POSITIVE_INFINITY
  // How it stands with the loop; only the loop's own parts change these.
  /** The times of those that are watched; undefined while it is not. */
  times: ReadyTimes<Descriptor> | undefined
  place = -1
  /** Its place among those that are watched. */
  watchedAt = 0
  /** The order in which descriptors were watched. */
  ordinal = 0
  /** Since when it could be in the ready list: it was ready when a poll registered it. */
  joinedUs = Number.NEGATIVE_INFINITY
  isListed = false
  /** Whether it waits for something only as long as anything else can happen. */
  isPatient = false
  /** Whether a phase serves it after all others: the pipe of signals. */
  readonly isLast: boolean = false

  /** Which owns it. While it blocks in a wait, and once it has ended, nobody polls. */
  readonly isolate: Isolate

  constructor(isolate: Isolate) {
    this.isolate = isolate
  }

  /** When it becomes or became ready, in microseconds of virtual time; infinite while it is not. */
  get readyUs(): number {
    return this.#readyUs
  }

  set readyUs(us: number) {
    if (us === this.#readyUs) return
    const wasTimed = this.isTimed
    this.#readyUs = us
    if (this.times === undefined) return
    if (!wasTimed) this.times.add(this)
    else if (this.isTimed) this.times.changed(this)
    else this.times.remove(this)
  }

  /** Whether it is ready, or known to become ready. */
  get isTimed(): boolean {
    return this.#readyUs !== Number.POSITIVE_INFINITY
  }

  get isBlocked(): boolean {
    return this.isolate.isBlocked || this.isolate.hasEnded
  }

  /** Whether it keeps the loop of its isolate alive. */
  abstract keepsAlive(): boolean

  /**
   * The next callback; undefined when there is no more for this phase.
   *
   * @param index the number of callbacks already run in this phase
   *
   * @param polledUs when the phase found it ready
   */
  abstract next(nowUs: number, index: number, polledUs: number): Arrival | undefined

  /** Ends its patience: it becomes ready. */
  rouse(_nowUs: number): void {}

  /** The next callback from the pending queue. */
  fed(_nowUs: number, _index: number): Arrival | undefined {
    return undefined
  }
}

/** The asynchronous handles and the thread pool, which share one descriptor. */
export const ASYNC = Symbol('asynchronous handles')

type Polled = Descriptor | typeof ASYNC

/** Rounds in which libuv runs the pending queue after the poll phase. */
const PENDING_ROUNDS = 8

export class Descriptors {
  /** Whether one was closed since the caller set this to false: libuv keeps its loop alive for another turn. */
  haveClosed = false
  /** In no order. */
  #watched: Descriptor[] = []
  /** Of those that are ready or will be: most connections are idle, and no turn looks at them. */
  #times = new ReadyTimes<Descriptor>()
  #nextOrdinal = 0
  /** Descriptors below this ordinal are registered with epoll. */
  #registered = 0
  #ready: Polled[] = []
  #toServe: Polled[] = []
  #polledUs = 0
  #current: Descriptor | undefined
  #served = 0
  #pending: Descriptor[] = []
  #round: Descriptor[] = []
  #rounds = 0

  watch(descriptor: Descriptor): void {
    if (descriptor.times !== undefined) return
    descriptor.times = this.#times
    descriptor.ordinal = this.#nextOrdinal++
    descriptor.joinedUs = Number.NEGATIVE_INFINITY
    descriptor.watchedAt = this.#watched.length
    this.#watched.push(descriptor)
    if (descriptor.isTimed) this.#times.add(descriptor)
  }

  /**
   * Ends the interest. libuv tells epoll only at the next poll, so that the descriptor keeps its
   * place in the ready list if the interest is back by then.
   */
  unwatch(descriptor: Descriptor): void {
    const { times } = descriptor
    descriptor.times = undefined
    // One of an earlier execution is not here.
    if (times !== this.#times) return
    const last = this.#watched.pop()!
    if (last !== descriptor) {
      this.#watched[descriptor.watchedAt] = last
      last.watchedAt = descriptor.watchedAt
    }
    if (descriptor.isTimed) times.remove(descriptor)
    if (descriptor.isListed) remove(this.#toServe, descriptor)
  }

  /** Puts a descriptor into the pending queue. */
  feed(descriptor: Descriptor): void {
    if (!this.#pending.includes(descriptor)) this.#pending.push(descriptor)
  }

  /** The descriptor is closed: it is served no more. */
  close(descriptor: Descriptor): void {
    this.haveClosed = true
    this.unwatch(descriptor)
    if (descriptor.isListed) remove(this.#ready, descriptor)
    descriptor.isListed = false
    if (this.#round[0] === descriptor) this.#served = 0
    for (const list of [this.#pending, this.#round]) remove(list, descriptor)
    if (this.#current === descriptor) this.#current = undefined
  }

  get pending(): boolean {
    return this.#pending.some(({ isBlocked }) => !isBlocked) || this.#round.length > 0
  }

  /** Whether a phase was left in the middle. */
  get serving(): boolean {
    return this.#current !== undefined || this.#toServe.length > 0
  }

  /** @param isolate whose descriptors count; by default all */
  keepAlive(isolate?: Isolate): boolean {
    if (this.#watched.length === 0 && this.#pending.length === 0 && this.#round.length === 0) return false
    const isOf = (each: Descriptor) => isolate === undefined || each.isolate === isolate
    const keeps = (each: Descriptor) => isOf(each) && each.keepsAlive()
    // The program may have broken the iteration of arrays.
    return this.#pending.some(isOf) || this.#round.some(isOf) || this.#watched.some(keeps)
  }

  /**
   * When the next descriptor is ready, in microseconds; infinite if none is.
   *
   * @param afterUs leaves out those that are ready by then
   */
  nextEventUs(afterUs = Number.NEGATIVE_INFINITY): number {
    return this.#times.next(afterUs)
  }

  /** Whether a descriptor is patient. */
  get patient(): boolean {
    return this.#watched.some(({ isPatient }) => isPatient)
  }

  /** Nothing else can happen: ends the patience of all. Returns whether any is ready now. */
  rouse(nowUs: number): boolean {
    const patient = this.#watched.filter(({ isPatient }) => isPatient).sort((a, b) => a.ordinal - b.ordinal)
    for (const each of patient) each.rouse(nowUs)
    return patient.length > 0
  }

  /**
   * Registers descriptors whose interest is new, as `uv__io_poll` does before it waits.
   *
   * @returns whether any of them is ready
   */
  register(nowUs: number): boolean {
    if (this.#registered === this.#nextOrdinal) return false
    const ready = this.#times.readyBy(nowUs).filter(({ ordinal }) => ordinal >= this.#registered)
    for (const each of ready) each.joinedUs = nowUs
    this.#registered = this.#nextOrdinal
    return ready.length > 0
  }

  /**
   * Begins a phase, unless one is in progress.
   *
   * @param asyncUs since when the asynchronous handles are ready
   */
  poll(nowUs: number, asyncUs: number): void {
    if (this.serving) return
    this.register(nowUs)
    this.#polledUs = nowUs
    const found = this.#ready.filter((each) => {
      if (each === ASYNC) return asyncUs <= nowUs
      each.isListed = each.times !== undefined && !each.isBlocked && each.readyUs <= nowUs
      return each.isListed
    })
    const fresh: { readonly each: Polled; readonly atUs: number; readonly ordinal: number }[] = []
    if (asyncUs <= nowUs && !this.#ready.includes(ASYNC)) fresh.push({ each: ASYNC, atUs: asyncUs, ordinal: -1 })
    for (const each of this.#times.readyBy(nowUs)) {
      if (each.isListed) continue
      const { ordinal, readyUs, joinedUs } = each
      fresh.push({ each, ordinal, atUs: Math.max(readyUs, joinedUs) })
    }
    // Times may be infinite.
    if (fresh.length > 1) fresh.sort((a, b) => (a.atUs === b.atUs ? a.ordinal - b.ordinal : a.atUs - b.atUs))
    for (const { each } of fresh) found.push(each)
    this.#toServe = found.some(isLast) ? [...found.filter((each) => !isLast(each)), ...found.filter(isLast)] : found
    this.#ready = [...found]
    for (const each of found) if (each !== ASYNC) each.isListed = true
  }

  /** The next callback of the phase, or the turn of the asynchronous handles. */
  take(nowUs: number): Arrival | typeof ASYNC | undefined {
    for (;;) {
      if (this.#current !== undefined && !this.#current.isBlocked) {
        const arrival = this.#current.next(nowUs, this.#served++, this.#polledUs)
        if (arrival !== undefined) return arrival
      }
      const next = this.#toServe.shift()
      this.#current = next === ASYNC ? undefined : next
      this.#served = 0
      if (this.#current === undefined) return next === ASYNC ? ASYNC : undefined
    }
  }

  /** Begins to run the pending queue. */
  beginPending(rounds = PENDING_ROUNDS): void {
    this.#rounds = rounds
  }

  takePending(nowUs: number): Arrival | undefined {
    for (;;) {
      if (this.#round.length === 0) {
        if (this.#pending.length === 0 || this.#rounds-- <= 0) return undefined
        this.#round = this.#pending.filter(({ isBlocked }) => !isBlocked)
        this.#pending = this.#pending.filter(({ isBlocked }) => isBlocked)
        if (this.#round.length === 0) return undefined
        this.#served = 0
      }
      const first = this.#round[0]!
      const arrival = first.isBlocked ? undefined : first.fed(nowUs, this.#served++)
      if (arrival !== undefined) return arrival
      this.#round.shift()
      if (first.isBlocked) this.#pending.push(first)
      this.#served = 0
    }
  }

  reset(): void {
    this.#watched = []
    this.#times = new ReadyTimes()
    this.#nextOrdinal = this.#registered = 0
    this.#ready = []
    this.#toServe = []
    this.#current = undefined
    this.#pending = []
    this.#round = []
  }
}

function isLast(polled: Polled): boolean {
  return polled !== ASYNC && polled.isLast
}

function remove(list: unknown[], item: unknown): void {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
}

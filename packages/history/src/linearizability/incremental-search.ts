/**
 * A search for a linearization of one object's operations that goes on as they are called and return.
 *
 * It keeps a path: an order of everything that has returned, and of what may have taken effect before
 * that. What returns is put behind it where it fits ("just-in-time linearization", Lowe, "Testing for
 * Linearizability", 2017); otherwise the search goes back from there, depth first.
 *
 * A configuration from which what has returned cannot be ordered stays dead, whatever happens next:
 * what is called later comes later, and an operation that returns can only do less than before, unless
 * it has no effect, and then it was not needed. So
 * dead ends are remembered for good. One is described by the state, the first return that is missing,
 * what is missing of that called before it, and which operations that need not take effect have
 * done so; it covers those in which more of them have.
 */
import type { Operation } from '../history/operation.ts'
import type { Automaton } from './automaton.ts'
import { ConfigurationCache } from './configuration-cache.ts'
import type { Memory } from './memory.ts'
import { TimeLine } from './time-line.ts'

export type IncrementalStatus = 'ok' | 'illegal' | 'out of steps' | 'out of memory'

/** How a step came to be on the path, and so what is left to try if it is taken back. */
const IN_ORDER = 0 // of the calls: those after it
const OPTIONAL = 1 // the same of operations of unknown outcome, which come after all others
const EAGER = 2 // before the others: all of them
const FORCED = 3 // a read that was possible: nothing

type Status = 'pending' | 'returned' | 'unknown' | 'failed'

interface Item {
  /** What is known of it. */
  operation: Operation
  status: Status
  /** The number that the automaton gives to it; NONE until it is asked for. */
  symbol: number
  isOnPath: boolean
  /** Its bit among the operations that need not take effect. */
  readonly slot: number
}

const NONE = -1

/** How many entries a search looks ahead for what can no longer happen. */
const LOOKAHEAD = 100

/** Roughly, of an operation: its item, entries in lists, a step of the path. */
const BYTES_OF_AN_OPERATION = 300

export class IncrementalSearch {
  readonly #automaton: Automaton
  readonly #memory: Memory
  readonly #items: Item[] = []
  /** What is not on the path, but for reads that have not returned and what is unknown. */
  readonly #missing = new TimeLine()
  #missingReturns = 0
  /** Operations of unknown outcome, in the order of their calls. */
  readonly #optional: number[] = []
  readonly #path: number[] = []
  readonly #pathFrom: number[] = []
  readonly #pathHow: number[] = []
  #state: number
  #deadEnds: ConfigurationCache | undefined
  /** Operations on the path that have not returned, as bits. */
  #used = new Int32Array(1)
  readonly #freeSlots: number[] = []
  #slots = 0
  #key = new Int32Array(16)
  #keyLength = 0
  /** The steps of the search so far. */
  steps = 0

  constructor(automaton: Automaton, memory: Memory) {
    this.#automaton = automaton
    this.#memory = memory
    this.#state = automaton.initial()
  }

  /** The order that was found of what has returned, and of what may have taken effect. */
  get order(): readonly number[] {
    return this.#path
  }

  get operations(): readonly Operation[] {
    return this.#items.map(({ operation }) => operation)
  }

  /**
   * An operation is called: its outcome is unknown.
   *
   * @param isRead whether it has no effect, whatever it returns
   * @returns its number, from 0
   */
  call(operation: Operation, isRead: boolean): number {
    const slot = this.#freeSlots.pop() ?? this.#slots++
    if (slot >> 5 >= this.#used.length) {
      const used = new Int32Array(2 * this.#used.length)
      used.set(this.#used)
      this.#used = used
    }
    this.#memory.count(BYTES_OF_AN_OPERATION)
    this.#items.push({ operation, status: 'pending', symbol: NONE, isOnPath: false, slot })
    const number = this.#missing.call()
    if (!isRead) this.#missing.put(number)
    return number
  }

  /**
   * An operation returns, or it is known that its outcome never will be.
   *
   * @param operation what is known now
   * @param limit on the steps, in all
   */
  return(number: number, operation: Operation, limit: number): IncrementalStatus {
    const item = this.#items[number]!
    item.operation = operation
    switch (operation.outcome) {
      case 'unknown':
        if (!item.isOnPath) this.#missing.take(number)
        item.status = 'unknown'
        this.#optional.splice(this.#optional.findLastIndex((other) => other < number) + 1, 0, number)
        return 'ok'
      case 'fail':
        item.status = 'failed'
        this.#freeSlots.push(item.slot)
        if (item.isOnPath) this.#rebuild(this.#path.lastIndexOf(number))
        else this.#missing.take(number)
        break
      case 'ok':
        item.symbol = this.#automaton.symbol(operation)
        this.#freeSlots.push(item.slot)
        this.#tryAgain(number)
        if (item.isOnPath) this.#settle(number, item)
        else this.#place(number, item)
    }
    return this.#missingReturns === 0 ? 'ok' : this.#search(limit)
  }

  /**
   * What was not possible while nobody knew the output may be now: without an effect. So where an
   * operation could stand, all is tried again if the search comes back.
   */
  #tryAgain(number: number): void {
    for (let at = this.#path.length - 1; at >= 0 && !this.#missing.precedes(this.#path[at]!, number); at--)
      if (this.#pathHow[at] !== FORCED) this.#pathHow[at] = EAGER
  }

  /** What is on the path already has returned. */
  #settle(number: number, item: Item): void {
    this.#setUsed(item, false)
    item.status = 'returned'
    this.#missing.return(number)
    const at = this.#path.lastIndexOf(number)
    const after = this.#automaton.step(this.#pathFrom[at]!, item.symbol)
    if (after === (this.#pathFrom[at + 1] ?? this.#state)) return
    this.#rebuild(at, after < 0 ? number : NONE)
    if (after < 0) this.#fit(number, item)
  }

  /** What is not on the path has returned. */
  #place(number: number, item: Item): void {
    this.#missing.take(number)
    item.status = 'returned'
    this.#missing.return(number)
    this.#missing.put(number)
    this.#missingReturns++
    this.#fit(number, item)
  }

  /** Puts it on the path, where that is easy. */
  #fit(number: number, { symbol }: Item): void {
    const after = this.#automaton.step(this.#state, symbol)
    if (after >= 0) {
      this.#push(number, after, this.#automaton.isRead(symbol) ? FORCED : EAGER)
      return
    }
    // Without an effect it fits in between, if what comes behind it need not stand before it.
    for (let at = this.#path.length - 1; at >= 0; at--) {
      if (this.#missing.precedes(this.#path[at]!, number)) return
      const state = this.#pathFrom[at]!
      if (this.#automaton.step(state, symbol) !== state) continue
      const how = this.#automaton.isRead(symbol) ? FORCED : EAGER
      this.#push(number, this.#state, how)
      this.#path.copyWithin(at + 1, at)
      this.#pathFrom.copyWithin(at + 1, at)
      this.#pathHow.copyWithin(at + 1, at)
      this.#path[at] = number
      this.#pathFrom[at] = state
      this.#pathHow[at] = how
      return
    }
  }

  /** Takes steps back and takes them again as far as possible, but for one operation and what has failed. */
  #rebuild(from: number, without = NONE): void {
    const again = this.#path.slice(from)
    while (this.#path.length > from) this.#pop()
    for (const number of again) {
      const item = this.#items[number]!
      if (number === without || item.status === 'failed') continue
      const symbol = this.#symbol(item)
      const after = this.#automaton.step(this.#state, symbol)
      if (after < 0) return
      this.#push(number, after, after === this.#state && this.#automaton.isRead(symbol) ? FORCED : EAGER)
    }
  }

  #search(limit: number): IncrementalStatus {
    this.#deadEnds ??= new ConfigurationCache(this.#memory)
    let isEntering = true
    let phase = IN_ORDER
    let last = NONE
    for (;;) {
      if (isEntering) {
        if (++this.steps > limit) return 'out of steps'
        if (this.#memory.isExceeded) return 'out of memory'
        this.#takeReads()
        if (this.#missingReturns === 0) return 'ok'
        isEntering = false
        phase = IN_ORDER
        last = NONE
        const first = this.#missing.firstReturning
        if (this.#isDead(first) || this.#isHopeless()) phase = FORCED
        else {
          const after = this.#automaton.step(this.#state, this.#symbol(this.#items[first]!))
          if (after >= 0) {
            this.#push(first, after, EAGER)
            isEntering = true
            continue
          }
        }
      }
      if (phase !== FORCED) {
        if (this.#advance(phase, last)) {
          isEntering = true
          continue
        }
        if (!this.#addDeadEnd()) return 'out of memory'
      }
      do {
        if (this.#path.length === 0) return 'illegal'
        last = this.#path.at(-1)!
        phase = this.#pathHow.at(-1)!
        this.#pop()
      } while (phase === FORCED)
      if (phase !== EAGER) continue
      phase = IN_ORDER
      last = NONE
    }
  }

  /** Whatever could come before a read that is possible can come after it. */
  #takeReads(): void {
    const missing = this.#missing
    for (let entry = missing.first, number = missing.called(entry); number >= 0; number = missing.called(entry)) {
      const { symbol, status } = this.#items[number]!
      const isPossible =
        status === 'returned' &&
        this.#automaton.isRead(symbol) &&
        this.#automaton.step(this.#state, symbol) === this.#state
      if (isPossible) {
        this.#push(number, this.#state, FORCED)
        // Its return may have been next to its call.
        entry = missing.first
      } else entry = missing.after(entry)
    }
  }

  /** Takes the next step that is possible here, after the last one that was tried. */
  #advance(phase: number, last: number): boolean {
    const state = this.#state
    // If an operation of unknown outcome was not needed for a step, it was not worth while.
    const before = this.#path.at(-1)
    const unneeded = before !== undefined && this.#items[before]!.status === 'unknown' ? this.#pathFrom.at(-1)! : NONE
    const isUseful = (after: number, symbol: number) =>
      after >= 0 && (unneeded === NONE || this.#automaton.step(unneeded, symbol) !== after)
    const missing = this.#missing
    if (phase === IN_ORDER) {
      for (let entry = missing.first, number = missing.called(entry); number >= 0; number = missing.called(entry)) {
        if (number > last) {
          const symbol = this.#symbol(this.#items[number]!)
          const after = this.#automaton.step(state, symbol)
          if (isUseful(after, symbol)) {
            this.#push(number, after, IN_ORDER)
            return true
          }
        }
        entry = missing.after(entry)
      }
    }
    const first = missing.firstReturning
    const tried = new Set<number>()
    for (const number of this.#optional) {
      const item = this.#items[number]!
      if (item.isOnPath) continue
      if (missing.precedes(first, number)) break
      const symbol = this.#symbol(item)
      // The earliest of equal ones is as good as any.
      if (tried.has(symbol)) continue
      tried.add(symbol)
      if (phase === OPTIONAL && number <= last) continue
      const after = this.#automaton.step(state, symbol)
      if (after === state || !isUseful(after, symbol)) continue
      this.#push(number, after, OPTIONAL)
      return true
    }
    return false
  }

  #symbol(item: Item): number {
    if (item.symbol === NONE) item.symbol = this.#automaton.symbol(item.operation)
    return item.symbol
  }

  #push(number: number, after: number, how: number): void {
    this.#path.push(number)
    this.#pathFrom.push(this.#state)
    this.#pathHow.push(how)
    this.#state = after
    const item = this.#items[number]!
    item.isOnPath = true
    if (item.status !== 'returned') this.#setUsed(item, true)
    else this.#missingReturns--
    this.#missing.take(number)
  }

  #pop(): void {
    const number = this.#path.pop()!
    this.#state = this.#pathFrom.pop()!
    this.#pathHow.pop()
    const item = this.#items[number]!
    item.isOnPath = false
    if (item.status !== 'returned') this.#setUsed(item, false)
    else this.#missingReturns++
    if (item.status === 'returned' || item.status === 'pending') this.#missing.put(number)
  }

  #setUsed({ slot }: Item, isUsed: boolean): void {
    if (isUsed) this.#used[slot >> 5]! |= 1 << (slot & 31)
    else this.#used[slot >> 5]! &= ~(1 << (slot & 31))
  }

  /** Whether something that has returned is no longer possible, because the object has grown past it. */
  #isHopeless(): boolean {
    const automaton = this.#automaton
    if (!automaton.looksAhead) return false
    const shrinks = (number: number) => automaton.shrinks(this.#symbol(this.#items[number]!))
    if (this.#optional.some((number) => !this.#items[number]!.isOnPath && shrinks(number))) return false
    const missing = this.#missing
    let entry = missing.first
    for (let left = LOOKAHEAD; left > 0 && entry !== 0; left--) {
      const called = missing.called(entry)
      if (called >= 0) {
        if (shrinks(called)) return false
      } else if (!automaton.mayFollow(this.#state, this.#items[missing.returned(entry)]!.symbol)) return true
      entry = missing.after(entry)
    }
    return false
  }

  /** @param first the operation that returns first of those that are missing */
  #isDead(first: number): boolean {
    const hash = this.#makeKey(first)
    return this.#deadEnds!.covers(
      hash,
      this.#state,
      first,
      this.#key,
      0,
      this.#keyLength,
      this.#used,
      this.#used.length,
    )
  }

  /** @returns false if there is no memory for it */
  #addDeadEnd(): boolean {
    const first = this.#missing.firstReturning
    const hash = this.#makeKey(first)
    const deadEnds = this.#deadEnds!
    const length = this.#keyLength
    return deadEnds.add(hash, this.#state, first, this.#key, 0, length, this.#used, this.#used.length) !== 'no memory'
  }

  /** What has returned and is missing, of that called before the first return that is missing. */
  #makeKey(first: number): number {
    const missing = this.#missing
    let hash = Math.imul(this.#state ^ Math.imul(first, 0x85ebca6b), 0x9e3779b1)
    let length = 0
    for (let entry = missing.first, number = missing.called(entry); number >= 0; number = missing.called(entry)) {
      if (this.#items[number]!.status === 'returned') {
        if (length === this.#key.length) {
          const key = new Int32Array(2 * length)
          key.set(this.#key)
          this.#key = key
        }
        this.#key[length++] = number
        hash = Math.imul(hash ^ number ^ (hash >>> 15), 0x85ebca6b)
      }
      entry = missing.after(entry)
    }
    this.#keyLength = length
    return hash ^ (hash >>> 13)
  }
}

/**
 * The search for a linearization of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993)
 * with the cache of Lowe ("Testing for Linearizability", 2017): a list of calls and returns, from
 * which an operation is lifted when it is linearised, and to which it returns when that leads
 * nowhere.
 *
 * It departs from them in what it need not try, none of which changes the verdict:
 * - A read that is possible now is linearised now: it leaves the state as it is, and whatever could
 *   come before it can come after it.
 * - Operations that may never have taken effect are tried when no other one fits, the earliest of
 *   equal ones first, and not if the next operation leads to the same state without it.
 * - A configuration is not searched if one was that has used fewer of them.
 */
import type { Automaton } from './automaton.ts'
import { column } from './column.ts'
import { ConfigurationCache, type Remembered } from './configuration-cache.ts'
import type { IntervalOrder } from './interval-order.ts'
import type { Memory } from './memory.ts'

export type SearchStatus = 'ok' | 'illegal' | 'out of steps' | 'out of memory'

/** How many entries a search looks ahead for what can no longer happen. */
const LOOKAHEAD = 100

/** A partial linearization that cannot be continued. */
export interface DeadEnd {
  /** Operations of the intervals, in their order. */
  readonly order: readonly number[]
  /** What it leads to. */
  readonly state: number
}

const NONE = -1

export class Search {
  readonly #order: IntervalOrder
  readonly #automaton: Automaton
  readonly #memory: Memory
  readonly #cache: ConfigurationCache
  readonly #starts: readonly number[]
  readonly #next: Int32Array
  readonly #prev: Int32Array
  readonly #isRead: Uint8Array
  readonly #shrinks: Uint8Array
  /** The entry of the first optional operation that shrinks the object. */
  readonly #optionalShrinks: number
  readonly #linearised: Int32Array
  readonly #used: Int32Array
  readonly #keys: Int32Array
  /** Optional operations by symbol: where the class begins in `#classed`, and how many are used. */
  readonly #classStart: Int32Array
  readonly #classUsed: Int32Array
  readonly #classed: Int32Array
  /** A step: a required operation or ~(class of optional ones), the state before, whether it was forced. */
  readonly #stepOf: Int32Array
  readonly #stepFrom: Int32Array
  readonly #stepForced: Uint8Array
  #depth = 0
  #state = NONE
  #hash = 0
  #startIndex = -1
  /** Whether the last step led to a configuration that was not looked at. */
  #isEntering = false
  /** What to try next in this configuration: the entry of a call or NONE, then a class of optional ones. */
  #cursor = NONE
  #class = 0
  /** The latest return that a required operation was missing at. */
  #furthest = 0
  readonly #deadEnds = new Map<number, DeadEnd>()
  #deadEndAt = NONE
  #deadEndsLeft = 0

  /**
   * @param order of this search alone: it changes the list
   * @param starts the states that a linearization may start from
   */
  constructor(order: IntervalOrder, automaton: Automaton, starts: readonly number[], memory: Memory) {
    const { required, symbol, optional, optionalSymbol } = order
    this.#order = order
    this.#automaton = automaton
    this.#memory = memory
    this.#cache = new ConfigurationCache(memory)
    this.#starts = starts
    this.#next = order.next
    this.#prev = order.prev
    this.#isRead = column(Uint8Array, required.length)
    this.#shrinks = column(Uint8Array, required.length)
    for (let position = 0; position < required.length; position++) {
      if (automaton.isRead(symbol[position]!)) this.#isRead[position] = 1
      if (automaton.shrinks(symbol[position]!)) this.#shrinks[position] = 1
    }
    const shrinking = optionalSymbol.findIndex((one) => automaton.shrinks(one))
    this.#optionalShrinks = shrinking < 0 ? order.end : order.optionalEntry[shrinking]!
    this.#linearised = column(Int32Array, (required.length >> 5) + 1)
    this.#used = column(Int32Array, (optional.length >> 5) + 1)
    this.#keys = keysOf(required.length)
    const classes = new Map<number, number[]>()
    for (let position = 0; position < optional.length; position++) {
      const positions = classes.get(optionalSymbol[position]!)
      if (positions === undefined) classes.set(optionalSymbol[position]!, [position])
      else positions.push(position)
    }
    this.#classStart = column(Int32Array, classes.size + 1)
    this.#classUsed = column(Int32Array, classes.size)
    this.#classed = column(Int32Array, optional.length)
    let at = 0
    let index = 0
    for (const positions of classes.values()) {
      this.#classed.set(positions, at)
      at += positions.length
      this.#classStart[++index] = at
    }
    const steps = required.length + optional.length
    this.#stepOf = column(Int32Array, steps)
    this.#stepFrom = column(Int32Array, steps)
    this.#stepForced = column(Uint8Array, steps)
  }

  /** The operations of the linearization that was found, in its order. */
  get linearization(): number[] {
    const used = column(Int32Array, this.#classUsed.length)
    return Array.from(this.#stepOf.subarray(0, this.#depth), (step) => {
      if (step >= 0) return this.#order.required[step]!
      const position = this.#classed[this.#classStart[~step]! + used[~step]!++]!
      return this.#order.optional[position]!
    })
  }

  /** The state that it leads to. */
  get state(): number {
    return this.#state
  }

  /**
   * If it is illegal, and the model has no growth: the required operation that cannot be linearised
   * before it returns, while everything that had returned before can.
   */
  get blocked(): number {
    return this.#order.required[~this.#order.kind[this.#furthest]!]!
  }

  /**
   * Keeps partial linearizations that get as far as the return of an operation, one for each state
   * they lead to. Looks at the first few hundred that it comes by.
   */
  keepDeadEnds(operation: number): void {
    this.#deadEndAt = this.#order.returnEntry[this.#order.required.indexOf(operation)]!
    this.#deadEndsLeft = 200
  }

  get deadEnds(): readonly DeadEnd[] {
    return [...this.#deadEnds.values()]
  }

  /** Gives back its memory. */
  release(): void {
    this.#cache.release()
  }

  /**
   * Goes on for some steps. A status other than `out of steps` is final.
   *
   * @throws whatever the model throws
   */
  run(steps: number): SearchStatus {
    const { end } = this.#order
    let left = steps
    if (this.#startIndex < 0 && !this.#start()) return 'illegal'
    for (;;) {
      if (this.#isEntering) {
        if (left-- <= 0) return 'out of steps'
        this.#isEntering = false
        this.#linearizeReads()
        if (this.#next[0] === end) return 'ok'
        const remembered = this.#remember()
        if (remembered === 'no memory' || this.#memory.isExceeded) return 'out of memory'
        const isNew = remembered === 'new' && !this.#isHopeless()
        this.#cursor = isNew ? this.#next[0]! : NONE
        this.#class = isNew ? 0 : this.#classUsed.length
      }
      if (!this.#advance() && !this.#undo() && !this.#start()) return 'illegal'
    }
  }

  #start(): boolean {
    if (++this.#startIndex >= this.#starts.length) return false
    this.#state = this.#starts[this.#startIndex]!
    this.#isEntering = true
    return true
  }

  #linearizeReads(): void {
    const { kind, symbol } = this.#order
    const next = this.#next
    for (let entry = next[0]!, operation = kind[entry]!; operation >= 0; operation = kind[entry]!) {
      const before = this.#prev[entry]!
      if (this.#isRead[operation] !== 0 && this.#automaton.step(this.#state, symbol[operation]!) === this.#state) {
        this.#linearize(operation, this.#state, 1)
        entry = next[before]!
      } else entry = next[entry]!
    }
  }

  #remember(): Remembered {
    const { kind, calledBefore, optionalEntry } = this.#order
    const entry = this.#firstReturn()
    if (entry > this.#furthest) this.#furthest = entry
    const first = kind[this.#next[0]!]!
    let optionalTo = 0
    if (optionalEntry.length > 0 && this.#depth > 0) optionalTo = this.#used.length
    const hash = this.#hash ^ Math.imul(this.#state + 1, 0x9e3779b1)
    const to = ((calledBefore[entry]! - 1) >> 5) + 1
    const linearised = this.#linearised
    const remembered = this.#cache.add(hash, this.#state, first, linearised, first >> 5, to, this.#used, optionalTo)
    if (entry === this.#deadEndAt && this.#deadEndsLeft > 0) this.#keepDeadEnd()
    return remembered
  }

  /** Whether an operation can no longer happen, because the object has grown past it. */
  #isHopeless(): boolean {
    const { kind, symbol, end } = this.#order
    let entry = this.#next[0]!
    for (let left = LOOKAHEAD; left > 0 && entry !== end && entry < this.#optionalShrinks; left--) {
      const operation = kind[entry]!
      if (operation >= 0) {
        if (this.#shrinks[operation] !== 0) return false
      } else if (!this.#automaton.mayFollow(this.#state, symbol[~operation]!)) return true
      entry = this.#next[entry]!
    }
    return false
  }

  #keepDeadEnd(): void {
    this.#deadEndsLeft--
    const longest = this.#deadEnds.get(this.#state)
    if (longest !== undefined && longest.order.length >= this.#depth) return
    this.#deadEnds.set(this.#state, { order: this.linearization, state: this.#state })
  }

  #firstReturn(): number {
    const { kind } = this.#order
    let entry = this.#next[0]!
    while (kind[entry]! >= 0) entry = this.#next[entry]!
    return entry
  }

  /** Takes the next step that is possible here. */
  #advance(): boolean {
    const { kind, symbol, optionalEntry, optionalSymbol } = this.#order
    const state = this.#state
    // An optional operation before which this step leads to the same state was not needed for it.
    const last = this.#depth - 1
    const unneeded = last >= 0 && this.#stepOf[last]! < 0 ? this.#stepFrom[last]! : NONE
    const isUseful = (after: number, by: number) =>
      after >= 0 && (unneeded === NONE || this.#automaton.step(unneeded, by) !== after)
    if (this.#cursor !== NONE) {
      for (let entry = this.#cursor, operation = kind[entry]!; operation >= 0; operation = kind[entry]!) {
        const after = this.#automaton.step(state, symbol[operation]!)
        if (isUseful(after, symbol[operation]!)) {
          this.#linearize(operation, after, 0)
          this.#isEntering = true
          return true
        }
        entry = this.#next[entry]!
      }
      this.#cursor = NONE
    }
    if (this.#class === this.#classUsed.length) return false
    const before = this.#firstReturn()
    for (let index = this.#class; index < this.#classUsed.length; index++) {
      const at = this.#classStart[index]! + this.#classUsed[index]!
      if (at === this.#classStart[index + 1]) continue
      const position = this.#classed[at]!
      if (optionalEntry[position]! > before) continue
      const by = optionalSymbol[position]!
      const after = this.#automaton.step(state, by)
      if (after === state || !isUseful(after, by)) continue
      this.#push(~index, after, 0)
      this.#classUsed[index]!++
      this.#used[position >> 5]! |= 1 << (position & 31)
      this.#isEntering = true
      return true
    }
    return false
  }

  #linearize(operation: number, after: number, forced: number): void {
    this.#push(operation, after, forced)
    const { callEntry, returnEntry } = this.#order
    unlink(this.#next, this.#prev, callEntry[operation]!)
    unlink(this.#next, this.#prev, returnEntry[operation]!)
    this.#linearised[operation >> 5]! |= 1 << (operation & 31)
    this.#hash ^= this.#keys[operation]!
  }

  #push(step: number, after: number, forced: number): void {
    this.#stepOf[this.#depth] = step
    this.#stepFrom[this.#depth] = this.#state
    this.#stepForced[this.#depth++] = forced
    this.#state = after
  }

  /** Takes back the last step that there was a choice about, and is then behind it. */
  #undo(): boolean {
    const { callEntry, returnEntry } = this.#order
    while (this.#depth > 0) {
      const depth = --this.#depth
      const step = this.#stepOf[depth]!
      this.#state = this.#stepFrom[depth]!
      if (step < 0) {
        const position = this.#classed[this.#classStart[~step]! + --this.#classUsed[~step]!]!
        this.#used[position >> 5]! &= ~(1 << (position & 31))
        this.#cursor = NONE
        this.#class = ~step + 1
        return true
      }
      link(this.#next, this.#prev, returnEntry[step]!)
      link(this.#next, this.#prev, callEntry[step]!)
      this.#linearised[step >> 5]! &= ~(1 << (step & 31))
      this.#hash ^= this.#keys[step]!
      if (this.#stepForced[depth] !== 0) continue
      this.#cursor = this.#next[callEntry[step]!]!
      this.#class = 0
      return true
    }
    return false
  }
}

let sharedKeys = new Int32Array(0)

/** Different keys for hashes, the same in every run: at least as many. */
function keysOf(count: number): Int32Array {
  if (sharedKeys.length >= count) return sharedKeys
  const keys = new Int32Array(2 * count)
  for (let key = 0, random = 0x9e3779b9; key < keys.length; key++) {
    // An xorshift generator.
    random ^= random << 13
    random ^= random >>> 17
    random ^= random << 5
    keys[key] = random
  }
  sharedKeys = keys
  return keys
}

function unlink(next: Int32Array, prev: Int32Array, entry: number): void {
  next[prev[entry]!] = next[entry]!
  prev[next[entry]!] = prev[entry]!
}

function link(next: Int32Array, prev: Int32Array, entry: number): void {
  next[prev[entry]!] = entry
  prev[next[entry]!] = entry
}

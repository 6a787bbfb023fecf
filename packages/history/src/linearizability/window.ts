/**
 * The smallest part of an illegal history that cannot be ordered by itself.
 *
 * It ends with the first return by which the history is illegal. It begins as late as can be: no
 * state that was met in the search lets the rest be ordered. And it has only the operations that it
 * takes: it stays illegal if each other one in between may take effect at any time after its call,
 * or never, and may have returned anything. Each of these steps only takes constraints away, so that
 * what remains is a proof. It is minimal as far as the budget for it goes.
 */
import type { Operation } from '../history/operation.ts'
import type { Automaton } from './automaton.ts'
import { Budget } from './budget.ts'
import { column } from './column.ts'
import { type Intervals, intervalOrder } from './interval-order.ts'
import type { Memory } from './memory.ts'
import { type DeadEnd, Search } from './search.ts'

export interface IllegalWindow {
  /** The operation whose return makes the history illegal: its position in the partition. */
  readonly last: number
  /** Positions in the partition of the operations that it takes, in order. */
  readonly positions: readonly number[]
  /** Whether they cannot be ordered from any state that was met, or from the initial one only. */
  readonly isFromAnyState: boolean
  /** Orders of all that had returned before the last one, longest first. */
  readonly longest: readonly DeadEnd[]
}

/** Steps for making the window small, all in all. */
const STEPS = 200_000
const MAX_ORDERS = 8

/**
 * @param furthest the operation that the search did not get beyond
 * @param automaton has all states that were met
 */
export function illegalWindow(
  operations: readonly Operation[],
  intervals: Intervals,
  furthest: number,
  automaton: Automaton,
  memory: Memory,
): IllegalWindow {
  return new Shrinking(operations, intervals, automaton, memory).run(furthest)
}

class Shrinking {
  readonly #operations: readonly Operation[]
  readonly #intervals: Intervals
  readonly #automaton: Automaton
  readonly #memory: Memory
  readonly #budget = new Budget({ steps: STEPS })
  readonly #freeSymbols = new Map<number, number>()

  constructor(operations: readonly Operation[], intervals: Intervals, automaton: Automaton, memory: Memory) {
    this.#operations = operations
    this.#intervals = intervals
    this.#automaton = automaton
    this.#memory = memory
  }

  run(furthest: number): IllegalWindow {
    const initial = [this.#automaton.initial()]
    const states = Array.from({ length: this.#automaton.stateCount }, (_, state) => state)
    // A search that does not look ahead gives up only where nothing fits.
    const last = this.#automaton.looksAhead ? this.#firstIllegal(furthest, initial) : furthest
    const prefix = this.#prefix(last)
    const deadEnds = this.#deadEnds(prefix, last, initial)
    const longest = deadEnds.length > 0 ? deadEnds : this.#orderBefore(prefix, last, initial)
    const begin = this.#latestBegin(prefix, last, states)
    const window = begin === undefined ? prefix : this.#from(prefix, begin)
    const positions = this.#needed(window, last, begin === undefined ? initial : states)
    return { last, positions, isFromAnyState: begin !== undefined, longest }
  }

  /** The first return by which it is illegal: a search that looks ahead may have given up before. */
  #firstIllegal(furthest: number, initial: readonly number[]): number {
    const { count, return: returned, isOptional } = this.#intervals
    const returns = Array.from({ length: count }, (_, position) => position)
      .filter((position) => isOptional[position] === 0 && returned[position]! >= returned[furthest]!)
      .sort((a, b) => returned[a]! - returned[b]! || a - b)
    let low = 0
    let high = returns.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#isIllegal(this.#prefix(returns[middle]!), initial)) high = middle
      else low = middle + 1
    }
    return returns[high]!
  }

  /** What is called before a return; what returns later is optional. */
  #prefix(last: number): Draft {
    const { count, call, return: returned, isOptional } = this.#intervals
    const end = returned[last]!
    const draft: Draft = []
    for (let position = 0; position < count; position++) {
      if (call[position]! > end) continue
      const isBefore = returned[position]! < end || (returned[position] === end && position <= last)
      const isRequired = isOptional[position] === 0 && isBefore
      draft.push({ position, role: isRequired ? 'required' : 'optional' })
    }
    return draft
  }

  /** Without what returned before a time; what was called before it is optional. */
  #from(draft: Draft, begin: number): Draft {
    const { call, return: returned } = this.#intervals
    return draft.flatMap((item): Draft => {
      if (call[item.position]! >= begin) return [item]
      return returned[item.position]! < begin ? [] : [{ ...item, role: 'optional' }]
    })
  }

  /** The latest call that operations from then on cannot be ordered from; undefined if there is none. */
  #latestBegin(prefix: Draft, last: number, states: readonly number[]): number | undefined {
    const { call } = this.#intervals
    const calls = prefix
      .filter(({ position, role }) => role === 'required' && call[position]! <= call[last]!)
      .map(({ position }) => call[position]!)
      .sort((a, b) => b - a)
    const isIllegal = (index: number) => this.#isIllegal(this.#from(prefix, calls[index]!), states)
    let low = 0
    let high = 0
    while (!isIllegal(high)) {
      if (high === calls.length - 1 || this.#budget.exhausted !== undefined) return undefined
      low = high + 1
      high = Math.min(2 * high + 1, calls.length - 1)
    }
    while (low < high) {
      const middle = (low + high) >> 1
      if (isIllegal(middle)) high = middle
      else low = middle + 1
    }
    return calls[high]!
  }

  /** The required operations that remain if as many as possible are let go, in large parts first. */
  #needed(window: Draft, last: number, states: readonly number[]): number[] {
    let draft = window
    const required = () => draft.filter(({ role, position }) => role === 'required' && position !== last)
    for (let size = required().length; size >= 1; size >>= 1) {
      for (let at = 0, parts = required(); at < parts.length; at += size) {
        const part = new Set(parts.slice(at, at + size))
        const freer = draft.map((item): Draft[number] => (part.has(item) ? { ...item, role: 'free' } : item))
        if (this.#isIllegal(freer, states)) draft = freer
        if (this.#budget.exhausted !== undefined) break
      }
    }
    return [...required().map(({ position }) => position), last].sort((a, b) => a - b)
  }

  #deadEnds(prefix: Draft, last: number, initial: readonly number[]): DeadEnd[] {
    const search = new Search(intervalOrder(this.#intervalsOf(prefix)), this.#automaton, initial, this.#memory)
    search.keepDeadEnds(prefix.findIndex(({ position }) => position === last))
    new Budget({ steps: STEPS }).run(search, STEPS)
    search.release()
    return search.deadEnds
      .map((deadEnd) => ({ ...deadEnd, order: deadEnd.order.map((index) => prefix[index]!.position) }))
      .sort((a, b) => b.order.length - a.order.length)
      .slice(0, MAX_ORDERS)
  }

  /** An order of what had returned before, if a search that looks ahead gives up too early. */
  #orderBefore(prefix: Draft, last: number, initial: readonly number[]): DeadEnd[] {
    const before = prefix.filter(({ position }) => position !== last)
    const search = new Search(intervalOrder(this.#intervalsOf(before)), this.#automaton, initial, this.#memory)
    const status = new Budget({ steps: STEPS }).run(search, STEPS)
    search.release()
    if (status !== 'ok') return []
    const order = search.linearization.map((index) => before[index]!.position)
    return [{ order, state: search.state }]
  }

  /** False too if the budget does not last. */
  #isIllegal(draft: Draft, starts: readonly number[]): boolean {
    if (this.#budget.exhausted !== undefined) return false
    const search = new Search(intervalOrder(this.#intervalsOf(draft)), this.#automaton, starts, this.#memory)
    const status = this.#budget.run(search, STEPS)
    search.release()
    return status === 'illegal'
  }

  #intervalsOf(draft: Draft): Intervals {
    const from = this.#intervals
    const intervals = {
      count: 0,
      call: column(Float64Array, draft.length),
      return: column(Float64Array, draft.length),
      symbol: column(Int32Array, draft.length),
      isOptional: column(Uint8Array, draft.length),
    }
    for (const { position, role } of draft) {
      const symbol = role === 'free' ? this.#freeSymbol(position) : from.symbol[position]!
      if (role === 'free' && this.#automaton.isRead(symbol)) continue
      const at = intervals.count++
      intervals.call[at] = from.call[position]!
      intervals.return[at] = from.return[position]!
      intervals.symbol[at] = symbol
      intervals.isOptional[at] = role === 'required' ? 0 : 1
    }
    return intervals
  }

  /** Of an operation that may have returned anything. */
  #freeSymbol(position: number): number {
    let symbol = this.#freeSymbols.get(position)
    if (symbol === undefined) {
      symbol = this.#automaton.symbol({ ...this.#operations[position]!, outcome: 'unknown' })
      this.#freeSymbols.set(position, symbol)
    }
    return symbol
  }
}

/**
 * What is asked of operations: to take effect and return what they did; the same if at all; or to
 * return anything, if at all.
 */
type Draft = { readonly position: number; readonly role: 'required' | 'optional' | 'free' }[]

/** The operations of one object as a list of calls and returns in the order of time. */
import { column } from './column.ts'

/** Operations as columns. */
export interface Intervals {
  readonly count: number
  readonly call: Float64Array
  readonly return: Float64Array
  /** The number that the automaton gives to the operation. */
  readonly symbol: Int32Array
  /** 1 if it need not take effect; it may then do so at any time after its call. */
  readonly isOptional: Uint8Array
}

/**
 * Entries are numbered from 1 in the order of time, calls before returns at equal times, because
 * intervals are closed. The calls and returns of required operations are linked; optional ones have an
 * entry for their call only, which is not linked, so that a search over required operations does
 * not pass them.
 */
export interface IntervalOrder {
  /** Required operations, in the order of their calls: position -> operation. */
  readonly required: Int32Array
  /** Their symbols. */
  readonly symbol: Int32Array
  /** Their entries. */
  readonly callEntry: Int32Array
  readonly returnEntry: Int32Array
  /** Of an entry: the position of the required operation that is called, or ~position if it returns. */
  readonly kind: Int32Array
  /** Of an entry of a return: how many required operations are called before it. */
  readonly calledBefore: Int32Array
  /** The first of the entries' list, and the entry past its end. */
  readonly end: number
  readonly next: Int32Array
  readonly prev: Int32Array
  /** Optional operations, in the order of their calls. */
  readonly optional: Int32Array
  readonly optionalEntry: Int32Array
  readonly optionalSymbol: Int32Array
}

const NOT_LINKED = -0x7fff_ffff

export function intervalOrder(intervals: Intervals): IntervalOrder {
  const { count, call, return: returned, isOptional } = intervals
  const calls = sortedBy(count, call)
  const returns = sortedBy(count, returned, isOptional)
  const requiredCount = returns.length
  const required = column(Int32Array, requiredCount)
  const optional = column(Int32Array, count - requiredCount)
  const positionOf = column(Int32Array, count)
  const symbol = column(Int32Array, requiredCount)
  const callEntry = column(Int32Array, requiredCount)
  const returnEntry = column(Int32Array, requiredCount)
  const optionalEntry = column(Int32Array, count - requiredCount)
  const optionalSymbol = column(Int32Array, count - requiredCount)
  const end = count + requiredCount + 1
  const kind = column(Int32Array, end + 1).fill(NOT_LINKED)
  const calledBefore = column(Int32Array, end + 1)
  const next = column(Int32Array, end + 1)
  const prev = column(Int32Array, end + 1)
  let position = 0
  let optionals = 0
  let last = 0
  let c = 0
  let r = 0
  for (let entry = 1; entry < end; entry++) {
    const isCall = c < count && (r >= requiredCount || call[calls[c]!]! <= returned[returns[r]!]!)
    const operation = isCall ? calls[c++]! : returns[r++]!
    if (isCall && isOptional[operation] !== 0) {
      optional[optionals] = operation
      optionalEntry[optionals] = entry
      optionalSymbol[optionals++] = intervals.symbol[operation]!
      continue
    }
    if (isCall) {
      required[position] = operation
      symbol[position] = intervals.symbol[operation]!
      callEntry[position] = entry
      kind[entry] = position
      positionOf[operation] = position++
    } else {
      returnEntry[positionOf[operation]!] = entry
      kind[entry] = ~positionOf[operation]!
      calledBefore[entry] = position
    }
    next[last] = entry
    prev[entry] = last
    last = entry
  }
  next[last] = end
  prev[end] = last
  calledBefore[end] = position
  const columns = { required, symbol, callEntry, returnEntry, kind, calledBefore, end, next, prev }
  return { ...columns, optional, optionalEntry, optionalSymbol }
}

/** The operations in the order of their times, but for some; stable. */
function sortedBy(count: number, times: Float64Array, isLeftOut?: Uint8Array): Int32Array {
  const order = column(Int32Array, count)
  let length = 0
  let isSorted = true
  for (let operation = 0; operation < count; operation++) {
    if (isLeftOut !== undefined && isLeftOut[operation] !== 0) continue
    if (length > 0 && times[order[length - 1]!]! > times[operation]!) isSorted = false
    order[length++] = operation
  }
  const wanted = order.subarray(0, length)
  return isSorted ? wanted : wanted.sort((a, b) => times[a]! - times[b]! || a - b)
}

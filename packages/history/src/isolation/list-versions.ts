/**
 * The order of the versions of each list: that of its longest read. Each other read must be a prefix of it.
 *
 * Departs from Elle where reads of a key contradict each other: only the order that all agree on, up to the
 * first difference or repeated element, then counts. What lies beyond it may be wrong, and would blame
 * models that the history does not break.
 */

import { isEqual } from '../models/canonical.ts'
import { FAILED, type Flat, OK } from './flat.ts'
import type { Limits } from './limits.ts'
import { microOperations } from './workload.ts'

/** A read whose version is not one of the order's. */
export const INCOMPATIBLE = -1

export interface ListVersions {
  /** By micro-operation: how long the list was that a read returned, or INCOMPATIBLE; only of committed reads. */
  readonly length: Int32Array
  /** By key: the longest read, and the micro-operation and the transaction that read it (-1 if none). */
  readonly longest: readonly (readonly unknown[])[]
  readonly longestMicro: Int32Array
  readonly longestTransaction: Int32Array
  /** By key, and one more: where its versions begin in `order`. */
  readonly start: Int32Array
  /** The writes in version order, key by key; -1 for an element that nobody appended. */
  readonly order: Int32Array
  /** By write: its place in the version order of its key, from 1; 0 if no longest read has it. */
  readonly place: Int32Array
  /** By key: how many versions all reads agree on. */
  readonly agreed: Int32Array
  /** By key: how long a read must be to have an element twice, one of an aborted transaction, one of nobody's. */
  readonly repeated: Int32Array
  readonly aborted: Int32Array
  readonly garbage: Int32Array
}

const NEVER = 2 ** 31 - 1
const NONE: readonly unknown[] = []

export function listVersions(flat: Flat, limits: Limits): ListVersions {
  const { transactions, status, start, key, write, keys, writes } = flat
  limits.reserve(key.length * 4 + keys.length * 44 + writes.count * 4, 'to order the versions')
  const longest: (readonly unknown[])[] = new Array(keys.length).fill(NONE)
  const longestMicro = new Int32Array(keys.length).fill(-1)
  const longestTransaction = new Int32Array(keys.length).fill(-1)
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    const list = microOperations(transactions[index]!)
    for (let micro = start[index]!, at = 0; at < list.length; at++, micro++) {
      if (write[micro]! >= 0) continue
      const value = list[at]![2] as readonly unknown[] | null | undefined
      const id = key[micro]!
      if (value === null || value === undefined || value.length <= longest[id]!.length) continue
      longest[id] = value
      longestMicro[id] = micro
      longestTransaction[id] = index
    }
  }

  const first = new Int32Array(keys.length + 1)
  for (let id = 0; id < keys.length; id++) first[id + 1] = first[id]! + longest[id]!.length
  limits.reserve(first[keys.length]! * 4, 'to order the versions')
  limits.checkTime()
  const order = new Int32Array(first[keys.length]!)
  const place = new Int32Array(writes.count)
  const agreed = new Int32Array(keys.length)
  const repeated = new Int32Array(keys.length).fill(NEVER)
  const aborted = new Int32Array(keys.length).fill(NEVER)
  const garbage = new Int32Array(keys.length).fill(NEVER)
  for (let id = 0; id < keys.length; id++) {
    const elements = longest[id]!
    agreed[id] = elements.length
    for (let at = 0; at < elements.length; at++) {
      const appended = writes.find(id, elements[at])
      order[first[id]! + at] = appended
      if (appended < 0) garbage[id] = Math.min(garbage[id]!, at + 1)
      else if (place[appended] !== 0) repeated[id] = Math.min(repeated[id]!, at + 1)
      else {
        place[appended] = at + 1
        if (status[writes.transaction[appended]!] === FAILED) aborted[id] = Math.min(aborted[id]!, at + 1)
      }
    }
    agreed[id] = Math.min(agreed[id]!, repeated[id]! - 1)
  }

  const length = new Int32Array(key.length)
  for (let index = 0; index < transactions.length; index++) {
    if (status[index] !== OK) continue
    const list = microOperations(transactions[index]!)
    for (let micro = start[index]!, at = 0; at < list.length; at++, micro++) {
      if (write[micro]! >= 0) continue
      const value = (list[at]![2] ?? NONE) as readonly unknown[]
      const id = key[micro]!
      const common = commonPrefix(value, longest[id]!)
      length[micro] = common === value.length ? common : INCOMPATIBLE
      if (common < value.length) agreed[id] = Math.min(agreed[id]!, common)
    }
  }
  return {
    length,
    longest,
    longestMicro,
    longestTransaction,
    start: first,
    order,
    place,
    agreed,
    repeated,
    aborted,
    garbage,
  }
}

function commonPrefix(list: readonly unknown[], longest: readonly unknown[]): number {
  if (list === longest) return list.length
  for (let at = 0; at < list.length; at++) if (list[at] !== longest[at] && !isEqual(list[at], longest[at])) return at
  return list.length
}

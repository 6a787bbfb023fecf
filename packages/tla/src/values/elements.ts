/** Lists of canonical values: comparison, search, sorting. */
import { compare } from './order.ts'
import type { Canonical } from './value.ts'

/** Whether `left[at + shift] === right[at]` for `from <= at < until`. */
export function isSame(
  left: readonly Canonical[],
  right: readonly Canonical[],
  from: number,
  until: number,
  shift: number,
): boolean {
  for (let at = from; at < until; at++) if (left[at + shift] !== right[at]) return false
  return true
}

/** Whether `element` is among the first `length` elements. */
export function isAmong(elements: readonly Canonical[], length: number, element: Canonical): boolean {
  for (let at = 0; at < length; at++) if (elements[at] === element) return true
  return false
}

/** Sorts the array and drops duplicates. */
export function sortDistinct(elements: Canonical[]): void {
  elements.sort(compare)
  let kept = 1
  for (let at = 1; at < elements.length; at++) {
    if (elements[at] !== elements[kept - 1]) elements[kept++] = elements[at]!
  }
  elements.length = kept
}

/** Insertion sort, for a few distinct elements. */
export function insertInTurn(elements: Canonical[]): void {
  for (let at = 1; at < elements.length; at++) {
    const element = elements[at]!
    let place = at
    while (place > 0 && compare(element, elements[place - 1]!) < 0) {
      elements[place] = elements[place - 1]!
      place--
    }
    elements[place] = element
  }
}

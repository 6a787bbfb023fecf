/** Permutations of a few elements. */
import { refusal } from '../values/refuse.ts'
import type { Canonical } from '../values/value.ts'

/** 10! is 3,628,800. */
const MOST = 10

/** All permutations, in lexicographic order of the indices. @throws TlaError for too many elements */
export function arrangements(elements: readonly Canonical[]): Canonical[][] {
  const { length } = elements
  if (length > MOST) {
    throw refusal(`a set of ${length} elements has too many permutations: at most ${MOST} elements are allowed`)
  }
  const all: Canonical[][] = []
  const order: Canonical[] = []
  const isUsed = new Array<boolean>(length).fill(false)
  const extend = (): void => {
    if (order.length === length) {
      all.push(order.slice())
      return
    }
    for (let at = 0; at < length; at++) {
      if (isUsed[at]) continue
      isUsed[at] = true
      order.push(elements[at]!)
      extend()
      order.pop()
      isUsed[at] = false
    }
  }
  extend()
  return all
}

/** All orders of a few elements. */
import { refusal } from '../values/refuse.ts'
import type { Canonical } from '../values/value.ts'

/** The most elements whose orders are listed: 3,628,800 of them. */
const MOST = 10

/**
 * Each order of the elements, as an array of its own: in that of their places. @throws TlaError if
 * there are too many
 */
export function arrangements(elements: readonly Canonical[]): Canonical[][] {
  const { length } = elements
  if (length > MOST) {
    throw refusal(`a set of ${length} elements has too many permutations to list: at most ${MOST} elements are`)
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

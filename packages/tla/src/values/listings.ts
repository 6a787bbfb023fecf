/**
 * The elements of small sets that are not listed (`SUBSET S`, `[S -> T]`), kept from one evaluation of the expression to the
 * next: a step often goes through the same one in every state.
 */
import type { Canonical, SetValue } from './value.ts'

/** Sets of more elements are gone through one by one. */
export const MOST_KEPT_OF_ONE = 1024
/** Elements in all; past it, all are forgotten. */
const MOST_KEPT = 4_000_000

export class Listings {
  #byFirst = new WeakMap<SetValue, Map<SetValue, readonly Canonical[]>>()
  #count = 0

  /** The elements of what is made of two sets (`second` may be `first` again), of which there are few. */
  of(first: SetValue, second: SetValue, list: () => Iterable<Canonical>): readonly Canonical[] {
    let bySecond = this.#byFirst.get(first)
    const known = bySecond?.get(second)
    if (known !== undefined) return known
    const elements = [...list()]
    this.#count += elements.length
    if (this.#count > MOST_KEPT) {
      this.#byFirst = new WeakMap()
      this.#count = elements.length
      bySecond = undefined
    }
    if (bySecond === undefined) this.#byFirst.set(first, (bySecond = new Map()))
    bySecond.set(second, elements)
    return elements
  }
}

/** The subsets of a given size, enumerated without the other subsets. */
import type { Arena } from '../../values/arena.ts'
import { asSet } from '../../values/canonical.ts'
import { printCut } from '../../values/print.ts'
import { cardinality } from '../../values/sets.ts'
import { foreign, Symbolic } from '../../values/symbolic-set.ts'
import { isSubset } from '../../values/symbolic-sets.ts'
import type { Canonical, SetValue, Value } from '../../values/value.ts'

export class Subsets extends Symbolic {
  readonly base: SetValue
  /** From 0 to the size of the base. */
  readonly count: number

  constructor(arena: Arena, base: SetValue, count: number) {
    super(arena)
    this.base = base
    this.count = count
  }

  describe(): string {
    return `kSubset(${this.count}, ${printCut(this.base)})`
  }

  has(value: Value): boolean {
    if (typeof value !== 'object' || (value.kind !== 'set' && value.kind !== 'symbolic set'))
      return foreign(value, this)
    return isSubset(value, this.base) && cardinality(asSet(value)) === this.count
  }

  /** As in TLC: ordered by their last elements, then by those before. */
  *elements(): Iterable<Canonical> {
    const { elements } = this.base
    const { count } = this
    const places = Array.from({ length: count }, (_, at) => at)
    for (;;) {
      yield this.arena.sortedSet(places.map((place) => elements[place]!))
      let at = 0
      while (at < count && places[at]! + 1 === (places[at + 1] ?? elements.length)) at++
      if (at === count) return
      places[at]!++
      for (let before = 0; before < at; before++) places[before] = before
    }
  }

  size(): number {
    return binomial(this.base.elements.length, this.count)
  }

  isSame(other: Subsets): boolean | undefined {
    return other.count === this.count && other.base === this.base ? true : undefined
  }
}

/** The binomial coefficient: exact up to 2^53, approximate beyond. */
export function binomial(size: number, count: number): number {
  if (count > size) return 0
  let result = 1
  // An integer at each step: a product of n consecutive integers is divisible by n!.
  for (let step = 1; step <= Math.min(count, size - count); step++) {
    result = (result * (size - step + 1)) / step
    if (!Number.isFinite(result)) return result
  }
  return Math.round(result)
}

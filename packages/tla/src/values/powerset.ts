/** `SUBSET base`. Its elements come by size, and those of one size in the order of their elements, which is their order. */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { equal } from './equality.ts'
import { Listings, MOST_KEPT_OF_ONE } from './listings.ts'
import { printPart } from './print.ts'
import { isSubset } from './sets.ts'
import { finiteSize, refuseMember, Symbolic, sizeOf } from './symbolic-set.ts'
import type { Canonical, SetValue, Value } from './value.ts'

const listings = new Listings()

export class Powerset extends Symbolic {
  readonly base: Value

  constructor(arena: Arena, base: Value) {
    super(arena)
    this.base = base
  }

  describe(): string {
    const base = printPart(this.base)
    return `SUBSET ${/^[[{<(]|^\w+$/.test(base) ? base : `(${base})`}`
  }

  has(value: Value): boolean {
    if (typeof value === 'object' && (value.kind === 'set' || value.kind === 'symbolic set')) {
      return isSubset(value, this.base)
    }
    // Model values too: TLC has to go through the elements of the value.
    throw refuseMember(value, this)
  }

  elements(): Iterable<Canonical> {
    if (this.listed !== undefined) return this.listed.elements
    const base = asSet(this.base)
    return 2 ** base.elements.length > MOST_KEPT_OF_ONE
      ? this.#subsets(base)
      : listings.of(base, base, () => this.#subsets(base))
  }

  *#subsets({ elements }: SetValue): Iterable<Canonical> {
    const { length } = elements
    for (let size = 0; size <= length; size++) {
      const places = Array.from({ length: size }, (_, at) => at)
      for (;;) {
        yield this.arena.sortedSet(places.map((place) => elements[place]!))
        let at = size - 1
        while (at >= 0 && places[at] === length - size + at) at--
        if (at < 0) break
        places[at]!++
        for (let next = at + 1; next < size; next++) places[next] = places[next - 1]! + 1
      }
    }
  }

  size(): number {
    const size = sizeOf(this.base)
    return size === Number.POSITIVE_INFINITY ? size : finiteSize(2 ** size)
  }

  isSame(other: Powerset): boolean {
    return equal(this.base, other.base)
  }
}

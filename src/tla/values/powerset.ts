/** `SUBSET base`. Its elements come by size, and those of one size in the order of their elements, which is their order. */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { equal } from './equality.ts'
import { printPart } from './print.ts'
import { isSubset } from './sets.ts'
import { finiteSize, refuseMember, Symbolic, sizeOf } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

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

  *elements(): Iterable<Canonical> {
    const { elements } = asSet(this.base)
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

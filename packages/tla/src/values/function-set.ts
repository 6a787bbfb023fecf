/** `[domain -> range]`. */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { combinations } from './combinations.ts'
import { equal } from './equality.ts'
import { domainOf } from './functions.ts'
import { Listings, MOST_KEPT_OF_ONE } from './listings.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { finiteSize, foreign, Symbolic, sizeOf } from './symbolic-set.ts'
import type { Canonical, SetValue, Value } from './value.ts'

const listings = new Listings()

export class FunctionSet extends Symbolic {
  readonly domain: Value
  readonly range: Value

  constructor(arena: Arena, domain: Value, range: Value) {
    super(arena)
    this.domain = domain
    this.range = range
  }

  describe(): string {
    return `[${printPart(this.domain)} -> ${printPart(this.range)}]`
  }

  has(value: Value): boolean {
    if (typeof value !== 'object') return foreign(value, this)
    switch (value.kind) {
      case 'tuple':
      case 'record':
      case 'function': {
        if (!equal(this.domain, domainOf(this.arena, value))) return false
        for (const element of value.elements) if (!member(element, this.range)) return false
        return true
      }
      case 'rule function':
        return this.has(value.toFunction())
      default:
        return foreign(value, this)
    }
  }

  elements(): Iterable<Canonical> {
    if (this.listed !== undefined) return this.listed.elements
    const domain = asSet(this.domain)
    if (domain.elements.length === 0) return [this.arena.emptyTuple]
    const range = asSet(this.range)
    return range.elements.length ** domain.elements.length > MOST_KEPT_OF_ONE
      ? this.#functions(domain, range)
      : listings.of(domain, range, () => this.#functions(domain, range))
  }

  *#functions(domain: SetValue, { elements: range }: SetValue): Iterable<Canonical> {
    for (const elements of combinations(domain.elements.map(() => range))) yield this.arena.function(domain, elements)
  }

  size(): number {
    const domain = sizeOf(this.domain)
    if (domain === 0) return 1
    const range = sizeOf(this.range)
    const isInfinite = range > 1 && Math.max(domain, range) === Number.POSITIVE_INFINITY
    return isInfinite ? Number.POSITIVE_INFINITY : finiteSize(range ** domain)
  }

  isSame(other: FunctionSet): boolean {
    if (this.size() === 0 || other.size() === 0) return this.size() === other.size()
    return equal(this.domain, other.domain) && equal(this.range, other.range)
  }
}

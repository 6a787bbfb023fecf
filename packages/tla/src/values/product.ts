/** `S \X T \X U`. */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { combinations } from './combinations.ts'
import { equal } from './equality.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { productOfSizes } from './record-set.ts'
import { foreign, Symbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

export class Product extends Symbolic {
  readonly sets: readonly Value[]

  constructor(arena: Arena, sets: readonly Value[]) {
    super(arena)
    this.sets = sets
  }

  describe(): string {
    return `(${this.sets.map((set) => printPart(set)).join(' \\X ')})`
  }

  has(value: Value): boolean {
    if (typeof value !== 'object') return foreign(value, this)
    if (value.kind === 'rule function') return this.has(value.toFunction())
    if (value.kind === 'function' && value.domain.elements.every((key) => typeof key === 'number')) return false
    if (value.kind !== 'tuple') return foreign(value, this)
    const { elements } = value
    if (elements.length !== this.sets.length) return false
    for (let at = 0; at < elements.length; at++) if (!member(elements[at]!, this.sets[at]!)) return false
    return true
  }

  *elements(): Iterable<Canonical> {
    for (const elements of combinations(this.sets.map((set) => asSet(set).elements))) yield this.arena.tuple(elements)
  }

  size(): number {
    return productOfSizes(this.sets)
  }

  isSame(other: Product): boolean | undefined {
    if (this.size() === 0 || other.size() === 0) return this.size() === other.size()
    if (other.sets.length !== this.sets.length) return undefined
    return this.sets.every((set, at) => equal(set, other.sets[at]!))
  }
}

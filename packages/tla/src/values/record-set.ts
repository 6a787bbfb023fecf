/** `[a: S, b: T]`. */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { combinations } from './combinations.ts'
import { equal } from './equality.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { finiteSize, foreign, Symbolic, sizeOf } from './symbolic-set.ts'
import type { Canonical, Shape, Value } from './value.ts'

export class RecordSet extends Symbolic {
  readonly shape: Shape
  /** In the order of the fields of the shape. */
  readonly sets: readonly Value[]

  constructor(arena: Arena, shape: Shape, sets: readonly Value[]) {
    super(arena)
    this.shape = shape
    this.sets = sets
  }

  describe(): string {
    return `[${this.shape.names.map((name, at) => `${name}: ${printPart(this.sets[at]!)}`).join(', ')}]`
  }

  has(value: Value): boolean {
    if (typeof value !== 'object') return foreign(value, this)
    if (value.kind === 'rule function') return this.has(value.toFunction())
    if (value.kind !== 'record') return value === this.arena.emptyTuple ? false : foreign(value, this)
    if (value.shape !== this.shape) return false
    const { elements } = value
    for (let at = 0; at < elements.length; at++) if (!member(elements[at]!, this.sets[at]!)) return false
    return true
  }

  *elements(): Iterable<Canonical> {
    for (const elements of combinations(this.sets.map((set) => asSet(set).elements))) {
      yield this.arena.record(this.shape, elements)
    }
  }

  size(): number {
    return productOfSizes(this.sets)
  }

  isSame(other: RecordSet): boolean {
    if (this.size() === 0 || other.size() === 0) return this.size() === other.size()
    return other.shape === this.shape && this.sets.every((set, at) => equal(set, other.sets[at]!))
  }
}

/** 0 if one is empty, even if another is infinite. */
export function productOfSizes(sets: readonly Value[]): number {
  const sizes = sets.map(sizeOf)
  if (sizes.includes(0)) return 0
  if (sizes.includes(Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  return finiteSize(sizes.reduce((product, size) => product * size, 1))
}

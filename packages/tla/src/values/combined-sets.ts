/**
 * Symbolic sets made of other sets: `Nat \cup {-1}`, `Nat \ {0}`, `UNION SUBSET S`, `{x \in [A ->
 * B] : P(x)}`.
 */
import type { Arena } from './arena.ts'
import { Interval, Listed, partsOf } from './enumerated-sets.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { elementsInTurn, isInfinite, LARGEST_SET, Symbolic, tooLarge } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

/** Bound on the nesting of symbolic sets: each level takes stack, so deeper sets are listed. */
const DEEPEST = 64

abstract class Combined extends Symbolic {
  readonly left: Value
  readonly right: Value
  readonly #depth: number

  constructor(arena: Arena, left: Value, right: Value) {
    super(arena)
    this.left = left
    this.right = right
    this.#depth = 1 + Math.max(Combined.depthOf(left), Combined.depthOf(right))
  }

  static depthOf(set: Value): number {
    return set instanceof Combined ? set.#depth : 0
  }

  /** Itself; listed if it is nested too deeply, as by a recursive union. */
  flat(): Value {
    return this.#depth <= DEEPEST || isInfinite(this) ? this : this.toSet()
  }

  isSame(): undefined {
    return undefined
  }
}

function isEnumerated(set: Value): boolean {
  return typeof set === 'object' && (set.kind === 'set' || set instanceof Listed || set instanceof Interval)
}

/** In parentheses if it is an operator expression itself. */
function side(set: Value): string {
  return set instanceof Combined ? `(${printPart(set)})` : printPart(set)
}

export class Union extends Combined {
  /** As in TLC, the enumerated side is tested first: `"none" \in Seq(Nat) \cup {"none"}` is true. */
  readonly #asksRight: boolean

  constructor(arena: Arena, left: Value, right: Value) {
    super(arena, left, right)
    this.#asksRight = !isEnumerated(left) && isEnumerated(right)
  }

  describe(): string {
    return `${side(this.left)} \\cup ${side(this.right)}`
  }

  has(value: Value): boolean {
    if (this.#asksRight) return member(value, this.right) || member(value, this.left)
    return member(value, this.left) || member(value, this.right)
  }

  elements(): Iterable<Canonical> {
    const listed = new Set<Canonical>()
    for (const element of this.inTurn()) {
      listed.add(element)
      if (listed.size > LARGEST_SET) throw tooLarge(this)
    }
    return this.arena.set([...listed]).elements
  }

  /**
   * The elements of one side after the other, common ones twice: as TLC assigns them in `x' \in S
   * \cup T`.
   */
  *inTurn(): Iterable<Canonical> {
    const rest: Value[] = [this]
    for (let set = rest.pop(); set !== undefined; set = rest.pop()) {
      if (!(set instanceof Union)) yield* elementsInTurn(set)
      else if (set.#asksRight) rest.push(set.left, set.right)
      else rest.push(set.right, set.left)
    }
  }

  size(): number | undefined {
    return isInfinite(this.left) || isInfinite(this.right) ? Number.POSITIVE_INFINITY : undefined
  }
}

export class Intersection extends Combined {
  describe(): string {
    return `${side(this.left)} \\cap ${side(this.right)}`
  }

  has(value: Value): boolean {
    return member(value, this.left) && member(value, this.right)
  }

  *elements(): Iterable<Canonical> {
    const [from, other] = isInfinite(this.left) ? [this.right, this.left] : [this.left, this.right]
    for (const element of elementsInTurn(from)) if (member(element, other)) yield element
  }

  size(): number | undefined {
    return isInfinite(this.left) && isInfinite(this.right) ? Number.POSITIVE_INFINITY : undefined
  }
}

export class Difference extends Combined {
  describe(): string {
    return `${side(this.left)} \\ ${side(this.right)}`
  }

  has(value: Value): boolean {
    return member(value, this.left) && !member(value, this.right)
  }

  *elements(): Iterable<Canonical> {
    for (const element of elementsInTurn(this.left)) if (!member(element, this.right)) yield element
  }

  size(): number | undefined {
    return isInfinite(this.left) ? Number.POSITIVE_INFINITY : undefined
  }
}

/** `UNION` of a symbolic set. */
export class UnionOf extends Symbolic {
  readonly sets: Value

  constructor(arena: Arena, sets: Value) {
    super(arena)
    this.sets = sets
  }

  describe(): string {
    return `UNION ${printPart(this.sets)}`
  }

  has(value: Value): boolean {
    for (const set of partsOf(this.sets)) if (member(value, set)) return true
    return false
  }

  elements(): Iterable<Canonical> {
    return distinct(partsOf(this.sets))
  }

  size(): number | undefined {
    if (isInfinite(this.sets)) return Number.POSITIVE_INFINITY
    return this.sets instanceof Listed && this.sets.values.some(isInfinite) ? Number.POSITIVE_INFINITY : undefined
  }

  isSame(other: UnionOf): true | undefined {
    return other.sets === this.sets ? true : undefined
  }
}

/** `{x \in set : predicate}` of a symbolic set; evaluates the predicate only where needed. */
export class Filtered extends Symbolic {
  readonly set: Value
  readonly predicate: (element: Value) => boolean

  constructor(arena: Arena, set: Value, predicate: (element: Value) => boolean) {
    super(arena)
    this.set = set
    this.predicate = predicate
  }

  describe(): string {
    return `{x \\in ${printPart(this.set)} : ...}`
  }

  has(value: Value): boolean {
    return this.listed !== undefined ? member(value, this.listed) : member(value, this.set) && this.predicate(value)
  }

  *elements(): Iterable<Canonical> {
    for (const element of elementsInTurn(this.set)) if (this.predicate(element)) yield element
  }

  size(): number | undefined {
    return isInfinite(this.set) ? Number.POSITIVE_INFINITY : this.listed?.elements.length
  }

  isSame(other: Filtered): true | undefined {
    return other === this ? true : undefined
  }
}

/** The elements of several sets, each once. */
function* distinct(sets: Iterable<Value>): Iterable<Canonical> {
  const seen = new Set<Canonical>()
  for (const set of sets) {
    for (const element of elementsInTurn(set)) {
      if (seen.has(element)) continue
      seen.add(element)
      yield element
    }
  }
}

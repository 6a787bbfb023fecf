/**
 * Sets made of sets that are not listed: `Nat \cup {-1}`, `Nat \ {0}`, `UNION SUBSET S`, `{x \in [A
 * -> B] : P(x)}`.
 */
import type { Arena } from './arena.ts'
import { Interval, Listed, partsOf } from './enumerated-sets.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { elementsInTurn, isInfinite, LARGEST_SET, Symbolic, tooLarge } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

/**
 * How deep sets may be nested that are made of others, before they are listed: each level takes
 * some of the stack.
 */
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

  /** Itself; listed if it is nested too deeply, as by recursion that adds set to set. */
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

/** In parentheses where it is made of sides itself. */
function side(set: Value): string {
  return set instanceof Combined ? `(${printPart(set)})` : printPart(set)
}

export class Union extends Combined {
  /**
   * As TLC, which asks first whoever is given element by element: `Seq(Nat) \cup {"none"}` holds
   * `"none"`.
   */
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
   * The elements of one side after another, those of both sides twice: as TLC gives them to a
   * variable, `x' \in S \cup T`, where it does not bring them into their order.
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

/** `UNION` of a set that is not listed. */
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

/**
 * `{x \in set : predicate}` of a set that is not listed: the predicate is asked of those elements
 * only that matter.
 */
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

/** The elements of some sets, one after another, each once. */
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

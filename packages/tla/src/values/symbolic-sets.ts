/**
 * The symbolic sets of expressions: `Nat`, `Int`, `Real`, `STRING`, `Seq(S)`, `SUBSET S`, `[S ->
 * T]`, `[a: S, b: T]`, `S \X T`.
 */
import type { Arena } from './arena.ts'
import { asSet, isListed, isSet, notSet } from './canonical.ts'
import { Interval, partsOf } from './enumerated-sets.ts'
import { equal } from './equality.ts'
import { domainOf } from './functions.ts'
import { member } from './member.ts'
import { printPart } from './print.ts'
import { finiteSize, foreign, infinite, refuseMember, Symbolic, sizeOf } from './symbolic-set.ts'
import type { Canonical, SetValue, Shape, Value } from './value.ts'

// Infinite sets

export function naturals(arena: Arena): Value {
  return new Integers(arena, 0)
}

export function integers(arena: Arena): Value {
  return new Integers(arena, Number.NEGATIVE_INFINITY)
}

export function reals(arena: Arena): Value {
  return new Reals(arena)
}

export function strings(arena: Arena): Value {
  return new Strings(arena)
}

/** `Seq(set)` */
export function sequences(arena: Arena, set: Value): Value {
  requireSet(set)
  return new Sequences(arena, set)
}

abstract class Infinite extends Symbolic {
  // biome-ignore lint/correctness/useYield: it cannot be enumerated
  *elements(): Iterable<Canonical> {
    throw infinite(this)
  }

  size(): number {
    return Number.POSITIVE_INFINITY
  }
}

/** `Nat` and `Int`. */
class Integers extends Infinite {
  /** 0 for `Nat`. */
  readonly low: number

  constructor(arena: Arena, low: number) {
    super(arena)
    this.low = low
  }

  describe(): string {
    return this.low === 0 ? 'Nat' : 'Int'
  }

  override finite(): string {
    return this.low === 0 ? '0..9' : '-9..9'
  }

  has(value: Value): boolean {
    return typeof value === 'number' ? value >= this.low : foreign(value, this)
  }

  isSame(other: Integers): boolean {
    return this.low === other.low
  }
}

/** `Real`: as in TLC, no operation on it is defined. */
class Reals extends Infinite {
  describe(): string {
    return 'Real'
  }

  has(value: Value): boolean {
    throw refuseMember(value, this)
  }

  isSame(): boolean {
    return true
  }
}

/** `STRING`. */
class Strings extends Infinite {
  describe(): string {
    return 'STRING'
  }

  has(value: Value): boolean {
    return (typeof value === 'object' && value.kind === 'string') || foreign(value, this)
  }

  isSame(): boolean {
    return true
  }
}

/** `Seq(S)`: infinite even if `S` is empty, as in TLC. */
class Sequences extends Infinite {
  readonly set: Value

  constructor(arena: Arena, set: Value) {
    super(arena)
    this.set = set
  }

  describe(): string {
    return `Seq(${printPart(this.set)})`
  }

  override finite(): string | undefined {
    return this.#isFinite() ? `UNION {[1..n -> ${printPart(this.set)}] : n \\in 0..3}` : undefined
  }

  #isFinite(): boolean {
    const { set } = this
    return (
      typeof set === 'object' && (set.kind === 'set' || (set.kind === 'symbolic set' && Number.isFinite(set.size())))
    )
  }

  has(value: Value): boolean {
    if (typeof value !== 'object') return foreign(value, this)
    if (value.kind === 'rule function') return this.has(value.toFunction())
    if (value.kind !== 'tuple') return foreign(value, this)
    for (const element of value.elements) if (!member(element, this.set)) return false
    return true
  }

  isSame(other: Sequences): boolean {
    return equal(this.set, other.set)
  }
}

// Cached elements

/** Larger sets are not cached. */
const MOST_KEPT_OF_ONE = 1024
/** Bound on the cached elements in total; beyond, the cache is cleared. */
const MOST_KEPT = 4_000_000

/**
 * Caches the elements of small symbolic sets from one evaluation to the next: a step often
 * enumerates the same set in every state.
 */
class Listings {
  #byFirst = new WeakMap<SetValue, Map<SetValue, readonly Canonical[]>>()
  #count = 0

  /** The elements of a set made of two sets, which may be the same. */
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

// Powersets

/** `SUBSET set` */
export function powerset(arena: Arena, set: Value): Value {
  requireSet(set)
  return new Powerset(arena, set)
}

const subsetListings = new Listings()

/** `SUBSET base`. Its elements are ordered by size, and then by their elements. */
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
    // An error for model values too: TLC enumerates the value.
    throw refuseMember(value, this)
  }

  elements(): Iterable<Canonical> {
    if (this.listed !== undefined) return this.listed.elements
    const base = asSet(this.base)
    return 2 ** base.elements.length > MOST_KEPT_OF_ONE
      ? this.#subsets(base)
      : subsetListings.of(base, base, () => this.#subsets(base))
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

/** `a \subseteq b`. @throws TlaError if `a` is infinite, unless `b` is known to contain it */
export function isSubset(a: Value, b: Value): boolean {
  if (a === b && isSet(a)) return true
  if (a instanceof Powerset && b instanceof Powerset) return isSubset(a.base, b.base)
  if (a instanceof Interval && b instanceof Interval && a.low >= b.low && a.high <= b.high) return true
  if (a instanceof Interval && b instanceof Integers && a.low >= b.low) return true
  if (isListed(a) && isListed(b) && isWithin(a.elements, b.elements)) return true
  for (const element of partsOf(a)) if (!member(element, b)) return false
  return true
}

/** For sorted arrays; false if the elements may be incomparable. */
function isWithin(inner: readonly Canonical[], outer: readonly Canonical[]): boolean {
  let at = 0
  for (let from = 0; from < outer.length && at < inner.length; from++) if (outer[from] === inner[at]) at++
  return at === inner.length
}

// Sets of functions

/** `[domain -> range]` */
export function functionSet(arena: Arena, domain: Value, range: Value): Value {
  requireSet(domain)
  requireSet(range)
  return new FunctionSet(arena, domain, range)
}

const functionListings = new Listings()

/** `[domain -> range]`. */
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
      : functionListings.of(domain, range, () => this.#functions(domain, range))
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

// Sets of records and tuples

/** `[a: S, b: T]`. @param sets in the order of the shape's fields */
export function recordSet(arena: Arena, shape: Shape, sets: readonly Value[]): Value {
  sets.forEach(requireSet)
  return new RecordSet(arena, shape, sets)
}

/** `[a: S, b: T]`. */
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
function productOfSizes(sets: readonly Value[]): number {
  const sizes = sets.map(sizeOf)
  if (sizes.includes(0)) return 0
  if (sizes.includes(Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  return finiteSize(sizes.reduce((product, size) => product * size, 1))
}

/** `S \X T` */
export function product(arena: Arena, sets: readonly Value[]): Value {
  sets.forEach(requireSet)
  return new Product(arena, sets)
}

/** `S \X T \X U`. */
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

/**
 * The Cartesian product of lists, in lexicographic order: sorted if the lists are. Each combination
 * is a new array.
 */
function* combinations(lists: readonly (readonly Canonical[])[]): Iterable<Canonical[]> {
  if (lists.some((list) => list.length === 0)) return
  const places = lists.map(() => 0)
  const current = lists.map((list) => list[0]!)
  for (;;) {
    yield current.slice()
    let at = lists.length - 1
    while (at >= 0 && places[at] === lists[at]!.length - 1) {
      places[at] = 0
      current[at] = lists[at]![0]!
      at--
    }
    if (at < 0) return
    current[at] = lists[at]![++places[at]!]!
  }
}

function requireSet(value: Value): void {
  if (!isSet(value)) throw notSet(value)
}

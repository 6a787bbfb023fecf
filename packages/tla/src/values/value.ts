/**
 * The values of TLA+.
 *
 * Booleans and integers are JavaScript's. Every other value of a state is *interned*: made once by
 * an `Arena`, so that equality is `===`. Forms are canonical: a function over 1..n is a `Tuple`,
 * one over strings a `RecordValue`, and `<<>>` is the only empty function; a set is its elements,
 * sorted and without duplicates.
 *
 * Large or infinite sets (`SUBSET S`, `[S -> T]`, `Nat`, `1..1000000`) and lazy functions stay
 * symbolic until their elements are needed (`canonical`).
 */

/** What a state can hold, and what a set can contain. */
export type Canonical = number | boolean | Interned

export type Value = Canonical | SymbolicSet | RuleFunction

export type Interned = StringValue | ModelValue | SetValue | FunctionValue | Tuple | RecordValue

/**
 * The shape that all interned values share, so that the engine sees few hidden classes. `id` counts
 * from 0 within an arena and is unique in it; `hash` is a function of the value alone, the same in
 * every process.
 */
interface InternedBase {
  readonly id: number
  readonly hash: number
}
export interface StringValue extends InternedBase {
  readonly kind: 'string'
  readonly text: string
}
/**
 * Typed ones (`A_x`) are comparable with those of their type only; untyped ones are unequal to
 * everything else.
 */
export interface ModelValue extends InternedBase {
  readonly kind: 'model value'
  readonly text: string
  /** The letter before `_`; '' if untyped. */
  readonly type: string
}
export interface SetValue extends InternedBase {
  readonly kind: 'set'
  /** In the order of `compare` (order.ts), no two equal. */
  readonly elements: readonly Canonical[]
}
/** Neither a tuple nor a record. */
export interface FunctionValue extends InternedBase {
  readonly kind: 'function'
  readonly domain: SetValue
  /** In the order of the elements of the domain. */
  readonly elements: readonly Canonical[]
}
export interface Tuple extends InternedBase {
  readonly kind: 'tuple'
  readonly elements: readonly Canonical[]
}
export interface RecordValue extends InternedBase {
  readonly kind: 'record'
  readonly shape: Shape
  /** In the order of the fields of the shape. */
  readonly elements: readonly Canonical[]
}
/** The fields of records, interned: records of equal fields have one shape. */
export interface Shape {
  readonly id: number
  /** Sorted as their strings compare. */
  readonly names: readonly string[]
  /** The set of the names. */
  readonly domain: SetValue
  /** See comparable.ts; -1 if not computed yet. */
  sort: number
}

/** A set whose elements are not listed. */
export interface SymbolicSet {
  readonly kind: 'symbolic set'
  /** For messages: `Nat`, `SUBSET {1, 2}`, cut if long. */
  describe(): string
  /** @throws TlaError where TLC does, as for a value of another type */
  has(value: Value): boolean
  /** @throws TlaError if infinite, which says so */
  elements(): Iterable<Canonical>
  /** `Infinity` if infinite; undefined if only going through it tells. */
  size(): number | undefined
  toSet(): SetValue
}

/** A function given by a rule: of a large or infinite domain, or recursive. */
export interface RuleFunction {
  readonly kind: 'rule function'
  describe(): string
  readonly domain: Value
  /** @throws TlaError if the argument is not in the domain */
  apply(argument: Value): Value
  /** As `apply`, to the string. */
  field(name: string): Value
  toFunction(): FunctionValue | Tuple | RecordValue
}

/** What an operator parameter is to a native operator. */
export type Operator = (...values: Value[]) => Value

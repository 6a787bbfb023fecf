/**
 * The values of TLA+.
 *
 * Booleans and integers are JavaScript's. Every other value of a state is *interned*: made once by
 * an `Arena`, so that equality is `===`. Forms are canonical: a function over 1..n is a `Tuple`,
 * one over strings a `RecordValue`, and `<<>>` is the only empty function; a set is its elements,
 * sorted and without duplicates.
 *
 * Large or infinite sets (`SUBSET S`, `[S -> T]`, `Nat`, `1..1000000`) and lazy functions stay
 * symbolic until they are converted by `canonical`.
 */

/** The values that a state can hold and an interned set can contain. */
export type Canonical = number | boolean | Interned

export type Value = Canonical | SymbolicSet | RuleFunction

export type Interned = StringValue | ModelValue | SetValue | FunctionValue | Tuple | RecordValue

/**
 * Common to all interned values. `id` is unique within an arena, from 0; `hash` is a function of
 * the value alone, the same in every process.
 */
interface InternedBase {
  readonly id: number
  readonly hash: number
}
export interface StringValue extends InternedBase {
  readonly kind: 'string'
  readonly text: string
}
/** Typed ones (`A_x`) compare with their type only; untyped ones are unequal to all other values. */
export interface ModelValue extends InternedBase {
  readonly kind: 'model value'
  readonly text: string
  /** The letter before `_`; '' if untyped. */
  readonly type: string
}
export interface SetValue extends InternedBase {
  readonly kind: 'set'
  /** Sorted by `compare` (order.ts), without duplicates. */
  readonly elements: readonly Canonical[]
}
/** Neither a tuple nor a record. */
export interface FunctionValue extends InternedBase {
  readonly kind: 'function'
  readonly domain: SetValue
  /** In the order of the domain. */
  readonly elements: readonly Canonical[]
}
export interface Tuple extends InternedBase {
  readonly kind: 'tuple'
  readonly elements: readonly Canonical[]
}
export interface RecordValue extends InternedBase {
  readonly kind: 'record'
  readonly shape: Shape
  /** In the order of the shape's fields. */
  readonly elements: readonly Canonical[]
}
/** The fields of a record, interned: records with equal fields share their shape. */
export interface Shape {
  readonly id: number
  /** In the order of their string values. */
  readonly names: readonly string[]
  /** The set of the names. */
  readonly domain: SetValue
  /** See comparable.ts; -1 if not computed yet. */
  sort: number
}

/** A set whose elements are computed on demand. */
export interface SymbolicSet {
  readonly kind: 'symbolic set'
  /** For messages: `Nat`, `SUBSET {1, 2}`, cut if long. */
  describe(): string
  /** @throws TlaError as TLC does, for a value of another kind */
  has(value: Value): boolean
  /** @throws TlaError if the set is infinite */
  elements(): Iterable<Canonical>
  /** `Infinity` if infinite; undefined if it is not known without enumeration. */
  size(): number | undefined
  toSet(): SetValue
}

/** A lazy function given by a rule: over a large or infinite domain, or recursive. */
export interface RuleFunction {
  readonly kind: 'rule function'
  describe(): string
  readonly domain: Value
  /** @throws TlaError if the argument is not in the domain */
  apply(argument: Value): Value
  /** `apply` to a string. */
  field(name: string): Value
  toFunction(): FunctionValue | Tuple | RecordValue
}

/** An operator argument of a native operator. */
export type Operator = (...values: Value[]) => Value

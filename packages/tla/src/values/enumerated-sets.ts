/**
 * Symbolic sets given by their elements: long intervals, sets that contain infinite sets, and sets
 * with incomparable elements.
 */
import { isPassing } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Arena } from './arena.ts'
import { canonical } from './canonical.ts'
import { equal } from './equality.ts'
import { printPart } from './print.ts'
import { refusal } from './refuse.ts'
import { elementsInTurn, foreign, infinite, isInfinite, Symbolic } from './symbolic-set.ts'
import type { Canonical, Value } from './value.ts'

/** `low..high` */
export function interval(arena: Arena, low: number, high: number): Value {
  return high - low < MOST_LISTED ? arena.interval(low, high) : new Interval(arena, low, high)
}

const MOST_LISTED = 256

/** `low..high` with too many elements to list. */
export class Interval extends Symbolic {
  readonly low: number
  /** Not below `low`. */
  readonly high: number

  constructor(arena: Arena, low: number, high: number) {
    super(arena)
    this.low = low
    this.high = high
  }

  describe(): string {
    return `${this.low}..${this.high}`
  }

  has(value: Value): boolean {
    return typeof value === 'number' ? value >= this.low && value <= this.high : foreign(value, this)
  }

  *elements(): Iterable<Canonical> {
    for (let element = this.low; element <= this.high; element++) yield element
  }

  size(): number {
    return this.high - this.low + 1
  }

  isSame(other: Interval): boolean {
    return this.low === other.low && this.high === other.high
  }
}

/** A set whose elements are given explicitly, some of them infinite sets: `{Nat, {-1}}`. */
export class Listed extends Symbolic {
  /** May contain duplicates. */
  readonly values: readonly Value[]

  constructor(arena: Arena, values: readonly Value[]) {
    super(arena)
    this.values = values
  }

  /** Whether a value is too large to be an element of an interned set. */
  static isNeeded(value: Value): boolean {
    if (typeof value !== 'object' || value.kind !== 'symbolic set') return false
    return value instanceof Listed || (value.size() ?? 0) > Listed.LARGE
  }

  private static readonly LARGE = 4096

  describe(): string {
    return `{${this.values.map((value) => printPart(value)).join(', ')}}`
  }

  has(value: Value): boolean {
    return this.values.some((element) => equal(element, value))
  }

  *elements(): Iterable<Canonical> {
    for (const value of this.values) if (isInfinite(value)) throw infinite(value as Symbolic)
    yield* this.arena.set(this.values.map(canonical)).elements
  }

  size(): number {
    let size = 0
    for (const [at, value] of this.values.entries()) {
      if (!this.values.slice(0, at).some((other) => equal(other, value))) size++
    }
    return size
  }

  isSame(other: Listed): boolean {
    return this.values.every((value) => other.has(value)) && other.values.every((value) => this.has(value))
  }
}

/**
 * Iterates over a set; the elements of `{Nat, {-1}}` stay symbolic.
 * @throws TlaError if the set is infinite
 */
export function partsOf(set: Value): Iterable<Value> {
  return set instanceof Listed ? set.values : elementsInTurn(set)
}

/** Bound on the elements in a message. */
const MOST_NAMED = 8

/**
 * An enumeration of incomparable elements, `{1, "a"}`.
 *
 * As in TLC, membership is true if the value equals an element before the first incomparable one:
 * `1` is an element, and testing `"a"` is an error. So is every other operation, since the elements
 * have no order.
 */
export class Mixed extends Symbolic {
  /** In source order. */
  readonly values: readonly Value[]
  /** Why they are not comparable. */
  readonly #reason: string

  readonly #at: Span | undefined

  /** @param at location for errors */
  constructor(arena: Arena, values: readonly Value[], reason: string, at?: Span) {
    super(arena)
    this.values = values
    this.#reason = reason
    this.#at = at
  }

  describe(): string {
    const told = this.values.slice(0, MOST_NAMED).map(printPart)
    return `{${told.join(', ')}${this.values.length > MOST_NAMED ? ', …' : ''}}`
  }

  has(value: Value): boolean {
    try {
      for (const element of this.values) if (equal(element, value)) return true
      return false
    } catch (error) {
      if (isPassing(error)) error.at ??= this.#at
      throw error
    }
  }

  elements(): never {
    const error = refusal(`${this.#reason}: ${this.describe()} cannot be listed`)
    error.at = this.#at
    throw error
  }

  size(): undefined {
    return undefined
  }

  isSame(): undefined {
    return undefined
  }
}

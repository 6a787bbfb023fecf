/**
 * Functions given by a rule: evaluated eagerly if that is cheap and succeeds, and otherwise on
 * demand (over `Nat`, recursive ones, and those that are undefined for some arguments).
 *
 * Invariant: the rule is a function of its argument for the life of the value, so results are
 * cached.
 */
import { isPassing } from '../error/error.ts'
import type { Arena } from './arena.ts'
import { asSet, canonical, isCanonical } from './canonical.ts'
import { equal } from './equality.ts'
import { apply, Lazy, placeOf } from './functions.ts'
import { member } from './member.ts'
import { printCut } from './print.ts'
import { named, refusal } from './refuse.ts'
import { sizeOf } from './symbolic-set.ts'
import type { Canonical, RuleFunction, Shape, Value } from './value.ts'

/** Domains up to this size are evaluated eagerly. */
const MOST_EAGER = 100_000
/** Bound on the cached elements; beyond, the cache is cleared. */
const MOST_KEPT = 100_000

/** A function whose elements are evaluated on demand. */
export function ruleFunction(arena: Arena, domain: Value, rule: (argument: Value) => Value): RuleFunction {
  return new Rule(arena, domain, rule)
}

/**
 * `[x \in domain |-> rule]`: evaluated eagerly if the domain is finite and small. If that fails, on
 * demand, as TLC evaluates only the elements that are used.
 */
export function functionOf(arena: Arena, domain: Value, rule: (argument: Value) => Value): Value {
  if (sizeOf(domain) > MOST_EAGER) return new Rule(arena, domain, rule)
  const keys = asSet(domain)
  const elements: Canonical[] = new Array(keys.elements.length)
  try {
    for (let at = 0; at < elements.length; at++) {
      const element = rule(keys.elements[at]!)
      elements[at] = isCanonical(element) ? element : canonical(element)
    }
  } catch (error) {
    if (!isPassing(error) || error.kind !== 'evaluation') throw error
    return new Rule(arena, domain, rule)
  }
  return arena.function(keys, elements)
}

/** `<<a, b>>`, whose elements may be infinite sets. */
export function tupleOf(arena: Arena, values: readonly Value[]): Value {
  if (values.every(isCanonical)) return arena.tuple(values as readonly Canonical[])
  return functionOf(arena, arena.interval(1, values.length), (at) => values[(at as number) - 1]!)
}

/** `[a |-> 1, b |-> Nat]`, as `tupleOf`. @param values in the order of the shape's fields */
export function recordOf(arena: Arena, shape: Shape, values: readonly Value[]): Value {
  if (values.every(isCanonical)) return arena.record(shape, values as readonly Canonical[])
  return functionOf(arena, shape.domain, (name) => values[shape.domain.elements.indexOf(name as Canonical)]!)
}

/** `[function EXCEPT ![key] = value]`; as in TLC, a key outside the domain changes nothing. */
export function updated(arena: Arena, value: Canonical, key: Value, element: Value): Canonical
export function updated(arena: Arena, value: Value, key: Value, element: Value): Value
export function updated(arena: Arena, value: Value, key: Value, element: Value): Value {
  if (typeof value === 'object') {
    switch (value.kind) {
      case 'tuple':
      case 'record':
      case 'function': {
        const place = placeOf(value, key)
        if (place < 0) return value
        return arena.withElement(value, place, canonical(element))
      }
      case 'rule function':
        return new Overridden(arena, value, canonical(key), element)
    }
  }
  throw refusal(`attempted to apply EXCEPT to ${named(value)}, which is not a function`)
}

class Rule extends Lazy {
  readonly #rule: (argument: Value) => Value
  #kept: Map<Canonical, Value> | undefined = undefined

  constructor(arena: Arena, domain: Value, rule: (argument: Value) => Value) {
    super(arena, domain)
    this.#rule = rule
  }

  apply(argument: Value): Value {
    const key = canonical(argument)
    const known = this.#kept?.get(key)
    if (known !== undefined) return known
    if (!member(key, this.domain)) {
      throw refusal(
        `attempted to apply the function ${this.describe()} to ${printCut(key)}, which is not in its domain`,
      )
    }
    const element = this.#rule(key)
    this.#kept ??= new Map()
    if (this.#kept.size === MOST_KEPT) this.#kept.clear()
    this.#kept.set(key, element)
    return element
  }
}

/** `[function EXCEPT ![key] = element]` of a lazy function. */
class Overridden extends Lazy {
  readonly #of: RuleFunction
  readonly #key: Canonical
  readonly #element: Value

  constructor(arena: Arena, of: RuleFunction, key: Canonical, element: Value) {
    super(arena, of.domain)
    this.#of = of
    this.#key = key
    this.#element = element
  }

  apply(argument: Value): Value {
    return equal(argument, this.#key) && member(argument, this.domain) ? this.#element : apply(this.#of, argument)
  }
}

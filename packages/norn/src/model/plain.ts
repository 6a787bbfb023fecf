/**
 * Plain data, the values that JSON preserves: `null`, booleans, finite numbers, strings, arrays, and
 * objects without a class; also `undefined`, which counts as absent. Model states and all output of
 * nodes must be plain data.
 */

/** The deepest nesting. */
export const MAX_DEPTH = 200

/** Thrown by traversals; `whyNotPlain` then finds the path for the message. */
export const NOT_PLAIN = new Error('not plain data')

/** Whether a value that is not an object is plain. */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean' || value === undefined || value === null
}

/** Whether an object has a class; plain objects of other realms have none. */
export function hasClass(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null
}

const OWN = { enumerable: true, configurable: true, writable: true }

/** Sets a property, also `__proto__`, whose assignment would set the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, ...OWN })
}

/** The path and kind of the first part that is not plain; undefined if all parts are. */
export function whyNotPlain(value: unknown, path = '', depth = 0): string | undefined {
  const place = path === '' ? 'it' : path.replace(/^\./, '')
  if (typeof value !== 'object' || value === null) {
    if (isPlain(value)) return undefined
    return `${place} is ${typeof value === 'number' ? value : `a ${typeof value}`}`
  }
  if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}, or holds itself`
  if (!Array.isArray(value) && hasClass(value)) return `${place} is ${classOf(value)}`
  for (const [key, item] of Object.entries(value)) {
    const found = whyNotPlain(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function classOf(value: object): string {
  const { name } = (value.constructor as { readonly name?: unknown } | undefined) ?? {}
  if (typeof name !== 'string') return 'of a class'
  if (name === 'Set') return 'a Set; write a sorted array, or an object whose keys are the elements'
  if (name === 'Map') return 'a Map; write an object'
  return `a ${name}`
}

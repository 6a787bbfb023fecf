/**
 * Copies of plain data: what one node sends, another gets as a copy, as over a real network; so no node can change what
 * another holds.
 *
 * Plain is what JSON keeps: `null`, booleans, finite numbers, strings, arrays, and objects without a class of their own; and
 * `undefined`, which counts as not being there.
 */

/** Nothing that is sent is nested deeper. */
const MAX_DEPTH = 200

/**
 * A deep copy of plain data.
 *
 * @param what what it is, for the error; asked only then
 * @throws TypeError that names the place of what is no plain data
 */
export function copyData(value: unknown, what: () => string): unknown {
  try {
    return copied(value, 0)
  } catch (error) {
    if (error !== NOT_PLAIN) throw error
    throw new TypeError(
      `${what()} is no plain data: ${complaint(value, '', 0) ?? 'it is not what it was a moment ago'}`,
    )
  }
}

/** Where it stands is looked for only once there is something to tell. */
const NOT_PLAIN = new Error('not plain data')

function copied(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    if (isPlain(value)) return value
    throw NOT_PLAIN
  }
  if (depth > MAX_DEPTH) throw NOT_PLAIN
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let at = 0; at < value.length; at++) items.push(copied(value[at], depth + 1))
    return items
  }
  if (hasClass(value)) throw NOT_PLAIN
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = copied((value as Record<string, unknown>)[key], depth + 1)
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, ...OWN })
    else copy[key] = item
  }
  return copy
}

/** As of a property that is assigned; one of this name cannot be. */
const OWN = { enumerable: true, configurable: true, writable: true }

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean' || value === undefined || value === null
}

/** Whether an object has a class; the classes of plain objects may be those of another realm. */
function hasClass(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null
}

/** What is wrong with a value, and where in it; undefined if nothing is. */
function complaint(value: unknown, path: string, depth: number): string | undefined {
  const place = path === '' ? 'it' : path.replace(/^\./, '')
  if (typeof value !== 'object' || value === null) {
    return isPlain(value) ? undefined : `${place} is ${typeof value === 'number' ? value : `a ${typeof value}`}`
  }
  if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}, or holds itself`
  if (!Array.isArray(value) && hasClass(value)) {
    const { name } = (value.constructor as { readonly name?: unknown } | undefined) ?? {}
    return `${place} is ${typeof name === 'string' ? `a ${name}` : 'of a class'}`
  }
  for (const [key, item] of Object.entries(value)) {
    const found = complaint(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Equality by value of states, inputs and outputs. */

const identities = new WeakMap<object, number>()
let identified = 0

/**
 * The same text for equal values only. Arrays, plain objects, maps, sets, dates and typed arrays are
 * equal if their contents are; everything else that is an object is equal to itself only. A property that is
 * undefined counts as absent.
 */
export function canonical(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return value === 0 ? '0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : structure(value)
    default:
      return identity(value as object)
  }
}

/**
 * Whether two values are equal: the same, or structures of equal values.
 *
 * @public
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && canonical(a) === canonical(b)
}

function structure(value: object): string {
  // The most frequent, and the others are told by slower tests.
  if (isPlain(value)) return plainObject(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value instanceof Map) {
    return `Map{${[...value]
      .map(([key, item]) => `${canonical(key)}:${canonical(item)}`)
      .sort()
      .join(',')}}`
  }
  if (value instanceof Set) return `Set{${[...value].map(canonical).sort().join(',')}}`
  if (value instanceof Date) return `Date(${value.getTime()})`
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return `${value.constructor.name}[${Array.from(value as unknown as Iterable<unknown>, canonical).join(',')}]`
  }
  return identity(value)
}

function plainObject(value: object): string {
  let text = ''
  for (const name of sortedKeys(value)) {
    const item = (value as Record<string, unknown>)[name]
    if (item !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${canonical(item)}`
  }
  return `{${text}}`
}

export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The class of an object that is equal to itself only, or `function`; undefined for other values. */
export function classWithoutValue(value: unknown): string | undefined {
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return undefined
  const hasValue = value instanceof Map || value instanceof Set || value instanceof Date || ArrayBuffer.isView(value)
  return hasValue && !(value instanceof DataView) ? undefined : (value.constructor?.name ?? 'object')
}

const quotedNames = new Map<string, string>()
const MAX_QUOTED_NAMES = 1000

/** Names of properties are few, as a rule. */
function quoted(name: string): string {
  let text = quotedNames.get(name)
  if (text === undefined) {
    text = JSON.stringify(name)
    if (quotedNames.size < MAX_QUOTED_NAMES) quotedNames.set(name, text)
  }
  return text
}

/** Few, as a rule: then sorting by insertion is several times as fast as the built-in. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  if (keys.length > 8) return keys.sort()
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!
    let to = at
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!
    keys[to] = key
  }
  return keys
}

function identity(value: object): string {
  let number = identities.get(value)
  if (number === undefined) {
    number = identified++
    identities.set(value, number)
  }
  return `#${number}`
}

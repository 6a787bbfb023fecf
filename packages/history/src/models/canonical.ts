/** Equality by value of states, inputs and outputs. */

const identities = new WeakMap<object, number>()
let identified = 0

/**
 * The same text for equal values only. Arrays, plain objects, maps, sets and dates are equal if their
 * contents are; everything else that is an object is equal to itself only. A property that is
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

/** Whether two values are equal in the sense of {@link canonical}. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && canonical(a) === canonical(b)
}

function structure(value: object): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value instanceof Map) {
    return `Map{${[...value]
      .map(([key, item]) => `${canonical(key)}:${canonical(item)}`)
      .sort()
      .join(',')}}`
  }
  if (value instanceof Set) return `Set{${[...value].map(canonical).sort().join(',')}}`
  if (value instanceof Date) return `Date(${value.getTime()})`
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return identity(value)
  let text = ''
  for (const name of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[name]
    if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(item)}`
  }
  return `{${text}}`
}

function identity(value: object): string {
  let number = identities.get(value)
  if (number === undefined) {
    number = identified++
    identities.set(value, number)
  }
  return `#${number}`
}

/**
 * Stands in for the exports of a module whose mock has no factory, as vitest makes them (jest's own code does it for
 * jest): functions return nothing, instances of classes have such methods, lists are empty, and other values stay, as
 * does an object whose class names itself (a date, a map, an error, a URL, a buffer).
 */

/** Makes a mock function; with an original, one that calls it. */
export type MockFunction = (original?: Function) => object

/** @param isSpying whether functions call the original */
export function automocked(exports: object, mock: MockFunction, isSpying: boolean): object {
  const known = new Map<unknown, unknown>()
  const properties = (from: object, to: object, isInherited = false) => {
    for (const name of Reflect.ownKeys(from)) {
      if (isInherited && Object.hasOwn(to, name)) continue
      const { value, get, writable } = Object.getOwnPropertyDescriptor(from, name)!
      const isOfFunction = typeof from === 'function' && ['prototype', 'length', 'name'].includes(String(name))
      if (isOfFunction || name === 'constructor' || (get !== undefined && !isNamespace(from))) continue
      const made = standIn(get === undefined ? value : (from as Record<PropertyKey, unknown>)[name])
      Object.defineProperty(to, name, { value: made, writable: writable ?? true, enumerable: true, configurable: true })
    }
  }
  /** With those that it inherits. */
  const allProperties = (from: object, to: object) => {
    for (let each = from; each && each !== Object.prototype; each = Object.getPrototypeOf(each))
      properties(each, to, each !== from)
  }
  const standIn = (value: unknown): unknown => {
    if (known.has(value)) return known.get(value)
    if (typeof value === 'function') {
      const made = mock(isSpying ? value : undefined) as { prototype?: object }
      known.set(value, made)
      properties(value, made)
      if (value.prototype && made.prototype) allProperties(value.prototype, made.prototype)
      return made
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return isSpying ? value.map(standIn) : []
    const tag = Object.prototype.toString.call(value).slice(8, -1)
    if (tag !== 'Object' && !isNamespace(value)) return value
    const made = Object.create(Object.getPrototypeOf(value) === null ? null : Object.prototype) as object
    known.set(value, made)
    allProperties(value, made)
    return made
  }
  // In CommonJS a module may be a function, or an instance.
  if (!isNamespace(exports)) return standIn(exports) as object
  const made = {}
  properties(exports, made)
  return made
}

/** Whether an object is the namespace of a module, or of a mock of one. */
export function isNamespace(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value === 'Module'
}

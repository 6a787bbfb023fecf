/**
 * Finds the properties of shared objects that a body changed. Compares some three thousand
 * properties, so it runs only when explaining. An accessor that was replaced shows as another
 * function.
 */
import { requireInternal } from '../../loader/internals.ts'
import { BUILTINS, DISPATCHERS, languageObjects } from './shared-objects.ts'

type AnyObject = Record<PropertyKey, unknown>
type Properties = ReadonlyMap<PropertyKey, unknown>

export type ObjectValues = readonly (readonly [name: string, object: AnyObject, properties: Properties])[]

/**
 * Bookkeeping of the process, properties that are reported as other kinds of leaks, and what a
 * first `fetch` sets.
 */
const PASSED_OVER = new Set<PropertyKey>([
  ...['_events', '_eventsCount', 'exitCode', 'env', 'title', '_exiting'],
  ...DISPATCHERS,
])

export function objectValues(): ObjectValues {
  const named: [string, object][] = [
    ['globalThis', globalThis],
    ['process', process],
    ...BUILTINS.map((name): [string, object] => [name, requireInternal<AnyObject>(`node:${name}`)]),
    ...languageObjects().map((object): [string, object] => [nameOf(object as AnyObject), object]),
  ]
  return named.map(([name, object]) => [name, object as AnyObject, propertiesOf(object as AnyObject)])
}

/** The names of changed properties, such as `globalThis.x`. */
export function objectChanges(before: ObjectValues): string[] {
  return before.flatMap(([name, object, properties]) => {
    const now = propertiesOf(object)
    const keys = new Set([...properties.keys(), ...now.keys()])
    return [...keys].filter((key) => !Object.is(properties.get(key), now.get(key))).map((key) => shown(name, key))
  })
}

function propertiesOf(object: AnyObject): Properties {
  const properties = new Map<PropertyKey, unknown>()
  for (const key of Reflect.ownKeys(object)) {
    if (PASSED_OVER.has(key)) continue
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!
    properties.set(key, get ?? value ?? null)
  }
  return properties
}

function nameOf(object: AnyObject): string {
  // Function.prototype is a function too, and has no name.
  if (typeof object === 'function') return (object as Function).name || 'Function.prototype'
  const { constructor: made } = object as { constructor?: Function }
  if (typeof made === 'function' && made.prototype === object) return `${made.name}.prototype`
  return String(object[Symbol.toStringTag] ?? 'console')
}

function shown(object: string, key: PropertyKey): string {
  return typeof key === 'symbol' ? `${object}[${String(key)}]` : `${object}.${String(key)}`
}

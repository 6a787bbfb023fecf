/**
 * Puts the process back to how it was before an execution: environment, listeners, globals, and the functions that
 * packages like graceful-fs replace on builtin modules.
 *
 * Invariant: what one execution did to the objects listed here, the next does not see. Prototypes of builtins are not
 * among them yet.
 */
import { requireInternal } from './internals.ts'

const BUILTINS = ['fs', 'fs/promises', 'timers', 'timers/promises', 'events', 'util', 'path', 'stream', 'crypto', 'os']

/** Properties of `process` that are restored in their own way or must be left alone. */
const PROCESS_SKIPPED = new Set(['env', '_events', '_eventsCount', 'stdin', 'stdout', 'stderr', 'exitCode', 'domain'])

type Holder = Record<PropertyKey, unknown>

/** Takes the state now; the function it gives back restores it. */
export function snapshotProcess(): () => void {
  const environment = { ...process.env }
  const emitter = process as unknown as { _events: Holder; _eventsCount: number; _exiting: boolean }
  const listeners = new Map(Object.entries(emitter._events).map(([event, list]) => [event, copyList(list)]))
  const objects = BUILTINS.map((name) => describe(requireInternal<Holder>(`node:${name}`)))
  objects.push(describe(globalThis as unknown as Holder), describe(process as unknown as Holder, PROCESS_SKIPPED))

  return () => {
    restoreEnvironment(environment)
    restoreListeners(emitter, listeners)
    for (const object of objects) restoreProperties(object)
    process.exitCode = undefined
    emitter._exiting = false
  }
}

function copyList(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : list
}

/** The properties of an object as they were, in the two forms that a quick comparison and a restoration need. */
interface Description {
  readonly object: Holder
  readonly skipped: ReadonlySet<string>
  readonly descriptors: ReadonlyMap<PropertyKey, PropertyDescriptor>
  /** Keys and values of the data properties, side by side. */
  readonly keys: readonly PropertyKey[]
  readonly values: readonly unknown[]
  readonly count: number
}

function describe(object: Holder, skipped: ReadonlySet<string> = new Set()): Description {
  const own = Reflect.ownKeys(object)
  const described = own.filter((key) => typeof key !== 'string' || !skipped.has(key))
  const descriptors = new Map(described.map((key) => [key, Object.getOwnPropertyDescriptor(object, key)!]))
  const keys = described.filter((key) => 'value' in descriptors.get(key)!)
  return { object, skipped, descriptors, keys, values: keys.map((key) => object[key]), count: own.length }
}

/** Whether no data property was replaced, and none added or removed. */
function unchanged({ object, keys, values, count }: Description): boolean {
  for (let i = 0; i < keys.length; i++) if (object[keys[i]!] !== values[i]) return false
  return Reflect.ownKeys(object).length === count
}

function restoreProperties(description: Description): void {
  if (unchanged(description)) return
  const { object, descriptors, skipped } = description
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'string' && skipped.has(key)) continue
    const before = descriptors.get(key)
    const now = Object.getOwnPropertyDescriptor(object, key)!
    if (before === undefined) {
      if (now.configurable) delete object[key]
    } else if (now.value !== before.value || now.get !== before.get || now.set !== before.set) {
      if (now.configurable) Object.defineProperty(object, key, before)
      else if (now.writable) object[key] = before.value
    }
  }
  for (const [key, before] of descriptors) {
    if (!Object.hasOwn(object, key)) Object.defineProperty(object, key, before)
  }
}

function restoreEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  for (const [name, value] of Object.entries(environment)) if (process.env[name] !== value) process.env[name] = value
}

/** Removes listeners through the emitter, so that Node lets go of the signals they listened to. */
function restoreListeners(emitter: { _events: Holder }, listeners: Map<string, unknown>): void {
  for (const event of Object.keys(emitter._events)) {
    const before = listeners.get(event)
    const now = emitter._events[event]
    if (same(before, now)) continue
    process.removeAllListeners(event)
    const list = before === undefined ? [] : Array.isArray(before) ? before : [before]
    for (const listener of list) process.on(event, listener as () => void)
  }
  for (const [event, before] of listeners) {
    if (emitter._events[event] !== undefined) continue
    for (const listener of Array.isArray(before) ? before : [before]) process.on(event, listener as () => void)
  }
}

function same(before: unknown, now: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(now)) {
    return before.length === now.length && before.every((listener, index) => listener === now[index])
  }
  return before === now
}

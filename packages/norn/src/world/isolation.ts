/**
 * Puts the process back to how it was before an execution: environment, listeners, globals, the
 * functions that packages like graceful-fs replace on builtin modules, and what polyfills add to
 * the language's own constructors and prototypes.
 *
 * What lies in a few places (environment, listeners, exit code) is put back after every execution.
 * Looking through the some three thousand properties of the objects listed here costs more than a
 * small execution, so whoever runs executions decides how often that is done: see
 * `property/cleanliness.ts`.
 */
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import process from 'node:process'
import { Duplex, Readable, Transform, Writable } from 'node:stream'
import { requireInternal } from '../loader/internals.ts'

export const BUILTINS: readonly string[] = [
  ...[
    'fs',
    'fs/promises',
    'timers',
    'timers/promises',
    'events',
    'util',
    'path',
    'stream',
    'stream/promises',
    'crypto',
  ],
  ...['os', 'zlib', 'dns', 'net', 'http', 'https', 'child_process', 'url', 'assert', 'buffer', 'async_hooks', 'vm'],
]

/** The constructors with their prototypes, and the namespaces, that programs patch and polyfill. */
export function languageObjects(): object[] {
  const constructors = [
    ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, RegExp, Date, Error, Promise],
    ...[Map, Set, WeakMap, WeakSet, ArrayBuffer, Uint8Array, Object.getPrototypeOf(Uint8Array), Buffer],
    ...[EventEmitter, EventTarget, Event, AbortSignal, AbortController, URL, URLSearchParams],
    ...[Readable, Writable, Duplex, Transform],
  ]
  const prototypes = constructors.map(({ prototype }) => prototype as object)
  return [...constructors, ...prototypes, Math, JSON, Reflect, Atomics, Intl, console]
}

/** What is known of an object that outlives the executions and is put back after each. */
export interface Outliving {
  /**
   * Whether a property was defined on it explicitly since then: of one that is not enumerable,
   * counting would not tell.
   */
  defined: boolean
}

let outliving: Map<object, Outliving> | undefined

export function outlivingObjects(): Map<object, Outliving> {
  const builtins = BUILTINS.map((name) => requireInternal<object>(`node:${name}`))
  const objects = [...languageObjects(), ...builtins, globalThis, process]
  outliving ??= new Map(objects.map((object) => [object, { defined: false }]))
  return outliving
}

/** Those without which nothing goes on, and an execution that comes after would hang or die. */
function essentialObjects(): object[] {
  return [Object, Reflect, JSON, Promise, Promise.prototype, Array.prototype, Function.prototype, Map.prototype]
}

/** Properties of `process` that are restored in their own way or must be left alone. */
const PROCESS_SKIPPED = new Set(['env', '_events', '_eventsCount', 'stdin', 'stdout', 'stderr', 'exitCode', 'domain'])

type Holder = Record<PropertyKey, unknown>

/**
 * Where packages keep state of their own under a symbol: the queue of graceful-fs, dispatchers,
 * loggers.
 */
const WITH_SYMBOLS = new Set<object>([fs, process, globalThis])

// What puts the language back must not need what a program may have broken: no methods, no
// iterators.
const { is, hasOwn, keys: namesOf, getOwnPropertyDescriptor, getOwnPropertySymbols, defineProperty } = Object
const { ownKeys } = Reflect

/** The process as it was when the snapshot was taken. */
export interface ProcessSnapshot {
  /** Puts back what lies in a few places. */
  restore(): void
  /**
   * Puts back the properties of objects, the language's own first; whether any had been changed.
   */
  restoreObjects(): boolean
  /**
   * Whether what every program needs, norn too, is no longer what it was: a quick look at a few
   * objects.
   */
  lacksEssentials(): boolean
}

/** @param changing told of an environment variable that is about to change */
export function snapshotProcess(changing: (name: string, before: string | undefined) => void): ProcessSnapshot {
  const environment = watchEnvironment(changing)
  const emitter = process as unknown as { _events: Holder; _eventsCount: number; _exiting: boolean }
  const listeners = new Map(Object.entries(emitter._events).map(([event, list]) => [event, copyList(list)]))
  const objects = [
    ...languageObjects().map((object) => describe(object as Holder)),
    ...BUILTINS.map((name) => describe(requireInternal<Holder>(`node:${name}`))),
    describe(globalThis as unknown as Holder),
    describe(process as unknown as Holder, PROCESS_SKIPPED),
  ]
  const sameEssentials = comparison(essentialObjects() as Holder[])
  const lists = [process.argv, process.execArgv].map((list) => [list, [...list]] as const)
  const { defaultMaxListeners, captureRejections } = EventEmitter

  return {
    restore() {
      environment.restore()
      restoreListeners(emitter, listeners)
      for (const [list, before] of lists) if (!same(before, list)) list.splice(0, list.length, ...before)
      if (EventEmitter.defaultMaxListeners !== defaultMaxListeners)
        EventEmitter.defaultMaxListeners = defaultMaxListeners
      if (EventEmitter.captureRejections !== captureRejections) EventEmitter.captureRejections = captureRejections
      process.exitCode = undefined
      emitter._exiting = false
    },
    lacksEssentials: () => !sameEssentials(),
    restoreObjects() {
      let changed = false
      for (let i = 0; i < objects.length; i++) if (restoreProperties(objects[i]!)) changed = true
      return changed
    },
  }
}

function copyList(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : list
}

/** The properties of an object as they were. */
interface Description {
  readonly object: Holder
  /** The keys that are looked after, and what they held. */
  readonly keys: readonly PropertyKey[]
  readonly descriptors: Readonly<Record<PropertyKey, PropertyDescriptor>>
  /** Keys that are restored in another way, or not at all. */
  readonly skipped: Readonly<Record<string, true>>
  /** Whether every data property still has its value. */
  readonly sameValues: () => boolean
  /** Keys of accessors that are compared. */
  readonly accessors: readonly PropertyKey[]
  readonly isBare: boolean
  readonly countsSymbols: boolean
  readonly known: Outliving
  /** How many keys it has (see `countKeys`), the ones that cannot be taken away again included. */
  count: number
}

function describe(object: Holder, skippedNames: ReadonlySet<string> = new Set()): Description {
  const skipped: Record<string, true> = Object.create(null)
  for (const name of skippedNames) skipped[name] = true
  const keys = ownKeys(object).filter((key) => !(key in skipped))
  const descriptors: Record<PropertyKey, PropertyDescriptor> = Object.create(null)
  for (const key of keys) descriptors[key] = getOwnPropertyDescriptor(object, key)!
  // Comparing an accessor means to describe it, which is slow: only globals are known to be
  // replaced like that.
  const isGlobal = object === (globalThis as unknown as Holder)
  const accessors = isGlobal ? keys.filter((key) => descriptors[key]!.get !== undefined) : []
  const sameValues = comparison([object], keys)
  const countsSymbols = WITH_SYMBOLS.has(object)
  const count = countKeys(object, countsSymbols)
  const known = outlivingObjects().get(object)!
  return {
    object,
    keys,
    descriptors,
    skipped,
    sameValues,
    accessors,
    isBare: isBare(object),
    countsSymbols,
    known,
    count,
  }
}

/**
 * Whether no property was replaced or removed, and none added as far as counting enumerable keys
 * tells.
 */
function unchanged(description: Description): boolean {
  const { object, accessors, descriptors, sameValues, countsSymbols, count } = description
  for (let i = 0; i < accessors.length; i++) {
    if (getOwnPropertyDescriptor(object, accessors[i]!)?.get !== descriptors[accessors[i]!]!.get) return false
  }
  return (description.isBare ? isBare(object) : countKeys(object, countsSymbols) === count) && sameValues()
}

/**
 * Whether an object has no enumerable property, inherited ones included: so it is with the
 * language's constructors and prototypes, and V8 tells it in nanoseconds where counting takes half
 * a microsecond.
 */
function isBare(object: Holder): boolean {
  for (const _ in object) return false
  return true
}

/**
 * Counts enumerable names, and symbols where packages hang them: what assignment adds. What is
 * defined explicitly is noted when that is done (own/globals.ts); counting names that are not
 * enumerable costs four times as much.
 */
function countKeys(object: Holder, countsSymbols: boolean): number {
  const names = namesOf(object).length
  return countsSymbols ? names + getOwnPropertySymbols(object).length : names
}

/**
 * A function that compares objects' data properties with what they were. It is compiled with the
 * names written out, because each access then has an inline cache of its own: the comparison is
 * made after every execution, and a loop over keys took half of the time of a small one (20 us
 * against 4).
 *
 * @param keys which properties; all unless given
 */
function comparison(objects: readonly Holder[], keys?: readonly PropertyKey[]): () => boolean {
  const names: PropertyKey[] = []
  const values: unknown[] = []
  const tests: string[] = []
  for (const [at, object] of objects.entries()) {
    for (const key of keys ?? ownKeys(object)) {
      const { value } = getOwnPropertyDescriptor(object, key)!
      if (value === undefined || Number.isNaN(value)) continue
      const name = typeof key === 'string' ? JSON.stringify(key) : `keys[${names.length}]`
      tests.push(`object${at}[${name}] === values[${values.length}]`)
      names.push(key)
      values.push(value)
    }
  }
  const parameters = objects.map((_, at) => `object${at}`)
  const text = `return ${tests.join(' && ') || 'true'}`
  const compiled = new Function('keys', 'values', ...parameters, `return () => { ${text} }`)
  return compiled(names, values, ...objects) as () => boolean
}

/** Whether there was something to restore. */
function restoreProperties(description: Description): boolean {
  if (!description.known.defined && unchanged(description)) return false
  description.known.defined = false
  const { object, keys, descriptors, skipped } = description
  const present = ownKeys(object)
  for (let i = 0; i < present.length; i++) {
    const key = present[i]!
    if (key in skipped) continue
    const before = descriptors[key]
    const now = getOwnPropertyDescriptor(object, key)!
    if (before === undefined) {
      if (now.configurable) delete object[key]
    } else if (!is(now.value, before.value) || now.get !== before.get || now.set !== before.set) {
      if (now.configurable) defineProperty(object, key, before)
      else if (now.writable) object[key] = before.value
    }
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (!hasOwn(object, key)) defineProperty(object, key, descriptors[key]!)
  }
  description.count = countKeys(object, description.countsSymbols)
  return true
}

/**
 * Watches the environment for changes, so that nothing is compared where nothing was changed:
 * listing it asks the operating system for every variable.
 */
function watchEnvironment(changing: (name: string, before: string | undefined) => void): { restore(): void } {
  const real = process.env
  const before = { ...real }
  let changed = false
  const touch = (target: NodeJS.ProcessEnv, name: PropertyKey) => {
    changed = true
    if (typeof name === 'string') changing(name, target[name])
  }
  process.env = new Proxy(real, {
    set(target, name, value) {
      touch(target, name)
      return Reflect.set(target, name, value)
    },
    deleteProperty(target, name) {
      touch(target, name)
      return Reflect.deleteProperty(target, name)
    },
    defineProperty(target, name, descriptor) {
      touch(target, name)
      return Reflect.defineProperty(target, name, descriptor)
    },
  })
  const watched = process.env
  return {
    restore() {
      if (process.env !== watched) process.env = watched
      if (!changed) return
      changed = false
      for (const name of Object.keys(real)) if (!(name in before)) delete real[name]
      for (const [name, value] of Object.entries(before)) if (real[name] !== value) real[name] = value
    },
  }
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
    if (before.length !== now.length) return false
    for (let i = 0; i < before.length; i++) if (before[i] !== now[i]) return false
    return true
  }
  return before === now
}

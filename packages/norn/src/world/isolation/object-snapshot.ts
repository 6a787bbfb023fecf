/**
 * Compares the properties of shared objects with a snapshot, and restores them. Runs after programs
 * that may have broken the language, so it uses no methods and no iterators that a program can
 * replace.
 */
import fs from 'node:fs'
import process from 'node:process'
import { type Outliving, outlivingObjects } from './shared-objects.ts'

export type AnyObject = Record<PropertyKey, unknown>

/**
 * Objects on which packages keep state under symbols: the queue of graceful-fs, dispatchers,
 * loggers.
 */
const WITH_SYMBOLS = new Set<object>([fs, process, globalThis])

const {
  is,
  isExtensible,
  hasOwn,
  keys: namesOf,
  getOwnPropertyDescriptor,
  getOwnPropertySymbols,
  defineProperty,
} = Object
const { ownKeys } = Reflect

/** The snapshot of one object. */
export interface Description {
  readonly object: AnyObject
  /** The keys that are restored. */
  readonly keys: readonly PropertyKey[]
  readonly descriptors: Readonly<Record<PropertyKey, PropertyDescriptor>>
  /** Keys that are restored elsewhere, or never. */
  readonly skipped: Readonly<Record<PropertyKey, true>>
  /** Whether every data property still has its value. */
  readonly sameValues: () => boolean
  /** Keys of accessors that are compared. */
  readonly accessors: readonly PropertyKey[]
  readonly isBare: boolean
  readonly countsSymbols: boolean
  readonly known: Outliving
  readonly isExtensible: boolean
  /** The number of keys (see `countKeys`), including those that cannot be deleted. */
  count: number
}

export function describe(object: AnyObject, skippedKeys: ReadonlySet<PropertyKey> = new Set()): Description {
  const skipped: Record<PropertyKey, true> = Object.create(null)
  for (const key of skippedKeys) skipped[key] = true
  const keys = ownKeys(object).filter((key) => !(key in skipped))
  const descriptors: Record<PropertyKey, PropertyDescriptor> = Object.create(null)
  for (const key of keys) descriptors[key] = getOwnPropertyDescriptor(object, key)!
  // Comparing an accessor needs its descriptor, which is slow: programs replace only those of
  // globals.
  const isGlobal = object === (globalThis as unknown as AnyObject)
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
    isExtensible: isExtensible(object),
    count,
  }
}

/**
 * Whether no property was replaced or removed, nor added as far as the count of enumerable keys
 * shows.
 */
function unchanged(description: Description): boolean {
  const { object, accessors, descriptors, sameValues, countsSymbols, count } = description
  for (let i = 0; i < accessors.length; i++) {
    if (getOwnPropertyDescriptor(object, accessors[i]!)?.get !== descriptors[accessors[i]!]!.get) return false
  }
  return (description.isBare ? isBare(object) : countKeys(object, countsSymbols) === count) && sameValues()
}

/**
 * Whether an object has no enumerable property, not even inherited, as the language's constructors
 * and prototypes. V8 answers in nanoseconds; counting takes half a microsecond.
 */
function isBare(object: AnyObject): boolean {
  for (const _ in object) return false
  return true
}

/**
 * Counts enumerable names, and symbols on objects of WITH_SYMBOLS: what assignment adds.
 * definitions.ts records explicit definitions; counting names that are not enumerable costs four
 * times as much.
 */
function countKeys(object: AnyObject, countsSymbols: boolean): number {
  const names = namesOf(object).length
  return countsSymbols ? names + getOwnPropertySymbols(object).length : names
}

/**
 * Returns a function that compares data properties with their values now. It is compiled with the
 * names written out, so that each access has an inline cache: it runs after every execution, and a
 * loop over keys took half the time of a small one (20 us against 4).
 *
 * @param keys the properties to compare; all by default
 */
export function comparison(objects: readonly AnyObject[], keys?: readonly PropertyKey[]): () => boolean {
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

/** Restores an object; returns whether it had changed. */
export function restoreProperties(description: Description): boolean {
  if (!description.known.defined && unchanged(description)) return false
  description.known.defined = false
  const { object, keys, descriptors, skipped } = description
  let changed = false
  const present = ownKeys(object)
  for (let i = 0; i < present.length; i++) {
    const key = present[i]!
    if (key in skipped) continue
    const before = descriptors[key]
    const now = getOwnPropertyDescriptor(object, key)!
    if (before === undefined) {
      changed = true
      if (now.configurable) delete object[key]
    } else if (!is(now.value, before.value) || now.get !== before.get || now.set !== before.set) {
      changed = true
      if (now.configurable) defineProperty(object, key, before)
      else if (now.writable) object[key] = before.value
    }
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (hasOwn(object, key)) continue
    changed = true
    defineProperty(object, key, descriptors[key]!)
  }
  description.count = countKeys(object, description.countsSymbols)
  return changed
}

/** Whether a restored object is as in its snapshot: some definitions cannot be undone. */
export function isRestored(description: Description): boolean {
  description.known.defined = true
  const changes = changesOf(description)
  description.known.defined = false
  return changes === undefined && isExtensible(description.object) === description.isExtensible
}

/** The properties of an object that differ from its snapshot; a missing one has no descriptor. */
export interface Changes {
  readonly description: Description
  readonly properties: readonly (readonly [key: PropertyKey, descriptor: PropertyDescriptor | undefined])[]
}

/** Takes the changes out of an object, which is then as in the snapshot; undefined if there are none. */
export function takeChanges(description: Description): Changes | undefined {
  const changes = changesOf(description)
  if (changes !== undefined) restoreProperties(description)
  return changes
}

/** The changes of an object; undefined if there are none. */
export function changesOf(description: Description): Changes | undefined {
  if (!description.known.defined && unchanged(description)) return undefined
  const { object, keys, descriptors, skipped } = description
  const properties: [PropertyKey, PropertyDescriptor | undefined][] = []
  for (const key of ownKeys(object)) {
    if (key in skipped) continue
    const now = getOwnPropertyDescriptor(object, key)!
    const before = descriptors[key]
    const same = before !== undefined && is(now.value, before.value) && now.get === before.get && now.set === before.set
    if (!same) properties.push([key, now])
  }
  for (const key of keys) if (!hasOwn(object, key)) properties.push([key, undefined])
  return properties.length === 0 ? undefined : { description, properties }
}

/**
 * Calls back when one of the changed properties is read or written.
 *
 * @returns what ends this
 */
export function watchProperties(changes: readonly Changes[], found: () => void): () => void {
  const ends: (() => void)[] = []
  for (const { description, properties } of changes) {
    for (const [key, now] of properties) {
      if (now?.configurable === true) ends.push(watchProperty(description.object, key, now, found))
      else if (now !== undefined) found()
    }
  }
  return () => {
    for (const end of ends) end()
  }
}

function watchProperty(object: AnyObject, key: PropertyKey, before: PropertyDescriptor, found: () => void): () => void {
  let now = before
  const get = function (this: unknown) {
    found()
    return now.get === undefined ? now.value : Reflect.apply(now.get, this, [])
  }
  const set = function (this: AnyObject, value: unknown) {
    found()
    if (now.set !== undefined) Reflect.apply(now.set, this, [value])
    else if (this === object) now = { ...now, value }
    else defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const isWritable = now.writable === true || now.set !== undefined
  defineProperty(object, key, { get, ...(isWritable ? { set } : {}), enumerable: now.enumerable!, configurable: true })
  return () => {
    // Unless the program has deleted it, or defined it anew.
    if (getOwnPropertyDescriptor(object, key)?.get === get) defineProperty(object, key, now)
  }
}

/** Applies changes that were taken out. */
export function putChanges({ description, properties }: Changes): void {
  const { object } = description
  description.known.defined = true
  for (const [key, descriptor] of properties) {
    if (descriptor === undefined) delete object[key]
    else defineProperty(object, key, descriptor)
  }
}

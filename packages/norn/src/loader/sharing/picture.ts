/**
 * A picture of all that the shared modules keep: the variables of their scopes, and the objects that can be
 * reached from them, with the contents that only builtins see. It tells what has changed since, and puts it back.
 *
 * Invariants: nothing of the program runs: properties are read as descriptors, and proxies are looked through.
 * Restoring leaves identities, orders of keys and attributes as they were. What can be neither read nor put back
 * is given with the module that led to it.
 */
import { types } from 'node:util'
import { internalBinding } from '../internals.ts'
import { type BuiltinObjects, isObject } from './builtin-objects.ts'
import type { Inspection } from './inspection.ts'
import type { ScopeToken } from './scope-tokens.ts'

const { getProxyDetails, getPromiseDetails, getOwnNonIndexProperties } = internalBinding('util') as {
  getProxyDetails(proxy: object): [target: object | null, handler: object | null]
  getPromiseDetails(promise: object): [state: number, result?: unknown]
  getOwnNonIndexProperties(object: object, filter: number): PropertyKey[]
}
const ALL_PROPERTIES = 0
const PENDING = 0
const { ownKeys, defineProperty, setPrototypeOf, deleteProperty } = Reflect
const { getOwnPropertyDescriptor, getPrototypeOf, isExtensible, is } = Object
const mapEntries = Function.prototype.call.bind(Map.prototype.entries) as (map: object) => Iterable<[unknown, unknown]>
const setValues = Function.prototype.call.bind(Set.prototype.values) as (set: object) => Iterable<unknown>

/** Bytes beyond which an array is not copied. */
const MOST_BYTES = 1 << 24

/** What can change: an object, its contents, or the variables of a scope. */
interface Item {
  /** Which module led to it, by number. */
  readonly module: number
  isSame(): boolean
  /** Puts back what it was; false if that cannot be done. */
  restore(): boolean
  /** Puts back what was found changed before, where that takes less. */
  restoreKnown?(): void
}

/** What makes a module one that cannot be shared. */
export interface Obstacle {
  readonly module: number
  readonly why: string
}

/** Where a picture begins. What others import comes first: an obstacle is put down to the first that leads to it. */
export interface Root {
  readonly module: number
  readonly values: readonly unknown[]
}

export class Picture {
  readonly obstacles: Obstacle[] = []
  readonly #items: Item[] = []
  /** Those that have been seen to change. */
  readonly #changing = new Set<Item>()
  readonly #builtins: BuiltinObjects
  readonly #inspection: Inspection
  readonly #seen = new Set<object>()
  readonly #weak: WeakItem[] = []

  /** Takes a picture. */
  constructor(roots: readonly Root[], tokens: readonly ScopeToken[], builtins: BuiltinObjects, inspection: Inspection) {
    this.#builtins = builtins
    this.#inspection = inspection
    const scopes = Map.groupBy(tokens, ({ module }) => module)
    for (const { module, values } of roots) {
      this.#take(values, module)
      for (const token of scopes.get(module) ?? []) this.#takeScope(token)
      scopes.delete(module)
    }
    // Only now it is known which keys there are; values may lead to more of them.
    for (let size = -1; size !== this.#seen.size; ) {
      size = this.#seen.size
      for (const each of this.#weak) this.#take(each.take([...this.#builtins.named, ...this.#seen]), each.module)
    }
  }

  /** The number of objects and scopes. */
  get size(): number {
    return this.#items.length
  }

  /**
   * Puts back what is known to change, or all that has changed.
   *
   * @returns the number of things that had not been known to change, and what could not be put back
   */
  restore(all: boolean): { readonly found: number; readonly obstacles: readonly Obstacle[] } {
    const obstacles: Obstacle[] = []
    let found = 0
    for (const item of all ? this.#items : this.#changing) {
      if (!all && item.restoreKnown !== undefined) {
        item.restoreKnown()
        continue
      }
      if (item.isSame()) continue
      if (!this.#changing.has(item)) {
        this.#changing.add(item)
        found++
      }
      if (!item.restore()) obstacles.push({ module: item.module, why: 'it changes what cannot be put back' })
    }
    return { found, obstacles }
  }

  /** The modules that lead to what has changed. */
  changed(): ReadonlySet<number> {
    return new Set(this.#items.filter((each) => !each.isSame()).map(({ module }) => module))
  }

  #takeScope(token: ScopeToken): void {
    const item = new ScopeItem(token)
    this.#items.push(item)
    this.#take(item.values, token.module)
  }

  #take(roots: Iterable<unknown>, module: number): void {
    const pending = [...roots]
    while (pending.length > 0) {
      const object = pending.pop()
      if (!isObject(object) || this.#seen.has(object) || this.#builtins.has(object)) continue
      this.#seen.add(object)
      this.#takeObject(object, module, pending)
    }
  }

  /** Why the state of an object can be neither read nor put back. */
  #obstacleIn(object: object): string | undefined {
    if (types.isModuleNamespaceObject(object)) return 'it keeps a module of Node'
    const hidden = this.#builtins.hides(object)
    if (hidden !== undefined) return `it keeps ${hidden}`
    if (types.isGeneratorObject(object)) return 'it keeps a generator'
    return types.isExternal(object) || types.isSharedArrayBuffer(object) ? 'it keeps memory of others' : undefined
  }

  #takeObject(object: object, module: number, pending: unknown[]): void {
    const refuse = (why: string): void => {
      this.obstacles.push({ module, why })
    }
    if (types.isProxy(object)) {
      pending.push(...getProxyDetails(object))
      return
    }
    const obstacle = this.#obstacleIn(object)
    if (obstacle !== undefined) {
      refuse(obstacle)
      return
    }
    const item = new ObjectItem(object, module)
    this.#items.push(item)
    for (const each of item.values) pending.push(each)
    for (const each of item.setters) pending.push(each)
    pending.push(item.prototype)
    if (typeof object === 'function') {
      if (isBound(object)) for (const each of this.#inspection.boundParts(object)) pending.push(each)
    } else if (types.isMap(object)) {
      const contents = new MapItem(object, module)
      this.#items.push(contents)
      for (const [key, value] of contents.entries) pending.push(key, value)
    } else if (types.isSet(object)) {
      const contents = new SetItem(object, module)
      this.#items.push(contents)
      for (const value of contents.values) pending.push(value)
    } else if (types.isWeakMap(object) || types.isWeakSet(object)) {
      const contents = new WeakItem(object, module)
      this.#items.push(contents)
      this.#weak.push(contents)
    } else if (types.isDate(object)) this.#items.push(new DateItem(object, module))
    else if (object instanceof TextDecoder) this.#items.push(new DecoderItem(object, module))
    else if (types.isPromise(object)) {
      const [state, result] = getPromiseDetails(object)
      if (state === PENDING) refuse('it keeps a promise that is pending')
      pending.push(result)
    } else if (types.isArrayBuffer(object) || ArrayBuffer.isView(object)) {
      const bytes = bytesOf(object)
      if (bytes.byteLength > MOST_BYTES) refuse('it keeps many bytes')
      else this.#items.push(new BytesItem(bytes, module))
    } else if (object instanceof WeakRef) pending.push(object.deref())
  }
}

function isBound(object: Function): boolean {
  const name = getOwnPropertyDescriptor(object, 'name')?.value
  return (
    typeof name === 'string' && name.startsWith('bound ') && getOwnPropertyDescriptor(object, 'prototype') === undefined
  )
}

function bytesOf(object: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(object)
    ? new Uint8Array(object.buffer, object.byteOffset, object.byteLength)
    : new Uint8Array(object)
}

const [WRITABLE, ENUMERABLE, CONFIGURABLE, ACCESSOR] = [1, 2, 4, 8]

/** The own properties of an object, its prototype, and whether it takes more. */
class ObjectItem implements Item {
  readonly module: number
  readonly prototype: object | null
  /** Values, or getters. */
  readonly values: unknown[] = []
  readonly setters: unknown[] = []
  readonly #object: object
  readonly #keys: readonly PropertyKey[]
  readonly #attributes: number[] = []
  readonly #isExtensible: boolean

  constructor(object: object, module: number) {
    this.module = module
    this.#object = object
    this.prototype = getPrototypeOf(object) as object | null
    this.#isExtensible = isExtensible(object)
    this.#keys = keysOf(object)
    for (const key of this.#keys) {
      const { value, get, set, writable, enumerable, configurable } = getOwnPropertyDescriptor(object, key)!
      const isAccessor = get !== undefined || set !== undefined
      this.values.push(isAccessor ? get : value)
      if (isAccessor) this.setters[this.#attributes.length] = set
      this.#attributes.push(
        (writable ? WRITABLE : 0) |
          (enumerable ? ENUMERABLE : 0) |
          (configurable ? CONFIGURABLE : 0) |
          (isAccessor ? ACCESSOR : 0),
      )
    }
  }

  isSame(): boolean {
    const object = this.#object
    const keys = keysOf(object)
    if (keys.length !== this.#keys.length || getPrototypeOf(object) !== this.prototype) return false
    if (isExtensible(object) !== this.#isExtensible) return false
    for (let at = 0; at < keys.length; at++) if (keys[at] !== this.#keys[at] || !this.#isSameAt(at)) return false
    return true
  }

  #isSameAt(at: number): boolean {
    const now = getOwnPropertyDescriptor(this.#object, this.#keys[at]!)
    if (now === undefined) return false
    const attributes = this.#attributes[at]!
    if (
      now.configurable !== ((attributes & CONFIGURABLE) !== 0) ||
      now.enumerable !== ((attributes & ENUMERABLE) !== 0)
    )
      return false
    if ((attributes & ACCESSOR) !== 0) return now.get === this.values[at] && now.set === this.setters[at]
    return is(now.value, this.values[at]) && now.writable === ((attributes & WRITABLE) !== 0)
  }

  restore(): boolean {
    const object = this.#object
    if (isExtensible(object) !== this.#isExtensible) return false
    if (getPrototypeOf(object) !== this.prototype && !setPrototypeOf(object, this.prototype)) return false
    const own = new Set(this.#keys)
    for (const key of keysOf(object)) if (!own.has(key) && !deleteProperty(object, key)) return false
    const keys = keysOf(object)
    // A key that was deleted comes back behind the others: then all are made again, in their order.
    const isInOrder = keys.every((key, at) => key === this.#keys[at])
    for (let at = 0; at < this.#keys.length; at++) {
      const key = this.#keys[at]!
      if (!isInOrder && (this.#attributes[at]! & CONFIGURABLE) !== 0 && !deleteProperty(object, key)) return false
      if (!(isInOrder && this.#isSameAt(at)) && !defineProperty(object, key, this.#descriptorAt(at))) return false
    }
    return this.isSame()
  }

  #descriptorAt(at: number): PropertyDescriptor {
    const attributes = this.#attributes[at]!
    const enumerable = (attributes & ENUMERABLE) !== 0
    const configurable = (attributes & CONFIGURABLE) !== 0
    if ((attributes & ACCESSOR) === 0)
      return { value: this.values[at], writable: (attributes & WRITABLE) !== 0, enumerable, configurable }
    return { get: this.values[at] as () => unknown, set: this.setters[at] as () => void, enumerable, configurable }
  }
}

/** The keys that are compared. */
function keysOf(object: object): PropertyKey[] {
  if (ArrayBuffer.isView(object)) return getOwnNonIndexProperties(object, ALL_PROPERTIES)
  const keys = ownKeys(object)
  // To read it may call a function of the program's.
  return types.isNativeError(object) ? keys.filter((key) => key !== 'stack') : keys
}

class MapItem implements Item {
  readonly module: number
  readonly entries: readonly (readonly [unknown, unknown])[]
  readonly #map: Map<unknown, unknown>

  constructor(map: Map<unknown, unknown>, module: number) {
    this.module = module
    this.#map = map
    this.entries = [...mapEntries(map)]
  }

  isSame(): boolean {
    let at = 0
    for (const [key, value] of mapEntries(this.#map)) {
      const before = this.entries[at++]
      if (before === undefined || !is(before[0], key) || !is(before[1], value)) return false
    }
    return at === this.entries.length
  }

  restore(): boolean {
    Map.prototype.clear.call(this.#map)
    for (const [key, value] of this.entries) Map.prototype.set.call(this.#map, key, value)
    return true
  }
}

class SetItem implements Item {
  readonly module: number
  readonly values: readonly unknown[]
  readonly #set: Set<unknown>

  constructor(set: Set<unknown>, module: number) {
    this.module = module
    this.#set = set
    this.values = [...setValues(set)]
  }

  isSame(): boolean {
    let at = 0
    for (const value of setValues(this.#set))
      if (at >= this.values.length || !is(this.values[at++], value)) return false
    return at === this.values.length
  }

  restore(): boolean {
    Set.prototype.clear.call(this.#set)
    for (const value of this.values) Set.prototype.add.call(this.#set, value)
    return true
  }
}

/** A WeakMap or WeakSet, as far as its keys are in the picture: nobody can ask for others. */
class WeakItem implements Item {
  readonly module: number
  readonly #weak: WeakMap<object, unknown> | WeakSet<object>
  readonly #has: (key: object) => boolean
  #keys: readonly object[] = []
  /** Keys under which something has changed. */
  readonly #known = new Set<object>()
  readonly #before = new Map<object, unknown>()

  constructor(weak: WeakMap<object, unknown> | WeakSet<object>, module: number) {
    this.module = module
    this.#weak = weak
    const { has } = types.isWeakMap(weak) ? WeakMap.prototype : WeakSet.prototype
    this.#has = (key) => Reflect.apply(has, weak, [key]) as boolean
  }

  /** @param keys all objects that can be keys @returns the values */
  take(keys: readonly object[]): unknown[] {
    this.#keys = keys
    for (const key of keys) if (this.#has(key)) this.#before.set(key, this.#valueOf(key))
    return [...this.#before.values()]
  }

  #valueOf(key: object): unknown {
    return types.isWeakMap(this.#weak) ? WeakMap.prototype.get.call(this.#weak, key) : undefined
  }

  isSame(): boolean {
    return this.#keys.every((key) => this.#isSameAt(key))
  }

  #isSameAt(key: object): boolean {
    const had = this.#before.has(key)
    return this.#has(key) === had && (!had || is(this.#valueOf(key), this.#before.get(key)))
  }

  restore(): boolean {
    for (const key of this.#keys) if (!this.#isSameAt(key)) this.#known.add(key)
    this.restoreKnown()
    return true
  }

  restoreKnown(): void {
    for (const key of this.#known) if (!this.#isSameAt(key)) this.#restoreAt(key)
  }

  #restoreAt(key: object): void {
    const had = this.#before.has(key)
    const weak = this.#weak
    if (types.isWeakMap(weak)) {
      if (had) WeakMap.prototype.set.call(weak, key, this.#before.get(key))
      else WeakMap.prototype.delete.call(weak, key)
    } else if (had) WeakSet.prototype.add.call(weak, key)
    else WeakSet.prototype.delete.call(weak, key)
  }
}

class DateItem implements Item {
  readonly module: number
  readonly #date: Date
  readonly #time: number

  constructor(date: Date, module: number) {
    this.module = module
    this.#date = date
    this.#time = Date.prototype.getTime.call(date)
  }

  isSame(): boolean {
    return is(Date.prototype.getTime.call(this.#date), this.#time)
  }

  restore(): boolean {
    Date.prototype.setTime.call(this.#date, this.#time)
    return true
  }
}

class BytesItem implements Item {
  readonly module: number
  readonly #bytes: Uint8Array
  readonly #before: Uint8Array

  constructor(bytes: Uint8Array, module: number) {
    this.module = module
    this.#bytes = bytes
    this.#before = bytes.slice()
  }

  isSame(): boolean {
    return Buffer.compare(this.#bytes, this.#before) === 0
  }

  restore(): boolean {
    if (this.#bytes.byteLength !== this.#before.byteLength) return false
    this.#bytes.set(this.#before)
    return true
  }
}

const NOTHING = new Uint8Array()

/** A decoder may hold the first bytes of a character. */
class DecoderItem implements Item {
  readonly module: number
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(decoder: InstanceType<typeof TextDecoder>, module: number) {
    this.module = module
    this.#decoder = decoder
  }

  isSame(): boolean {
    try {
      return TextDecoder.prototype.decode.call(this.#decoder, NOTHING) === ''
    } catch {
      // What it held was no character. It holds nothing now.
      return false
    }
  }

  restore(): boolean {
    return true
  }
}

/** In place of a variable that is not initialised yet. */
const UNINITIALISED = Symbol('uninitialised')

class ScopeItem implements Item {
  readonly values: readonly unknown[]
  readonly #token: ScopeToken

  constructor(token: ScopeToken) {
    this.#token = token
    this.values = Array.from({ length: token.count }, (_, index) => this.#read(index))
  }

  get module(): number {
    return this.#token.module
  }

  #read(index: number): unknown {
    try {
      return this.#token.accessor(index)
    } catch {
      return UNINITIALISED
    }
  }

  isSame(): boolean {
    return this.values.every((value, index) => is(value, this.#read(index)))
  }

  restore(): boolean {
    for (const [index, value] of this.values.entries()) {
      if (is(value, this.#read(index))) continue
      if (value === UNINITIALISED) return false
      try {
        this.#token.accessor(index, true, value)
      } catch {
        return false
      }
    }
    return this.isSame()
  }
}

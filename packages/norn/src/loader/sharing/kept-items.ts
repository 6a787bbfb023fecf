/**
 * The kinds of what can change: each keeps what it was, tells whether it still is, and puts it back.
 *
 * Invariant: runs between executions, when a program may have replaced methods of the language; so it uses those of
 * before.
 */
import { types } from 'node:util'
import { internalBinding } from '../internals.ts'
import type { ScopeToken } from './scope-tokens.ts'

const { getOwnNonIndexProperties } = internalBinding('util') as {
  getOwnNonIndexProperties(object: object, filter: number): PropertyKey[]
}
const ALL_PROPERTIES = 0
const { ownKeys, defineProperty, setPrototypeOf, deleteProperty } = Reflect
const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isExtensible, is } = Object

/** A method as a function of its object. */
type Uncurried<Method> = Method extends (...rest: infer Rest) => infer Result
  ? // biome-ignore lint/suspicious/noExplicitAny: the object that the method is of
    (object: any, ...rest: Rest) => Result
  : never
const uncurried = Function.prototype.call.bind(Function.prototype.bind, Function.prototype.call) as <Method>(
  method: Method,
) => Uncurried<Method>
const dateGetTime = uncurried(Date.prototype.getTime)
const dateSetTime = uncurried(Date.prototype.setTime)
const decoderDecode = uncurried(TextDecoder.prototype.decode)
const mapClear = uncurried(Map.prototype.clear)
const mapEntries = uncurried(Map.prototype.entries)
const mapSet = uncurried(Map.prototype.set)
const setAdd = uncurried(Set.prototype.add)
const setClear = uncurried(Set.prototype.clear)
const setValues = uncurried(Set.prototype.values)
const weakMapGet = uncurried(WeakMap.prototype.get)
const weakMapSet = uncurried(WeakMap.prototype.set)
const weakMapDelete = uncurried(WeakMap.prototype.delete)
const weakSetAdd = uncurried(WeakSet.prototype.add)
const weakSetDelete = uncurried(WeakSet.prototype.delete)

/** What can change: an object, its contents, or the variables of a scope. */
export interface Item {
  /** Which module led to it, by number. */
  readonly module: number
  isSame(): boolean
  /** Puts back what it was; false if that cannot be done. */
  restore(): boolean
  /** Puts back what is known to change in it, where that takes less; false where it does not, or more has changed. */
  restoreKnown?(): boolean
}

/** The values of a longer array are compared without descriptors once it is known to change. */
const SHORT = 64

const [WRITABLE, ENUMERABLE, CONFIGURABLE, ACCESSOR] = [1, 2, 4, 8]
const ORDINARY = WRITABLE | ENUMERABLE | CONFIGURABLE

/** The own properties of an object, its prototype, and whether it takes more. */
export class ObjectItem implements Item {
  readonly module: number
  readonly prototype: object | null
  /** Values, or getters. */
  readonly values: unknown[] = []
  readonly setters: unknown[] = []
  readonly #object: object
  readonly #keys: readonly PropertyKey[]
  readonly #attributes: number[] = []
  readonly #isExtensible: boolean
  /** Of a long array, if nothing but its places can change; undefined for any other object. */
  readonly #places: unknown[] | undefined

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
    if (Array.isArray(object) && object.length > SHORT && this.#hasOrdinaryPlaces(object)) this.#places = object
  }

  #hasOrdinaryPlaces({ length }: unknown[]): boolean {
    // Behind the places comes the length.
    return this.#keys.length === length + 1 && this.#attributes.slice(0, length).every((each) => each === ORDINARY)
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

  /** Attributes of places are left to the looks at everything; other properties and holes are not. */
  restoreKnown(): boolean {
    const places = this.#places
    const length = this.#keys.length - 1
    if (places === undefined || places.length !== length || !isExtensible(places)) return false
    if (getPrototypeOf(places) !== this.prototype || getOwnNonIndexProperties(places, ALL_PROPERTIES).length > 1)
      return false
    for (let at = 0; at < length; at++) {
      const now = places[at]
      if (now === undefined && !hasOwn(places, at)) return false
      if (!is(now, this.values[at]) && !defineProperty(places, at, this.#descriptorAt(at))) return false
    }
    return true
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

export class MapItem implements Item {
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
    mapClear(this.#map)
    for (const [key, value] of this.entries) mapSet(this.#map, key, value)
    return true
  }
}

export class SetItem implements Item {
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
    setClear(this.#set)
    for (const value of this.values) setAdd(this.#set, value)
    return true
  }
}

/** A WeakMap or WeakSet, as far as its keys are in the picture: nobody can ask for others. */
export class WeakItem implements Item {
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
    return types.isWeakMap(this.#weak) ? weakMapGet(this.#weak, key) : undefined
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

  restoreKnown(): boolean {
    for (const key of this.#known) if (!this.#isSameAt(key)) this.#restoreAt(key)
    return true
  }

  #restoreAt(key: object): void {
    const had = this.#before.has(key)
    const weak = this.#weak
    if (types.isWeakMap(weak)) {
      if (had) weakMapSet(weak, key, this.#before.get(key))
      else weakMapDelete(weak, key)
    } else if (had) weakSetAdd(weak, key)
    else weakSetDelete(weak, key)
  }
}

export class DateItem implements Item {
  readonly module: number
  readonly #date: Date
  readonly #time: number

  constructor(date: Date, module: number) {
    this.module = module
    this.#date = date
    this.#time = dateGetTime(date)
  }

  isSame(): boolean {
    return is(dateGetTime(this.#date), this.#time)
  }

  restore(): boolean {
    dateSetTime(this.#date, this.#time)
    return true
  }
}

export class BytesItem implements Item {
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
export class DecoderItem implements Item {
  readonly module: number
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(decoder: InstanceType<typeof TextDecoder>, module: number) {
    this.module = module
    this.#decoder = decoder
  }

  isSame(): boolean {
    try {
      return decoderDecode(this.#decoder, NOTHING) === ''
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

export class ScopeItem implements Item {
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

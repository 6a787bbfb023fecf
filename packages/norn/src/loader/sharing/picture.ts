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
import { isArrayIterator } from './array-iterators.ts'
import { type BuiltinObjects, isObject } from './builtin-objects.ts'
import type { Inspection } from './inspection.ts'
import {
  BytesItem,
  DateItem,
  DecoderItem,
  type Item,
  MapItem,
  ObjectItem,
  ScopeItem,
  SetItem,
  WeakItem,
} from './kept-items.ts'
import { webItems } from './kept-web-items.ts'
import type { ScopeToken } from './scope-tokens.ts'

const { getProxyDetails, getPromiseDetails } = internalBinding('util') as {
  getProxyDetails(proxy: object): [target: object | null, handler: object | null]
  getPromiseDetails(promise: object): [state: number, result?: unknown]
}
const PENDING = 0
const { getOwnPropertyDescriptor } = Object

/** Bytes beyond which an array is not copied. */
const MOST_BYTES = 1 << 24

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
  /** Of the scopes in it. */
  readonly tokens: readonly ScopeToken[]
  readonly #items: Item[] = []
  /** Those that have been seen to change. */
  readonly #changing = new Set<Item>()
  readonly #builtins: BuiltinObjects
  readonly #inspection: Inspection
  readonly #seen = new Set<object>()
  readonly #weak: WeakItem[] = []
  readonly #iterators = new Map<object, number>()
  readonly #beyond: (object: object) => string | undefined

  /**
   * Takes a picture.
   *
   * @param beyond tells of an object that is not the modules' own: why it keeps them from being shared, or '' if it
   * does not, and is no part of the picture
   */
  constructor(
    roots: readonly Root[],
    tokens: readonly ScopeToken[],
    builtins: BuiltinObjects,
    inspection: Inspection,
    beyond: (object: object) => string | undefined = () => undefined,
  ) {
    this.#builtins = builtins
    this.#inspection = inspection
    this.tokens = tokens
    this.#beyond = beyond
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
    for (const each of this.#builtins.iterators.unfinished([...this.#iterators.keys()], this.#seen))
      this.obstacles.push({ module: this.#iterators.get(each)!, why: 'it keeps an iterator' })
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
      const wasKnown = this.#changing.has(item)
      const isRestored = wasKnown && item.restoreKnown?.() === true
      if ((isRestored && !all) || item.isSame()) continue
      if (!wasKnown || isRestored) {
        this.#changing.add(item)
        found++
      }
      if (!item.restore()) obstacles.push({ module: item.module, why: 'it changes what cannot be put back' })
    }
    return { found, obstacles }
  }

  /** Whether an object is part of it. */
  leadsTo(object: object): boolean {
    return this.#seen.has(object)
  }

  /** Whether nothing has changed. */
  get isSame(): boolean {
    return this.#items.every((each) => each.isSame())
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
      const why = this.#beyond(object)
      if (why !== undefined) {
        if (why !== '') this.obstacles.push({ module, why })
        continue
      }
      this.#seen.add(object)
      this.#takeObject(object, module, pending)
    }
  }

  /** Why the state of an object can be neither read nor put back. */
  #obstacleIn(object: object): string | undefined {
    if (types.isModuleNamespaceObject(object)) return 'it keeps a module of Node'
    if (isArrayIterator(object)) return undefined
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
      // Whatever else leads to it is told, too.
      this.#seen.delete(object)
      refuse(obstacle)
      return
    }
    if (isArrayIterator(object)) this.#iterators.set(object, module)
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
    else {
      const { items, leadsTo } = webItems(object, module)
      this.#items.push(...items)
      pending.push(...leadsTo)
    }
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

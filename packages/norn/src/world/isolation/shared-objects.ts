/**
 * The objects that outlive executions: builtin modules, globals, `process` and the language's own objects. Programs patch
 * and polyfill them.
 */
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { Duplex, Readable, Transform, Writable } from 'node:stream'
import { requireInternal } from '../../loader/internals.ts'

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
  /** Whether a property was defined on it explicitly since then: of one that is not enumerable, counting would not tell. */
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
export function essentialObjects(): object[] {
  return [Object, Reflect, JSON, Promise, Promise.prototype, Array.prototype, Function.prototype, Map.prototype]
}

/**
 * Which objects are not the program's: those of the language, of Node and of norn, which executions share
 * anyway, and those that each execution has of its own.
 */
import { EventEmitter } from 'node:events'
import { builtinModules } from 'node:module'
import { internalBinding, requireInternal } from '../internals.ts'
import { HostModule } from '../node-internals.ts'
import type { Environment } from '../resolve.ts'
import { ArrayIterators } from './array-iterators.ts'

/** Globals that each execution gets afresh at first use: a module that keeps one keeps an execution. */
const OF_EXECUTION = ['FormData', 'Headers', 'Request', 'Response', 'WebSocket', 'CloseEvent', 'EventSource']

/** Properties that Node makes at first use: read here, so that they are known. Each execution makes its own stdin. */
const LAZY: readonly (readonly [module: string, name: string])[] = [
  ['node:process', 'stdout'],
  ['node:process', 'stderr'],
  ['node:http', 'globalAgent'],
  ['node:https', 'globalAgent'],
]

/** From what all iterators inherit. */
const ITERATOR_PROTOTYPE = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object

const LAZY_GLOBALS = ['performance', 'crypto', 'navigator']

const iteratorPrototypes = (): object[] =>
  [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)].map(
    (each) => Object.getPrototypeOf(each) as object,
  )

/** The functions of a stack, as `Error.prepareStackTrace` gets them. */
function callSites(): readonly object[] {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) => sites
  try {
    return new Error('').stack as unknown as object[]
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}

/** What decoders have of ICU: `picture.ts` empties it with them. */
function converters(): readonly object[] {
  const decoder = new TextDecoder('utf-16le')
  const owned = Object.getOwnPropertySymbols(decoder).map((key) => (decoder as never)[key] as unknown)
  return owned.filter(isObject).map((each) => Object.getPrototypeOf(each) as object)
}

/** What the prototypes of generator functions inherit from; and call sites, which are native but never change. */
const READABLE_PROTOTYPES: readonly object[] = [
  Object.getPrototypeOf(function* () {}.prototype),
  Object.getPrototypeOf(async function* () {}.prototype),
  ...callSites().map((each) => Object.getPrototypeOf(each) as object),
  ...converters(),
]

/** Classes whose objects hold nothing but what their properties show, or what `picture.ts` reads. */
const READABLE = [
  ...[Object, Function, Array, Map, Set, WeakMap, WeakSet, WeakRef, RegExp, Date, Promise, ArrayBuffer, DataView],
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError],
  ...[Boolean, Number, String, Symbol, BigInt, Buffer, Object.getPrototypeOf(Uint8Array) as Function, EventEmitter],
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array, EventTarget, Event, TextEncoder],
  ...[Intl.DateTimeFormat, Intl.NumberFormat, Intl.Collator, Intl.PluralRules, Intl.Segmenter, Intl.ListFormat],
  ...[async () => {}, function* () {}, async function* () {}].map((each) => Object.getPrototypeOf(each).constructor),
  ...[TextDecoder, HostModule, FinalizationRegistry, URL, URLSearchParams, AbortController, AbortSignal],
]

/** The same in builtin modules: all they have is in their properties. */
const READABLE_IN_MODULES: Readonly<Record<string, readonly string[]>> = {
  stream: ['Stream', 'Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough'],
  http: ['IncomingMessage', 'OutgoingMessage', 'ServerResponse', 'ClientRequest', 'Agent', 'Server'],
  https: ['Agent', 'Server'],
  net: ['Socket', 'Server'],
  async_hooks: ['AsyncLocalStorage'],
  diagnostics_channel: ['Channel'],
  string_decoder: ['StringDecoder'],
}

export class BuiltinObjects {
  readonly #known = new Set<object>()
  readonly #readable = new Set<object>([
    ...READABLE.map((each) => (each as Function).prototype as object),
    ...READABLE_PROTOTYPES,
  ])
  readonly iterators = new ArrayIterators()
  readonly #ofExecution = new Set<object>()
  readonly #environment: Environment | undefined
  /** Those that a program names: globals, exports of builtin modules, and their prototypes. */
  readonly named = new Set<object>()

  /** Call it in an execution, before any code of the program has run. */
  constructor(environment: Environment | undefined) {
    this.#environment = environment
    this.enterExecution()
    for (const [module, names] of Object.entries(READABLE_IN_MODULES)) {
      const exports = requireInternal<Record<string, Function>>(`node:${module}`)
      for (const name of names) this.#readable.add(exports[name]!.prototype as object)
    }
    const lazy = LAZY.map(([module, name]) => requireInternal<Record<string, unknown>>(module)[name])
    const globals = LAZY_GLOBALS.map((name) => (globalThis as Record<string, unknown>)[name])
    this.#add([globalThis, ...lazy, ...globals, globalThis.crypto.subtle, ...iteratorPrototypes(), ...READABLE])
    this.#name(globalThis)
    this.#addModules()
  }

  /** Call it in each execution of which modules are shared, before any code of the program has run. */
  enterExecution(): void {
    this.#ofExecution.clear()
    const globals = OF_EXECUTION.map((name) => (globalThis as Record<string, unknown>)[name])
    for (const each of [...globals, ...(this.#environment?.objects() ?? [])]) {
      if (!isObject(each)) continue
      this.#ofExecution.add(each)
      const prototype: unknown = Object.getOwnPropertyDescriptor(each, 'prototype')?.value
      if (isObject(prototype)) this.#ofExecution.add(prototype)
    }
  }

  has(object: object): boolean {
    return this.#known.has(object)
  }

  /** Adds the builtin modules that have been loaded by now, and objects of norn's. */
  refresh(norns: readonly object[]): void {
    this.#addModules()
    for (const each of norns) this.#known.add(each)
  }

  #addModules(): void {
    // @ts-expect-error: Node's list of what it has loaded has no type
    const loaded = new Set<string>(process.moduleLoadList)
    const modules = builtinModules.filter((name) => loaded.has(`NativeModule ${name}`))
    for (const name of modules) {
      const exports = requireInternal<object>(`node:${name}`)
      this.#add([exports])
      this.#name(exports)
    }
  }

  /** Why an object cannot be shared: it is of one execution, or hides a state; undefined if it can. */
  hides(object: object): 'one execution' | 'a hidden state' | undefined {
    for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
      if (this.#ofExecution.has(at)) return 'one execution'
      if (typeof object === 'function') continue
      if (this.#readable.has(at)) return undefined
      if (at !== object && isPrototype(object)) continue
      if (at !== object && (this.#known.has(at) || this.#isNative(at))) return 'a hidden state'
    }
    return undefined
  }

  /** Whether it is the prototype of a native class, whose objects have fields that nobody sees. */
  #isNative(prototype: object): boolean {
    const made: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    return typeof made === 'function' && /\{\s*\[native code\]\s*\}$/.test(sourceOf(made))
  }

  #name(holder: object): void {
    const values = Reflect.ownKeys(holder).map((key) => Object.getOwnPropertyDescriptor(holder, key)?.value as unknown)
    for (const each of [holder, ...values]) {
      if (!isObject(each)) continue
      this.named.add(each)
      const prototype: unknown = Object.getOwnPropertyDescriptor(each, 'prototype')?.value
      if (isObject(prototype)) this.named.add(prototype)
    }
  }

  #add(roots: Iterable<unknown>): void {
    const pending = [...roots]
    while (pending.length > 0) {
      const object = pending.pop()
      if (!isObject(object) || this.#known.has(object) || this.#ofExecution.has(object)) continue
      this.#known.add(object)
      if (isProxy(object)) continue
      for (const key of Reflect.ownKeys(object)) {
        const descriptor = Object.getOwnPropertyDescriptor(object, key)
        if (descriptor === undefined) continue
        pending.push(descriptor.value, descriptor.get, descriptor.set)
      }
      pending.push(Object.getPrototypeOf(object))
    }
  }
}

/** Whether it is the prototype of a class or of iterators: it has no state, unlike what inherits from it. */
function isPrototype(object: object): boolean {
  if (Object.getPrototypeOf(object) === ITERATOR_PROTOTYPE && Object.hasOwn(object, 'next')) return true
  const made: unknown = Object.getOwnPropertyDescriptor(object, 'constructor')?.value
  if (typeof made !== 'function' || isProxy(made)) return false
  const { value, writable } = Object.getOwnPropertyDescriptor(made, 'prototype') ?? {}
  return value === object && writable === false && /^class\b/.test(sourceOf(made))
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

const sourceOf = Function.prototype.call.bind(Function.prototype.toString) as (of: Function) => string

const { isProxy } = internalBinding<{ isProxy(value: unknown): boolean }>('types')

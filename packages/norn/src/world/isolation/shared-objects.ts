/**
 * The objects that outlive executions, and that programs patch and polyfill: builtin modules,
 * globals, `process` and the language's own objects.
 */
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { Duplex, Readable, Transform, Writable } from 'node:stream'
import { requireInternal } from '../../loader/internals.ts'

/** Where instances of undici find the dispatcher of the process: also those from the npm registry. */
export const DISPATCHERS: readonly symbol[] = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))

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
  ...[
    'os',
    'zlib',
    'dns',
    'dns/promises',
    'net',
    'tls',
    'dgram',
    'http',
    'https',
    'child_process',
    'url',
    'assert',
    'buffer',
    'async_hooks',
    'vm',
    'worker_threads',
  ],
]

let known: object[] | undefined

/** Constructors with their prototypes, and namespaces: the same objects on every call. */
export function languageObjects(): readonly object[] {
  known ??= allLanguageObjects()
  return known
}

function allLanguageObjects(): object[] {
  const constructors = [
    ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, RegExp, Date, Error, Promise],
    ...[Map, Set, WeakMap, WeakSet, ArrayBuffer, Uint8Array, Object.getPrototypeOf(Uint8Array), Buffer],
    ...[EventEmitter, EventTarget, Event, AbortSignal, AbortController, URL, URLSearchParams],
    ...[Readable, Writable, Duplex, Transform],
    ...builtinClasses(),
  ]
  const prototypes = constructors.map(({ prototype }) => prototype as object)
  return [...constructors, ...prototypes, ...iteratorPrototypes(), Math, JSON, Reflect, Atomics, Intl, console]
}

/** Where iteration finds `next`: no constructor leads there. */
function iteratorPrototypes(): object[] {
  const iterators = [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/./g)]
  const prototypes = iterators.map((iterator) => Object.getPrototypeOf(iterator) as object)
  return [...prototypes, Object.getPrototypeOf(prototypes[0]) as object]
}

/**
 * Classes that interceptors of requests patch. Loaded when they are asked for: importing `node:tls`
 * with this file would load `node:crypto` before its jobs are intercepted.
 */
function builtinClasses(): (new (...args: never[]) => object)[] {
  const net = requireInternal<typeof import('node:net')>('node:net')
  const tls = requireInternal<typeof import('node:tls')>('node:tls')
  const dgram = requireInternal<typeof import('node:dgram')>('node:dgram')
  const http = requireInternal<typeof import('node:http')>('node:http')
  const https = requireInternal<typeof import('node:https')>('node:https')
  const { ChildProcess } = requireInternal<typeof import('node:child_process')>('node:child_process')
  const { Worker } = requireInternal<typeof import('node:worker_threads')>('node:worker_threads')
  return [
    ...[net.Socket, net.Server, tls.TLSSocket, tls.Server, dgram.Socket, https.Agent, https.Server],
    ...[http.Agent, http.ClientRequest, http.IncomingMessage, http.OutgoingMessage, http.Server, http.ServerResponse],
    ...[ChildProcess, Worker],
  ]
}

/** The state of a shared object. */
export interface Outliving {
  /**
   * Whether a program has defined a property explicitly since the last restore: counting misses
   * properties that are not enumerable.
   */
  defined: boolean
}

/** Objects of Node's library whose properties are options, and keys of them that are none. */
export function optionObjects(): readonly (readonly [object: object, skipped: ReadonlySet<PropertyKey>])[] {
  const agents = ['http', 'https'].map((name) => requireInternal<{ globalAgent: object }>(`node:${name}`).globalAgent)
  const { inspectDefaultOptions } = requireInternal<{ inspectDefaultOptions: object }>('internal/util/inspect')
  return [
    ...agents.map((agent) => [agent, AGENT_STATE] as const),
    ...[inspectDefaultOptions, requireInternal<object>('_http_agent')].map(
      (object) => [object, new Set<string>()] as const,
    ),
  ]
}

const AGENT_STATE = new Set(['requests', 'sockets', 'freeSockets', 'totalSocketCount', '_events', '_eventsCount'])

let outliving: Map<object, Outliving> | undefined

export function outlivingObjects(): Map<object, Outliving> {
  const builtins = BUILTINS.map((name) => requireInternal<object>(`node:${name}`))
  const options = optionObjects().map(([object]) => object)
  const objects = [...languageObjects(), ...builtins, ...options, globalThis, process]
  outliving ??= new Map(objects.map((object) => [object, { defined: false }]))
  return outliving
}

/**
 * Objects that norn cannot work without: while one is broken, the next execution would hang or die.
 */
export function essentialObjects(): object[] {
  return [Object, Reflect, JSON, Promise, Promise.prototype, Array.prototype, Function.prototype, Map.prototype]
}

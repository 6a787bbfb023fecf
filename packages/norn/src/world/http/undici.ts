/**
 * Gives each execution an undici of its own: the module behind `fetch`, `Response`, `WebSocket` and
 * the like keeps a dispatcher with open connections, and a clock for its timeouts.
 *
 * The module's source comes with Node; it is compiled once, and instantiated when an execution
 * first uses one of its globals, as Node loads it lazily. Events of messages are also made by
 * Node's message ports, so their classes stay the process's, and undici's inherit from them.
 */

import process from 'node:process'
import { hostRequire, requireInternal } from '../../loader/internals.ts'
import { DISPATCHERS } from '../isolation/shared-objects.ts'
import type { Apart, Interceptor } from '../loop/interceptor.ts'
import { type Activity, type Approaching, define } from '../realm/replace.ts'
import { compileUndici, makeTables, NO_TABLES, type Tables, UNDICI } from './undici-source.ts'

export interface UndiciHost extends Activity, Approaching {
  /** Globals that stay as they are. */
  readonly keptGlobals: ReadonlySet<string>
}

const [OLDER, NEWER] = DISPATCHERS as [symbol, symbol]

const CLASSES = ['FormData', 'Headers', 'Request', 'Response', 'WebSocket', 'CloseEvent', 'EventSource']
/** Classes that need those of events. */
const WITH_EVENTS = new Set(['WebSocket', 'CloseEvent', 'EventSource'])
const SHARED_EVENTS = ['MessageEvent', 'ErrorEvent']

/** Those whose calls connect only in a later tick, for the report. */
const CONNECTING = new Set(['WebSocket', 'EventSource'])

/** What is left of a lazy property once a program assigns it. */
const ASSIGNED = { writable: true, configurable: true, enumerable: false }

type Class = { readonly prototype: object } & (new (...args: unknown[]) => object)
type Undici = { fetch(input: unknown, options?: unknown): Promise<Response> } & Record<string, Class | undefined>

export interface InterceptedUndici extends Apart {
  /** Begins an execution: there is no dispatcher. */
  enter(): void
  leave(): void
}

export const undici: Interceptor<UndiciHost> = {
  name: 'undici',
  builtins: {
    globals: { controlled: 'fetch WebSocket EventSource' },
  },
  install: (host) => {
    const undici = interceptUndici(host)
    return { enter: undici.enter, leave: undici.leave, apart: undici }
  },
}

export function interceptUndici(host: UndiciHost): InterceptedUndici {
  const holder = globalThis as Record<PropertyKey, unknown>
  for (const symbol of DISPATCHERS) {
    if (symbol in globalThis) continue
    Object.defineProperty(globalThis, symbol, { value: undefined, writable: true })
  }
  let outside: unknown
  let outsideOlder: unknown
  let mine: Instance | undefined
  const make = maker()
  const undici = (): Instance => (mine ??= make.instance())

  const provide = (exporter: object, name: string): void => {
    if (exporter === globalThis && host.keptGlobals.has(name)) return
    const real = Object.getOwnPropertyDescriptor(exporter, name)
    if (real === undefined) return
    const outer = () => (real.get === undefined ? real.value : real.get.call(exporter))
    Object.defineProperty(exporter, name, {
      configurable: true,
      enumerable: real.enumerable ?? false,
      get() {
        if (!host.active()) return outer()
        if (CONNECTING.has(name)) host.approach(new Error(name))
        return undici().classOf(name)
      },
      set: (value) => void Object.defineProperty(exporter, name, { ...ASSIGNED, value }),
    })
  }

  const realFetch = fetch
  const mineOrReal = {
    fetch(input: unknown, init: unknown = undefined) {
      if (!host.active()) return Reflect.apply(realFetch, undefined, [input, init])
      host.approach(new Error('fetch'))
      return undici().exports.fetch(input, init)
    },
  }
  if (!host.keptGlobals.has('fetch')) define(globalThis, 'fetch', mineOrReal.fetch)
  for (const exporter of [globalThis, hostRequire('node:http') as object]) {
    for (const name of CLASSES) provide(exporter, name)
  }
  return {
    // Without a loop over the symbols: V8 would store to the global object by way of its runtime.
    enter() {
      make.prepare()
      outside = holder[NEWER]
      outsideOlder = holder[OLDER]
      // Always, so that a frozen global object shows before the program runs.
      holder[NEWER] = undefined
      holder[OLDER] = undefined
    },
    take() {
      if (mine === undefined && DISPATCHERS.every((symbol) => holder[symbol] === undefined)) return undefined
      const kept: Kept = { mine, dispatchers: DISPATCHERS.map((symbol) => holder[symbol]) }
      mine = undefined
      for (const symbol of DISPATCHERS) holder[symbol] = undefined
      return kept
    },
    put(kept) {
      const { mine: instance, dispatchers } = (kept ?? NOTHING) as Kept
      mine = instance
      for (const [at, symbol] of DISPATCHERS.entries()) holder[symbol] = dispatchers[at]
    },
    leave() {
      mine = undefined
      if (holder[NEWER] !== outside) holder[NEWER] = outside
      if (holder[OLDER] !== outsideOlder) holder[OLDER] = outsideOlder
    },
  }
}

interface Kept {
  readonly mine: Instance | undefined
  readonly dispatchers: readonly unknown[]
}

const NOTHING: Kept = { mine: undefined, dispatchers: [] }

interface Instance {
  readonly exports: Undici
  classOf(name: string): Class | undefined
}

interface Maker {
  /** A new instance, which finds no dispatcher and so makes its own, unless the program has set one. */
  instance(): Instance
  /** Call it between executions. */
  prepare(): void
}

function maker(): Maker {
  let main: ReturnType<typeof compileUndici<Undici>> | undefined
  let tables: Tables | undefined
  return {
    instance() {
      main ??= compileUndici<Undici>()
      const module = { exports: {} as Undici }
      main(module.exports, hostRequire, module, process, tables ?? NO_TABLES)
      return instanceOf(module.exports)
    },
    prepare() {
      // Only once there was one: most programs use none.
      if (main !== undefined) tables ??= makeTables()
    },
  }
}

function instanceOf(exports: Undici): Instance {
  let sharesEvents = false
  return {
    exports,
    classOf(name) {
      if (!sharesEvents && WITH_EVENTS.has(name)) {
        sharesEvents = true
        shareEvents(exports)
      }
      return exports[name]
    },
  }
}

function shareEvents(exports: Undici): void {
  for (const name of SHARED_EVENTS) {
    const shared = requireInternal<Undici>(UNDICI)[name]
    const own = exports[name]
    if (shared !== undefined && own !== undefined) Object.setPrototypeOf(own.prototype, shared.prototype)
  }
}

/**
 * What each isolate sees of the process and of the realm: environment, arguments, listeners of
 * `process`, standard streams, exit code, globals, and whatever it changed on objects that Node
 * gives each thread of its own (builtin modules, prototypes of the language).
 *
 * All isolates share one realm. Invariant: while one runs, the process and the shared objects have
 * its values; those of the others are put aside. An isolate begins with those of a clean process.
 */
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { hostRequire } from '../../loader/internals.ts'
import type { ModuleGraph } from '../../loader/resolve.ts'
import type { Changes } from '../isolation/object-snapshot.ts'
import { putChanges } from '../isolation/object-snapshot.ts'
import { OF_THREAD, type ProcessSnapshot } from '../isolation/process-snapshot.ts'
import type { Apart } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Activity } from '../realm/replace.ts'
import type { ChannelProperties } from './channel.ts'

export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

/** An isolate's values, while others run. */
interface View {
  env: NodeJS.ProcessEnv
  argv: string[]
  execArgv: string[]
  events: Record<string, unknown>
  eventsCount: number
  exitCode: typeof process.exitCode
  isExiting: boolean
  objects: readonly Changes[]
  /** Exports of `node:worker_threads`. */
  thread: readonly unknown[]
  /** The channel to the parent process: properties of `process`. */
  channel: PropertyDescriptorMap
  /** What other parts keep for it; undefined until it has run. */
  apart: readonly unknown[] | undefined
  readonly graph: ModuleGraph | undefined
  readonly streams: Streams | undefined
}

const emitter = process as unknown as { _events: View['events']; _eventsCount: number; _exiting: boolean }
const workers = hostRequire('node:worker_threads') as unknown as Record<string, unknown>
const threadValues = () => OF_THREAD.map((name) => workers[name])
const STREAMS = ['stdin', 'stdout', 'stderr'] as const

/** What an isolate begins with. */
export type Beginning = Pick<View, 'env' | 'argv' | 'execArgv' | 'graph' | 'streams'>

export class IsolateViews {
  readonly #snapshot: ProcessSnapshot
  readonly #channel: ChannelProperties
  readonly #apart: readonly Apart[]
  readonly #views = new Map<Isolate, View>()
  /** Of the first thread of a process. */
  readonly #firstThread = threadValues()

  constructor(snapshot: ProcessSnapshot, channel: ChannelProperties, apart: readonly Apart[]) {
    this.#snapshot = snapshot
    this.#apart = apart
    this.#channel = channel
  }

  /** Gives an isolate that is about to begin its view. */
  add(isolate: Isolate, given: Beginning): void {
    const events = this.#snapshot.listeners()
    const eventsCount = Object.keys(events).length
    this.#views.set(isolate, {
      ...given,
      events,
      eventsCount,
      exitCode: undefined,
      isExiting: false,
      objects: [],
      thread: isolate.parent === undefined ? this.#firstThread : threadValues(),
      channel: {},
      apart: undefined,
    })
  }

  /** The standard streams of an isolate; undefined for those of the process. */
  streamsOf(isolate: Isolate): Streams | undefined {
    return this.#views.size === 0 ? undefined : this.#views.get(isolate)?.streams
  }

  graphOf(isolate: Isolate): ModuleGraph | undefined {
    return this.#views.get(isolate)?.graph
  }

  /** @param main the graph of the body's isolate */
  enter(from: Isolate, to: Isolate, main: ModuleGraph | undefined): void {
    const { graph, streams } = this.#views.get(from) ?? { graph: main, streams: undefined }
    const { env, argv, execArgv, exitCode } = process
    const { _events: events, _eventsCount: eventsCount, _exiting: isExiting } = emitter
    const channel = from.process.isFirst ? {} : this.#channel.take()
    const objects = this.#snapshot.takeObjects()
    const kept = { env, argv, execArgv, exitCode, isExiting, events, eventsCount, objects, thread: threadValues() }
    const apart = this.#apart.map((each) => each.take())
    this.#views.set(from, { ...kept, graph, streams, channel, apart })
    const view = this.#views.get(to)!
    process.env = view.env
    process.argv = view.argv
    process.execArgv = view.execArgv
    process.exitCode = view.exitCode
    emitter._events = view.events
    emitter._eventsCount = view.eventsCount
    emitter._exiting = view.isExiting
    for (const [at, name] of OF_THREAD.entries()) if (name in workers) workers[name] = view.thread[at]
    for (const changes of view.objects) putChanges(changes)
    if (!to.process.isFirst) this.#channel.put(view.channel)
    for (const [at, each] of this.#apart.entries()) if (view.apart !== undefined) each.put(view.apart[at])
    view.graph?.enter()
  }

  reset(): void {
    if (this.#views.size > 0) this.#views.clear()
  }
}

/** Makes the standard streams of `process` those of the running isolate. */
export function interceptStreams(host: Activity, running: () => Streams | undefined): void {
  // The console keeps the first streams that it finds: those of the process, never of a thread.
  const { _stdout, _stderr } = console as unknown as Record<string, unknown>
  void [_stdout, _stderr]
  for (const name of STREAMS) {
    const descriptor = Object.getOwnPropertyDescriptor(process, name)!
    Object.defineProperty(process, name, {
      ...descriptor,
      get: () => (host.active() ? running()?.[name] : undefined) ?? descriptor.get!.call(process),
    })
  }
}

/**
 * An environment as a thread has it: names and values are strings. Follows `EnvDefiner` and its
 * siblings in src/node_env_var.cc.
 */
export function environment(values: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const target: NodeJS.ProcessEnv = Object.create({})
  for (const name of Object.keys(values)) target[name] = `${values[name]}`
  // A symbol throws.
  const set = (name: string | symbol, value: unknown) => {
    target[`${name as string}`] = `${value}`
    return true
  }
  return new Proxy(target, {
    get: (env, name) => (typeof name === 'symbol' ? undefined : Reflect.get(env, name)),
    has: (env, name) => typeof name !== 'symbol' && Reflect.has(env, name),
    set: (_, name, value) => set(name, value),
    defineProperty(_, name, descriptor) {
      const { writable, enumerable, configurable, value } = descriptor
      if ('get' in descriptor || 'set' in descriptor) throw invalidDefinition(NO_ACCESSOR)
      if (!('value' in descriptor && writable && enumerable && configurable)) throw invalidDefinition(ONLY_PLAIN)
      return set(name, value)
    },
    preventExtensions() {
      throw new TypeError('Cannot freeze')
    },
  })
}

const invalidDefinition = (message: string) =>
  Object.assign(new TypeError(message), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' })
const NO_ACCESSOR = "'process.env' does not accept an accessor(getter/setter) descriptor"
const ONLY_PLAIN = "'process.env' only accepts a configurable, writable, and enumerable data descriptor"

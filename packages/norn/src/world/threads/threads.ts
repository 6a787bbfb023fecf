/**
 * Intercepts worker threads: each is an isolate in this thread, with its own modules.
 *
 * Node's `Worker` stays, and so do its arguments, events, streams and messages; norn answers for the
 * native handle under it (`startThread`, `stopThread`, `onexit`), and does here what
 * lib/internal/main/worker_thread.js does in the thread. Follows src/node_worker.cc of Node 24.
 */

import process from 'node:process'
import { hostRequire, internalBinding, requireInternal } from '../../loader/internals.ts'
import type { ModuleGraph } from '../../loader/resolve.ts'
import { contentText } from '../isolates/content-text.ts'
import { emitFailure, endByItself } from '../isolates/isolate-end.ts'
import { environment, type IsolateViews, type Streams } from '../isolates/isolate-views.ts'
import type { Isolates } from '../isolates/isolates.ts'
import { Loading } from '../isolates/loading.ts'
import type { Content } from '../isolates/messaging-record.ts'
import { threadPreloads } from '../isolates/node-call.ts'
import { printWarnings } from '../isolates/warnings.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { Isolate } from '../loop/isolate.ts'
import { type CallbackContext, contextOf, endContext } from '../realm/callback-scope.ts'
import { type Control, define, refusing } from '../realm/replace.ts'
import type { Ports, PortsHost } from './message-ports.ts'
import type { Platform } from './platform.ts'
import type { PortHandle } from './port-handle.ts'

export interface ThreadsHost extends Control, Pick<PortsHost, 'causality' | 'messaging'> {
  readonly ports: Ports
  readonly platform: Platform
  readonly isolates: Isolates
  readonly views: IsolateViews
  readonly builtins: { instantiate(): ModuleGraph | undefined }
  /** Passes an error that a script threw to the program's listeners. */
  caught(error: unknown, fromPromise?: boolean): void
}

export interface InterceptedThreads {
  /** An isolate has an error that none of its listeners took: it ends. */
  failed(error: unknown, code: number): void
  /** An isolate has ended, and what it held is closed. */
  ended(isolate: Isolate): void
  /** An isolate has nothing left to run. */
  finish(isolate: Isolate, isAlive: () => boolean): void
  reset(): void
}

/** The options of a `Worker` that matter in the thread. */
interface Options {
  readonly env?: object | symbol | null
  readonly execArgv?: readonly string[]
  readonly name?: string
  readonly eval?: boolean
}

interface NativeWorker {
  threadId: number
  threadName?: string
  readonly messagePort: unknown
}

interface LoadScript {
  readonly argv?: readonly string[]
  readonly doEval: false | 'classic' | 'data-url'
  readonly filename: string
  readonly hasStdin: boolean
  readonly publicPort: unknown
  readonly workerData: unknown
}

interface Thread {
  readonly isolate: Isolate
  readonly native: NativeWorker
  readonly options: Options
  /** The control port in the thread, and the parent's. */
  readonly port: PortHandle
  readonly outer: PortHandle
  /** The parent's end of `parentPort`. */
  publicPort: PortHandle | undefined
  readonly context: CallbackContext
  readonly data: Map<unknown, unknown>
  readonly loading: Loading
}

type Exit = (code: number, error: null, reason: null) => void
type AnyObject = Record<string, unknown>
type StdioClass<Stream> = new (port: unknown, name: string) => Stream

const io = requireInternal<{
  messageTypes: Readonly<
    Record<'UP_AND_RUNNING' | 'ERROR_MESSAGE' | 'COULD_NOT_SERIALIZE_ERROR' | 'LOAD_SCRIPT', string>
  > &
    Readonly<Record<'STDIO_PAYLOAD' | 'STDIO_WANTS_MORE_DATA', string>>
  kWaitingStreams: symbol
  kStdioWantsMoreDataCallback: symbol
  ReadableWorkerStdio: StdioClass<Streams['stdin']>
  WritableWorkerStdio: StdioClass<Streams['stdout']>
}>('internal/worker/io')
const types = io.messageTypes
const { unavailable } = requireInternal<{ unavailable(name: string): Function }>('internal/process/worker_thread_only')
const serdes = requireInternal<{ serializeError(error: unknown): unknown; deserializeError(error: unknown): unknown }>(
  'internal/error_serdes',
)
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV')

const { ERR_WORKER_UNSUPPORTED_OPERATION: Unsupported } = requireInternal<{
  codes: Record<'ERR_WORKER_UNSUPPORTED_OPERATION', new (what: string) => Error>
}>('internal/errors').codes

/** What a thread may not do (lib/internal/bootstrap/switches/does_not_own_process_state.js). */
const UNAVAILABLE = ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid']
/** What its process does not have. */
const MISSING = ['_startProfilerIdleNotifier', '_stopProfilerIdleNotifier', '_debugProcess', '_debugPause', '_debugEnd']

/** A channel that it may not even look at (lib/internal/main/worker_thread.js). */
const withoutChannel = (name: string): PropertyDescriptor => ({
  configurable: true,
  get: () => {
    throw new Unsupported(`process.${name}`)
  },
})

/** Options of Node that change how the script and its modules are found and read. */
const LOADING = /^(--loader|--experimental-loader|--input-type|-C|--conditions|--no-addons)(=|$)/

export const workerThreads: Interceptor<ThreadsHost, { readonly threads: InterceptedThreads }> = {
  name: 'worker threads',
  builtins: {
    worker_threads: {
      controlled:
        'Worker MessagePort MessageChannel BroadcastChannel receiveMessageOnPort setEnvironmentData getEnvironmentData',
      uncontrolled: 'moveMessagePortToContext postMessageToThread',
      plain: 'markAsUncloneable markAsUntransferable isMarkedAsUntransferable',
      note:
        "A worker runs in norn's own thread, with modules, globals and a process of its own; one that loops until it is terminated is reported as a hang. A message between two " +
        'threads takes a drawn time; in one thread it arrives in the next poll phase, as in Node. `resourceLimits` have no ' +
        'effect; loaders and conditions in `execArgv`, heap snapshots and profiles of a worker are uncontrolled. ' +
        'A transferred stream uses messages.',
    },
  },
  install: (host) => {
    const threads = interceptThreads(host)
    return {
      provides: { threads },
      leave: threads.reset,
      closeOf: (isolate) => {
        if (isolate.parent !== undefined) threads.ended(isolate)
      },
    }
  },
}

function interceptThreads(host: ThreadsHost): InterceptedThreads {
  const { ports, isolates, causality } = host
  const workers = hostRequire('node:worker_threads') as unknown as AnyObject
  const natives = internalBinding('worker').Worker.prototype as AnyObject
  const threads = new Map<Isolate, Thread>()
  const exits = new WeakMap<object, Exit | null>()
  const byNative = new WeakMap<object, Thread>()
  let options: Options = {}
  /** The thread of the `Worker` that Node constructs. */
  let beginning: Thread | undefined

  /** The native handle has just been created, and Node is about to use its port. */
  const adopt = (native: NativeWorker) => {
    const isolate = new Isolate(++causality.isolate.process.threads, causality.isolate)
    // Node joins each thread to the main one by its id, which here is that of one process among several.
    native.threadId = linkOf(isolate)
    const port = ports.connect(native.messagePort, isolate)
    const outer = ports.handleOf(native.messagePort)!
    port.context = { ...port.context, triggerId: 0, frame: undefined }
    const data = structuredClone(environmentData())
    const context = contextOf(native)
    const thread: Thread = {
      isolate,
      native,
      options,
      port,
      outer,
      publicPort: undefined,
      context,
      data,
      loading: new Loading((error) => host.caught(error, true)),
    }
    host.messaging()?.starts(isolate, '')
    outer.end!.contentOf = port.end!.contentOf = controlContent
    threads.set(isolate, thread)
    beginning = thread
    byNative.set(native, thread)
    port.port.on('message', (message: LoadScript & { type: string; stream: keyof Streams; chunks: Chunk[] }) =>
      receive(thread, message),
    )
  }

  Object.defineProperty(natives, 'onexit', {
    configurable: true,
    get(this: object) {
      return exits.get(this)
    },
    set(this: NativeWorker, exit: Exit | null) {
      exits.set(this, exit)
      if (host.active() && !byNative.has(this)) adopt(this)
    },
  })

  const method = (name: string, mine: (thread: Thread) => unknown) => {
    const real = natives[name] as Function
    define(natives, name, function (this: object, ...args: unknown[]) {
      const thread = host.active() ? byNative.get(this) : undefined
      return thread === undefined ? Reflect.apply(real, this, args) : mine(thread)
    })
  }
  method('startThread', (thread) => {
    const { isolate, options, outer, port } = thread
    const streams = streamsOf(port.port)
    const env = environmentOf(options)
    const execArgv = (options.execArgv ?? process.execArgv).filter((each) => each !== '--')
    host.views.add(isolate, { env, argv: [process.argv[0]!], execArgv, graph: host.builtins.instantiate(), streams })
    isolates.add(isolate)
    // Beginning takes a drawn time; after that, what the streams say to each other does not.
    outer.end!.isQuiet = port.end!.isQuiet = true
  })
  method('stopThread', ({ isolate }) => {
    if (!isolate.hasEnded) host.messaging()?.terminates(isolate)
    isolate.exitCode ??= isolate.isStarted ? 1 : 0
  })
  method('ref', ({ isolate }) => {
    isolate.isRefed = true
  })
  method('unref', ({ isolate }) => {
    isolate.isRefed = false
  })
  method('hasRef', ({ isolate }) => isolate.isRefed && !isolate.hasEnded)
  for (const name of ['takeHeapSnapshot', 'getHeapStatistics', 'cpuUsage', 'startCpuProfile', 'startHeapProfile']) {
    if (typeof natives[name] === 'function') define(natives, name, refusing(host, `worker ${name}`, natives[name]))
  }

  define(
    workers,
    'Worker',
    new Proxy(workers.Worker as Function, {
      construct(target, args, newTarget) {
        if (!host.active()) return Reflect.construct(target, args, newTarget)
        const outer = options
        options = { ...(args[1] as Options | undefined) }
        const loading = options.execArgv?.find?.((argument) => LOADING.test(argument))
        if (loading !== undefined) host.refuse(`worker thread with ${loading}`)
        try {
          const worker = Reflect.construct(target, args, newTarget) as object
          beginning!.publicPort = publicPortOf(worker, ports)
          beginning!.native.threadId = beginning!.isolate.id
          host.messaging()?.isNamed(beginning!.isolate, fileOf(args, options), options.name)
          return worker
        } catch (error) {
          ports.forgetHalf()
          if (beginning !== undefined) beginning.isolate.exitCode ??= 0
          throw error
        } finally {
          options = outer
          beginning = undefined
        }
      },
    }),
  )

  const { umask } = process
  define(process, 'umask', (...args: [mask?: number]) => {
    if (host.active() && causality.isolate.parent !== undefined && args[0] !== undefined)
      throw new Unsupported('Setting process.umask()')
    return Reflect.apply(umask, process, args)
  })
  const environmentData = () => threads.get(causality.isolate)?.data ?? mainData
  const mainData = new Map<unknown, unknown>()
  const { setEnvironmentData, getEnvironmentData } = workers as Record<string, Function>
  define(workers, 'setEnvironmentData', (key: unknown, value: unknown) => {
    if (!host.active()) return setEnvironmentData!(key, value)
    if (value === undefined) environmentData().delete(key)
    else environmentData().set(key, value)
  })
  define(workers, 'getEnvironmentData', (key: unknown) =>
    host.active() ? environmentData().get(key) : getEnvironmentData!(key),
  )

  /** A message on the control port, in the thread. */
  const receive = (thread: Thread, message: LoadScript & { type: string; stream: keyof Streams; chunks: Chunk[] }) => {
    if (message.type === types.LOAD_SCRIPT) return load(thread, message)
    const stream = host.views.streamsOf(thread.isolate)![message.stream]
    if (message.type === types.STDIO_PAYLOAD) {
      for (const { chunk, encoding } of message.chunks) (stream as Streams['stdin']).push(chunk, encoding)
    } else (stream as unknown as Record<symbol, () => void>)[io.kStdioWantsMoreDataCallback]!()
  }

  const load = (thread: Thread, { argv, doEval, filename, hasStdin, publicPort, workerData }: LoadScript) => {
    const { isolate, port, options } = thread
    isolate.isStarted = true
    port.port.unref()
    for (const name of UNAVAILABLE) define(process, name, unavailable(`process.${name}()`))
    for (const name of MISSING) Reflect.deleteProperty(process, name)
    if (process.env.NODE_CHANNEL_FD) {
      for (const name of ['send', 'disconnect']) define(process, name, unavailable(`process.${name}()`))
      for (const name of ['channel', 'connected']) Object.defineProperty(process, name, withoutChannel(name))
    }
    Object.assign(workers, { isMainThread: false, threadId: isolate.id, parentPort: publicPort, workerData })
    if ('threadName' in workers) workers.threadName = options.name?.trim() || 'WorkerThread'
    process.argv.push(...(argv ?? []))
    if (!hasStdin) process.stdin.push(null)
    port.port.postMessage({ type: types.UP_AND_RUNNING })
    const graph = host.views.graphOf(isolate)!
    const name = doEval === 'classic' ? '[worker eval]' : filename
    if (doEval !== 'data-url') process.argv.splice(1, 0, name)
    const run = () => (doEval === false ? graph.run(filename) : graph.runText(filename))
    if (!isolate.process.isFirst) printWarnings(process.execArgv)
    thread.loading.begin(graph, threadPreloads(process.execArgv, process.env), run)
  }

  const exit = (thread: Thread) => {
    const { isolate, native, outer, publicPort, context } = thread
    const { exitCode } = isolate
    if (isolate.parent!.hasEnded) return
    const step = host.platform.work('thread exit', '', () => {
      ports.drain(publicPort)
      ports.drain(outer)
      native.threadId = linkOf(isolate)
      endContext(context, () => exits.get(native)?.call(native, exitCode!, null, null))
    })
    host.messaging()?.sends(step, { what: 'exit', text: `exits with code ${exitCode}` }, isolate.parent, isolate)
  }

  return {
    failed(error, code) {
      const { isolate, port } = threads.get(causality.isolate)!
      // Of a thread it does not count that a listener for errors threw.
      emitFailure(code === THREW ? 1 : code, 0)
      if (isolate.hasEnded) return
      if (code !== NOT_CALLABLE) port.port.postMessage(errorMessage(error))
      isolate.exitCode = Number(process.exitCode)
    },
    finish(isolate, isAlive) {
      const caught = (error: unknown) => host.caught(error, false)
      endByItself(isolate, isAlive, threads.get(isolate)!.loading.isUnfinished, caught)
    },
    ended(isolate) {
      exit(threads.get(isolate)!)
    },
    reset() {
      if (threads.size > 0) threads.clear()
      if (mainData.size > 0) mainData.clear()
    },
  }

  function environmentOf({ env }: Options): NodeJS.ProcessEnv {
    if (env === SHARE_ENV) return process.env
    return environment((env ?? process.env) as NodeJS.ProcessEnv)
  }
}

interface Chunk {
  readonly chunk: unknown
  readonly encoding: BufferEncoding
}

function errorMessage(error: unknown): object {
  try {
    return { type: types.ERROR_MESSAGE, error: serdes.serializeError(error) }
  } catch {
    return { type: types.COULD_NOT_SERIALIZE_ERROR }
  }
}

/** What a process exits with that has no function for uncaught errors, and one whose listener for them throws. */
const [NOT_CALLABLE, THREW] = [6, 7]

/** More than a process has threads. */
const MANY = 2 ** 16

/** A number that no other thread of the execution has. */
function linkOf({ id, process: { pid } }: Isolate): number {
  return pid * MANY + id
}

/** What a worker runs: a file, or its text. */
function fileOf([script]: readonly unknown[], options: Options): string {
  return options.eval === true ? '[eval]' : `${script}`.startsWith('data:') ? '[data URL]' : `${script}`
}

/** What Node's control port of a thread carries; undefined for what says nothing of the program. */
function controlContent(message: unknown): Content | undefined {
  const { type, workerData, chunks, error } = message as Partial<LoadScript> &
    Record<'type' | 'chunks' | 'error', unknown>
  if (type === types.LOAD_SCRIPT)
    return { what: 'start', text: workerData == null ? '' : `workerData: ${contentText(workerData)}` }
  if (type === types.STDIO_PAYLOAD) {
    const text = (chunks as Chunk[]).map(({ chunk }) => (chunk === null ? '' : `${chunk}`)).join('')
    return text === '' ? undefined : { what: 'output', text: contentText(text) }
  }
  if (type === types.ERROR_MESSAGE) return { what: 'error', text: contentText(serdes.deserializeError(error)) }
  return undefined
}

/** Follows lib/internal/bootstrap/switches/is_not_main_thread.js: what waits for the parent is sent at the exit. */
function streamsOf(port: unknown): Streams {
  ;(port as Record<symbol, number>)[io.kWaitingStreams] = 0
  const stdin = new io.ReadableWorkerStdio(port, 'stdin')
  const stdout = new io.WritableWorkerStdio(port, 'stdout')
  const stderr = new io.WritableWorkerStdio(port, 'stderr')
  let isFlushed = false
  const flushed = <Stream>(stream: Stream): Stream => {
    if (isFlushed) return stream
    isFlushed = true
    process.on('exit', () => {
      for (const each of [stdout, stderr])
        (each as unknown as Record<symbol, () => void>)[io.kStdioWantsMoreDataCallback]!()
    })
    return stream
  }
  return {
    stdin,
    get stdout() {
      return flushed(stdout)
    },
    get stderr() {
      return flushed(stderr)
    },
  }
}

/** The parent's end of `parentPort`, kept under a symbol of Node's. */
function publicPortOf(worker: object, ports: Ports): PortHandle | undefined {
  const symbol = Object.getOwnPropertySymbols(worker).find(({ description }) => description === 'kPublicPort')
  return symbol === undefined ? undefined : ports.handleOf(Reflect.get(worker, symbol))
}

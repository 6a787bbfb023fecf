/**
 * Intercepts what a program asks of its process: identity, input and output, exit, and uncaught
 * errors. directory.ts has its working directory.
 *
 * Follows lib/internal/process/execution.js: the native side passes every uncaught error to
 * `process._fatalException`, which norn replaces, so that the program's `uncaughtException` and
 * `unhandledRejection` listeners work and only errors that none of them takes are failures. Nothing
 * here reaches the real process.
 */

import { createReadStream, type ReadStream, writeSync } from 'node:fs'
import { constants } from 'node:os'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { format } from 'node:util'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import { interceptStreams, type Streams } from '../isolates/isolate-views.ts'
import type { Apart, Interceptor } from '../loop/interceptor.ts'
import type { OsProcess } from '../loop/os-process.ts'
import { type Control, define } from '../realm/replace.ts'
import type { Processes } from './child-processes.ts'

/** Active requests are left out: listing them crashes Node when a collection runs meanwhile. */
const activeHandles = internalBinding('process_methods')._getActiveHandles as () => unknown[]

/** Its functions may be those of a program. */
const publicTimers = requireInternal<typeof import('node:timers')>('node:timers')

/** Captured before any program can replace it. */
const nextTurn = setImmediate

export interface ProcessHost extends Control {
  /** The running process. */
  running(): OsProcess
  /**
   * Called with an error that no listener of the program took; `rejection` if it came from a
   * promise, `code` with which a process exits for it: 1 by default.
   */
  uncaught(error: unknown, rejection: boolean, code?: number): void
  /** Called when the program asks to exit; throws. */
  exited(how: 'exit' | 'abort', code: number): never
  output(text: string): void
  readonly children: Pick<Processes, 'kill'>
  /** Called when the program listens for an event of `process`. */
  listened(listener: unknown): void
  /** Whether the execution or the running isolate has ended, so that errors no longer count. */
  stopped(): boolean
  /** The standard streams of the running isolate; undefined for those of the process. */
  streams(): Streams | undefined
}

interface InterceptedProcess {
  /** Restores the process as of installation. */
  reset(): void
  /** Who captures uncaught errors. */
  readonly apart: Apart
  readonly caught: Caught
}

export const processObject: Interceptor<ProcessHost, { readonly caught: Caught }> = {
  name: 'process',
  builtins: {
    process: {
      controlled:
        'uptime cpuUsage resourceUsage memoryUsage constrainedMemory availableMemory threadCpuUsage hrtime exit abort ' +
        'reallyExit nextTick emitWarning _tickCallback _fatalException setUncaughtExceptionCaptureCallback ' +
        'hasUncaughtExceptionCaptureCallback umask chdir cwd openStdin',
      uncontrolled:
        'kill dlopen execve setSourceMapsEnabled setuid setgid seteuid setegid setgroups initgroups _kill ' +
        '_debugProcess _debugEnd addUncaughtExceptionCaptureCallback',
      plain:
        'getuid geteuid getgid getegid getgroups assert getBuiltinModule binding _linkedBinding _rawDebug ref unref ' +
        '_startProfilerIdleNotifier _stopProfilerIdleNotifier',
      note: '`kill` with signal 0 tests for a process, and is controlled: only the program itself exists.',
    },
  },
  install: (host) => {
    const { reset, apart, caught } = interceptProcess(host)
    return {
      provides: { caught },
      leave: reset,
      apart,
    }
  },
}

function interceptProcess(host: ProcessHost): InterceptedProcess {
  interceptIdentity(host)
  interceptEnd(host)
  const caught = interceptErrors(host)
  for (const name of ['stdout', 'stderr'] as const) interceptOutput(host, process[name], name)

  process.on('newListener', (_, listener) => {
    if (host.active()) host.listened(listener)
  })
  const resetInput = interceptInput(host)
  const apart = interceptCapture()
  interceptStreams(host, () => host.streams())
  return {
    reset() {
      resetInput()
      apart.take()
    },
    apart,
    caught,
  }
}

function interceptIdentity(host: ProcessHost): void {
  for (const name of ['pid', 'ppid'] as const) {
    const real = process[name]
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => (host.active() ? host.running()[name] : real),
    })
  }
  const realKill = process.kill
  define(process, 'kill', (pid: number, given?: string | number) => {
    const signal = given === 0 ? 0 : given || 'SIGTERM'
    // Of wrong arguments Node reports the error.
    const isValid = Number(pid) === (pid | 0) && (signal === (+signal | 0) || signal in constants.signals)
    if (!host.active() || !isValid) return realKill.call(process, pid, given)
    const error = host.children.kill(pid, signal)
    if (error === 0) return true
    if (error === undefined && signal !== 0) return host.refuse(`process.kill(${pid}, ${signal})`)
    if (pid === host.running().pid) return true
    throw Object.assign(new Error('kill ESRCH'), { errno: -3, code: 'ESRCH', syscall: 'kill' })
  })
}

/** Every execution has its own, empty standard input. */
function interceptInput(host: ProcessHost): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(process, 'stdin')!
  let stdin: ReadStream | undefined
  Object.defineProperty(process, 'stdin', {
    ...descriptor,
    get: () => {
      if (!host.active()) return descriptor.get!.call(process)
      stdin ??= Object.assign(createReadStream('', { fd: 0, autoClose: false }), { fd: 0 })
      return stdin
    },
  })
  return () => {
    stdin = undefined
  }
}

function interceptEnd(host: ProcessHost): void {
  const { _rawDebug } = process as unknown as { _rawDebug(...values: unknown[]): void }
  define(process, '_rawDebug', (...values: unknown[]) => {
    if (!host.active()) return _rawDebug(...values)
    // C++ writes it; what has ended prints nothing.
    if (!host.stopped()) writeSync(2, `${format(...values)}\n`)
  })
  const { reallyExit } = process as unknown as { reallyExit(code?: number): never }
  define(process, 'reallyExit', (code?: number) => {
    if (host.active()) host.exited('exit', code ?? 0)
    reallyExit.call(process, code)
  })
  const realAbort = process.abort
  define(process, 'abort', () => {
    if (host.active()) host.exited('abort', 134)
    realAbort.call(process)
  })
}

type FatalException = (error: unknown, fromPromise: boolean) => boolean
type Caught = (error: unknown, fromPromise?: boolean) => void

/** Exit codes: the program made `_fatalException` what is no function; it threw. */
const NOT_CALLABLE = 6
const THROWN = 7

/** Returns what handles an uncaught error, as C++ does: it calls whatever a program has put in the place of Node's. */
function interceptErrors(host: ProcessHost): Caught {
  const holder = process as unknown as { _fatalException: FatalException }
  const { _fatalException: real } = holder
  const mine: FatalException = (error, fromPromise) => {
    if (!host.active()) return real.call(process, error, fromPromise)
    handleUncaught(host, error, fromPromise)
    return true
  }
  define(process, '_fatalException', mine)
  return (error, fromPromise = false) => {
    const { _fatalException: now } = holder
    if (now === mine) handleUncaught(host, error, fromPromise)
    else if (!host.stopped()) handleAsReplaced(host, now, error, fromPromise)
  }
}

function handleAsReplaced(host: ProcessHost, now: unknown, error: unknown, fromPromise: boolean): void {
  try {
    if (typeof now !== 'function') host.uncaught(error, fromPromise, NOT_CALLABLE)
    else if (!Reflect.apply(now, process, [error, fromPromise])) host.uncaught(error, fromPromise)
  } catch (thrown) {
    host.uncaught(thrown, false, THROWN)
  }
}

type Capture = (error: unknown) => void

/** Set by `process.setUncaughtExceptionCaptureCallback`; Node keeps it private. */
let capture: Capture | null = null

function interceptCapture(): Apart {
  const { setUncaughtExceptionCaptureCallback: real } = process
  const set = (callback: Capture | null) => {
    real.call(process, callback)
    capture = callback
  }
  Object.defineProperty(set, 'name', { value: real.name })
  define(process, real.name, set)
  return {
    take() {
      const kept = capture
      if (kept !== null) set(null)
      return kept
    },
    put(kept: Capture | null) {
      if (kept !== null) set(kept)
    },
  }
}

/** Handles an uncaught error as Node does: the program's listeners first. */
function handleUncaught(host: ProcessHost, error: unknown, fromPromise: boolean): void {
  if (host.stopped()) return
  try {
    // Node does this so that ticks run; so a loop that was at its end goes on.
    if (isTaken(error, fromPromise ? 'unhandledRejection' : 'uncaughtException')) publicTimers.setImmediate(() => {})
    else host.uncaught(error, fromPromise)
  } catch (thrown) {
    host.uncaught(thrown, false, THROWN)
  }
}

function isTaken(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): boolean {
  const emitter = process as NodeJS.EventEmitter
  emitter.emit('uncaughtExceptionMonitor', error, origin)
  if (capture === null) return emitter.emit('uncaughtException', error, origin)
  capture(error)
  return true
}

type Write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown) => boolean

/**
 * The console lets no error of its stream be uncaught (`createWriteErrorHandler` of
 * lib/internal/console/constructor.js), but knows the stream of norn's process alone.
 *
 * @returns what makes of its callback one that does so for a stream
 */
function quietOf(stream: Writable): (callback: unknown) => unknown {
  return (callback) => {
    if (typeof callback !== 'function') return callback
    return (error?: Error | null) => {
      const { errorEmitted } = (stream as unknown as { _writableState: { errorEmitted: boolean } })._writableState
      if (error && !errorEmitted && stream.listenerCount('error') === 0) stream.once('error', () => {})
      callback(error)
    }
  }
}

/** Under the world output is kept with the execution and does not reach the real stream. */
function interceptOutput(host: ProcessHost, stream: NodeJS.WriteStream, name: 'stdout' | 'stderr'): void {
  const real = stream.write as Write
  const mine: Write = function (this: NodeJS.WriteStream, chunk, encoding, callback) {
    if (!host.active()) return real.call(this, chunk, encoding, callback)
    // The console of a thread writes here.
    const own = host.streams()?.[name]
    if (own !== undefined) {
      const quiet = quietOf(own)
      return Reflect.apply(own.write, own, [chunk, quiet(encoding), quiet(callback)])
    }
    host.output(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = typeof encoding === 'function' ? encoding : callback
    if (typeof done === 'function') process.nextTick(done as () => void)
    return true
  }
  define(stream, 'write', mine)
  const { end } = stream
  define(stream, 'end', function (this: NodeJS.WriteStream, ...args: unknown[]) {
    if (!host.active()) return Reflect.apply(end, this, args)
    const [chunk, encoding, callback] = typeof args[0] === 'function' ? ['', args[0]] : args
    mine.call(this, (chunk ?? '') as string, encoding, callback)
    return this
  })
}

/**
 * Open handles that keep the real loop alive: an execution must add none. Between executions norn
 * opens none, and others act only when the loop turns, so until then the count is cached.
 */
export class OpenHandles {
  #known: number | undefined

  /** The number before an execution. */
  before(): number {
    if (this.#known === undefined) {
      this.#known = activeHandles().length
      nextTurn(() => this.forget())
    }
    return this.#known
  }

  /** Whether the number has grown. */
  haveGrown(before: number): boolean {
    const grown = activeHandles().length > before
    if (grown) this.forget()
    return grown
  }

  forget(): void {
    this.#known = undefined
  }
}

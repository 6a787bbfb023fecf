/**
 * Owns what a program asks of its process: identity, output, its end, and what happens to errors that nobody caught. For
 * its working directory see directory.ts.
 *
 * Follows lib/internal/process/execution.js: the native side hands every uncaught error to `process._fatalException`,
 * which the world replaces, so that a program's own `uncaughtException` and `unhandledRejection` listeners work as
 * ever and only what none of them takes is a finding. Nothing a program does here reaches the real process.
 */
import { createReadStream, type ReadStream } from 'node:fs'
import { internalBinding } from '../../loader/internals.ts'
import { type Control, define, replaceWhileActive } from '../replace.ts'

/** Asking for requests too would crash Node now and then: it walks them while a collection takes some away. */
const activeHandles = internalBinding('process_methods')._getActiveHandles as () => unknown[]

/** As it was before any program could replace it. */
const nextTurn = setImmediate

export interface ProcessHost extends Control {
  /** An error that no listener of the program took; `rejection` if it came from a promise. */
  uncaught(error: unknown, rejection: boolean): void
  /** The program asked to end; throws. */
  exited(how: 'exit' | 'abort', code: number): never
  output(text: string): void
  /** Somebody listens for an event of `process`. */
  listened(event: string): void
  /** Whether errors still count; after the end of an execution they do not. */
  stopped(): boolean
}

export interface InterceptedProcess {
  /** Back to how the process was when the world was installed. */
  reset(): void
}

/** The process id that a program under the world sees. */
const VIRTUAL_PID = 4242

export function interceptProcess(host: ProcessHost): InterceptedProcess {
  interceptIdentity(host)
  interceptResources(host)
  interceptEnd(host)
  interceptErrors(host)
  for (const stream of [process.stdout, process.stderr]) interceptOutput(host, stream)

  process.on('newListener', (event) => {
    if (host.active()) host.listened(String(event))
  })
  const resets = [interceptInput(host), interceptMask(host), interceptCapture()]
  return {
    reset() {
      for (const reset of resets) reset()
    },
  }
}

function interceptIdentity(host: ProcessHost): void {
  for (const [name, virtual] of [
    ['pid', VIRTUAL_PID],
    ['ppid', 1],
  ] as const) {
    const real = process[name]
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => (host.active() ? virtual : real),
    })
  }
  const realKill = process.kill
  define(process, 'kill', (pid: number, signal: string | number = 'SIGTERM') => {
    if (!host.active()) return realKill.call(process, pid, signal)
    if (signal !== 0) return host.refuse(`process.kill(${pid}, ${signal})`)
    if (pid === VIRTUAL_PID) return true
    throw Object.assign(new Error('kill ESRCH'), { errno: -3, code: 'ESRCH', syscall: 'kill' })
  })
}

/** What keeps the real loop alive is norn's; a program sees its own timers, from where Node counts them. */
function interceptResources(host: ProcessHost): void {
  const { timeoutInfo, immediateInfo } = internalBinding('timers') as Record<string, Uint32Array>
  const named = (name: string, count: number) => new Array<string>(count).fill(name)
  for (const name of ['_getActiveHandles', '_getActiveRequests']) replaceWhileActive(host, process, name, () => [])
  replaceWhileActive(host, process, 'getActiveResourcesInfo', () => [
    ...named('Timeout', timeoutInfo![0]!),
    ...named('Immediate', immediateInfo![1]!),
  ])
}

/** Each execution reads a standard input of its own, which ends at once. */
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

function interceptMask(host: ProcessHost): () => void {
  const { umask } = process
  let before: number | undefined
  define(process, 'umask', (...args: [mask: number]) => {
    const old = Reflect.apply(umask, process, args)
    if (host.active() && args[0] !== undefined) before ??= old
    return old
  })
  return () => {
    if (before !== undefined) umask.call(process, before)
    before = undefined
  }
}

function interceptEnd(host: ProcessHost): void {
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

function interceptErrors(host: ProcessHost): void {
  const { _fatalException: real } = process as unknown as { _fatalException: FatalException }
  const mine: FatalException = (error, fromPromise) => {
    if (!host.active()) return real.call(process, error, fromPromise)
    handleUncaught(host, error, fromPromise)
    return true
  }
  define(process, '_fatalException', mine)
}

type Capture = (error: unknown) => void

/** Set by `process.setUncaughtExceptionCaptureCallback`; Node keeps it privately. */
let capture: Capture | null = null

function interceptCapture(): () => void {
  const { setUncaughtExceptionCaptureCallback: set } = process
  define(process, 'setUncaughtExceptionCaptureCallback', (callback: Capture | null) => {
    set.call(process, callback)
    capture = callback
  })
  return () => {
    if (capture !== null) process.setUncaughtExceptionCaptureCallback(null)
  }
}

/** What Node does with an error that reached the top: the program's listeners first. */
export function handleUncaught(host: ProcessHost, error: unknown, fromPromise: boolean): void {
  if (host.stopped()) return
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException'
  try {
    const emitter = process as NodeJS.EventEmitter
    emitter.emit('uncaughtExceptionMonitor', error, origin)
    if (capture !== null) capture(error)
    else if (emitter.listenerCount('uncaughtException') > 0) emitter.emit('uncaughtException', error, origin)
    else host.uncaught(error, fromPromise)
  } catch (thrown) {
    host.uncaught(thrown, false)
  }
}

type Write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown) => boolean

/** Under the world, output is kept with the execution; the real stream never sees it. */
function interceptOutput(host: ProcessHost, stream: NodeJS.WriteStream): void {
  const real = stream.write as Write
  const mine: Write = function (this: NodeJS.WriteStream, chunk, encoding, callback) {
    if (!host.active()) return real.call(this, chunk, encoding, callback)
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
 * Handles of the real loop that are open and keep it alive: under the world there must be no new ones. Between executions
 * norn opens none, and what others do comes with the next turn of the loop: until then they need not be counted again.
 */
export class OpenHandles {
  #known: number | undefined

  /** How many there are, before an execution. */
  before(): number {
    if (this.#known === undefined) {
      this.#known = activeHandles().length
      nextTurn(() => this.forget())
    }
    return this.#known
  }

  /** Whether there are more than there were. */
  haveGrown(before: number): boolean {
    const grown = activeHandles().length > before
    if (grown) this.forget()
    return grown
  }

  forget(): void {
    this.#known = undefined
  }
}

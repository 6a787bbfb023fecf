/**
 * Intercepts child processes: the test's stand-ins play the programs.
 *
 * Follows src/process_wrap.cc and src/spawn_sync.cc of Node: a program that is not installed, or a
 * working directory that does not exist, is an ENOENT of the call, and its pipes have ended. Node's
 * `ChildProcess` stays, with its events, streams, timeouts and signals. Invariant: no process is
 * started, and the native handle is closed with the virtual one or with the execution.
 */
import { resolve } from 'node:path'
import { hostRequire, internalBinding } from '../../loader/internals.ts'
import type { ProgramFiles } from '../../loader/program-files.ts'
import { isTermination } from '../ending.ts'
import type { Isolate } from '../isolates/isolate.ts'
import { type Courier, Side } from '../network/connection.ts'
import { BEGIN_US, Child, type Output, Reaper, SPAWN_US } from '../processes/child.ts'
import { type CommandContext, type Commands, type Found, findCommand } from '../processes/commands.ts'
import { type Outcome, signalName, start } from '../processes/output.ts'
import { define } from '../replace.ts'
import { type CallbackContext, contextOf, inContext, type NativeObject } from './callback-scope.ts'
import { nativeCloser } from './native-handle.ts'
import type { Pipes } from './pipe.ts'
import { type NetworkHost, uv } from './stream-base.ts'

export interface ProcessesHost extends NetworkHost {
  /** The stand-ins of the property. */
  commands(): Commands
  performed(kind: string, resource: string): void
  output(text: string): void
}

interface Parts {
  readonly pipes: Pipes
  readonly files: ProgramFiles
}

/** One entry of `stdio`, as lib/internal/child_process.js makes it. */
interface Stdio {
  readonly type: 'ignore' | 'pipe' | 'overlapped' | 'inherit' | 'fd' | 'wrap'
  readonly handle?: object
  readonly fd?: number
  readonly ipc?: boolean
  readonly input?: Uint8Array
}

interface Options {
  readonly file: string
  readonly args: readonly string[] | undefined
  readonly cwd: string | undefined
  readonly envPairs: readonly string[] | undefined
  readonly stdio: readonly Stdio[]
  readonly detached: boolean
}

interface SyncOptions extends Options {
  readonly timeout?: number
  readonly maxBuffer?: number
  readonly killSignal?: number
}

interface ProcessHandle extends NativeObject {
  pid?: number
  onexit(code: number, signal: string): void
}

const { Process, constants } = internalBinding('process_wrap') as {
  Process: { prototype: Record<string, Function> }
  /** In versions of Node whose `spawn` takes its options one by one. */
  constants?: { readonly kProcessFlagDetached: number }
}
const signals = (hostRequire('node:os') as typeof import('node:os')).constants.signals

/** The first process id of a child. */
const FIRST_PID = 4243
/** Signals that do nothing unless a process asks for them, and those that stop it. */
const IGNORED = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH']
const STOPPING = ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU']
/** What a read takes at most. */
const READ_BYTES = 65536

export class Processes {
  readonly #host: ProcessesHost
  readonly #parts: Parts
  readonly #spawnNative: Function
  readonly #closeNative: (handle: object) => void
  #children = new Map<object, Child>()
  #handles: object[] = []
  #reapers = new Map<Isolate, Reaper>()
  #nextPid = FIRST_PID

  constructor(host: ProcessesHost, parts: Parts) {
    this.#host = host
    this.#parts = parts
    this.#spawnNative = Process.prototype.spawn!
    this.#closeNative = nativeCloser(Process.prototype)
    const replace = (name: string, mine: (handle: ProcessHandle, ...args: never[]) => unknown) => {
      const real = Process.prototype[name]!
      define(Process.prototype, name, function (this: ProcessHandle, ...args: never[]) {
        return host.active() ? mine(this, ...args) : Reflect.apply(real, this, args)
      })
    }
    const setRef = (isRefed: boolean) => (handle: object) => {
      const child = this.#children.get(handle)
      if (child !== undefined) child.isRefed = isRefed
    }
    replace('spawn', (handle, ...args: unknown[]) => this.#spawn(handle, optionsOf(args)))
    replace('kill', (handle, signal: number) => this.#signal(this.#children.get(handle), signal))
    replace('close', (handle) => this.#children.delete(handle) && undefined)
    replace('ref', setRef(true))
    replace('unref', setRef(false))
    replace('hasRef', (handle) => this.#children.get(handle)?.keepsAlive() ?? false)
    const binding = internalBinding('spawn_sync')
    const { spawn: spawnSync } = binding
    binding.spawn = (options: SyncOptions) =>
      host.active() ? this.#spawnSync(options) : Reflect.apply(spawnSync, binding, [options])
  }

  /**
   * Sends a signal to a child, or with a negative id to the group that it leads.
   *
   * @returns an error number of libuv; undefined if no child has the id
   */
  kill(pid: number, signal: string | number): number | undefined {
    const number = typeof signal === 'number' ? signal : signals[signal as NodeJS.Signals]
    for (const child of this.#children.values()) {
      const { spawned } = child
      if (spawned.pid === pid || (spawned.isDetached && spawned.pid === -pid)) return this.#signal(child, number)
    }
    return undefined
  }

  /** Its children go on, and nobody hears of them. */
  closeOf(isolate: Isolate): void {
    const reaper = this.#reapers.get(isolate)
    if (reaper === undefined) return
    for (const child of reaper.children) this.#host.descriptors.close(child)
    this.#host.descriptors.close(reaper)
    this.#reapers.delete(isolate)
  }

  reset(): void {
    if (this.#handles.length === 0) return
    for (const handle of this.#handles) {
      // Only a handle that has tried to spawn can be closed: this fails before it starts anything.
      Reflect.apply(this.#spawnNative, handle, IMPOSSIBLE)
      this.#closeNative(handle)
    }
    this.#handles = []
    this.#children = new Map()
    this.#reapers = new Map()
    this.#nextPid = FIRST_PID
  }

  #find({ file, args }: Options): Found {
    const found = findCommand(this.#host.commands(), file, args ?? [file])
    return typeof found === 'string' ? this.#host.refuse(found) : found
  }

  #contextOf({ cwd, envPairs }: Options): CommandContext {
    const env: Record<string, string> = {}
    for (const pair of envPairs ?? []) {
      const at = pair.indexOf('=', 1)
      env[pair.slice(0, at)] = pair.slice(at + 1)
    }
    return { env, cwd: resolve(process.cwd(), cwd ?? '') }
  }

  /** Whether the call finds the program, and its directory. */
  #exists({ command, inShell }: Found, { cwd }: Options, context: CommandContext): boolean {
    if (command === null && !inShell) return false
    return cwd === undefined || this.#parts.files.kind(context.cwd) === 'directory'
  }

  #reaper(): Reaper {
    const { isolate } = this.#host.causality
    let reaper = this.#reapers.get(isolate)
    if (reaper === undefined) {
      reaper = new Reaper(isolate)
      this.#reapers.set(isolate, reaper)
      this.#host.descriptors.watch(reaper)
    }
    return reaper
  }

  #spawn(handle: ProcessHandle, options: Options): number {
    this.#handles.push(handle)
    const found = this.#find(options)
    const context = this.#contextOf(options)
    const exists = this.#exists(found, options, context)
    // Of what does not exist, the ends of the pipes are there at once.
    const { announce, nowUs } = this.#host
    const courier: Courier = exists ? this.#host : { nowUs, announce: (kind, resource) => announce(kind, resource) }
    this.#host.sleepUs(SPAWN_US)
    const pid = this.#nextPid++
    const [stdin, stdout, stderr, ...others] = options.stdio.map((stdio, index) =>
      this.#connected(stdio, index, found.name, courier),
    )
    const sides = [stdin, stdout, stderr, ...others].filter((each) => each instanceof Side)
    if (!exists) {
      for (const side of sides) side.close()
      return uv.UV_ENOENT!
    }
    handle.pid = pid
    const callback: CallbackContext = contextOf(handle)
    const spawned = { found, pid, context, stdin: stdin instanceof Side ? stdin : undefined, stdout, stderr }
    const rest = { others: others.filter((each) => each instanceof Side), isDetached: options.detached }
    const child = new Child(this.#host, this.#reaper(), { ...spawned, ...rest }, (code, signal) =>
      inContext(callback, () => handle.onexit(code, signal)),
    )
    this.#children.set(handle, child)
    return 0
  }

  /** Connects an entry of `stdio`; returns the child's end. */
  #connected(stdio: Stdio, index: number, name: string, courier: Courier): Output {
    if (stdio.ipc) return this.#host.refuse(`child process '${name}' with an IPC channel`)
    if (stdio.type === 'ignore') return undefined
    if (stdio.type === 'pipe' || stdio.type === 'overlapped') {
      const end = `${name} ${['stdin', 'stdout', 'stderr'][index] ?? `pipe ${index}`}`
      return this.#parts.pipes.connect(stdio.handle!, [end, end], courier)
    }
    if (stdio.type === 'wrap') return this.#host.refuse(`child process '${name}' that shares a socket`)
    if (stdio.fd! > 2) return this.#host.refuse(`child process '${name}' that shares a file`)
    return stdio.fd === 0 ? undefined : (bytes) => this.#host.output(Buffer.from(bytes).toString('utf8'))
  }

  #signal(child: Child | undefined, signal: number): number {
    if (child === undefined || child.isReaped) return uv.UV_ESRCH!
    if (signal === 0) return 0
    const name = signalName(signal)
    if (name === '') return uv.UV_EINVAL!
    if (STOPPING.includes(name)) return this.#host.refuse(`child process '${child.name}' stopped by ${name}`)
    if (!IGNORED.includes(name)) child.kill(name)
    return 0
  }

  #spawnSync(options: SyncOptions): object {
    const found = this.#find(options)
    const context = this.#contextOf(options)
    const { stdio, timeout = 0, killSignal = signals.SIGTERM } = options
    const nothing = { status: null, signal: null, output: null, pid: 0 }
    if (!this.#exists(found, options, context)) return { error: uv.UV_ENOENT, ...nothing }
    const { host, pid } = { host: this.#host, pid: this.#nextPid++ }
    const outputs = stdio.map((each, index) =>
      each.type === 'pipe' ? undefined : this.#connected(each, index, found.name, host),
    )
    const beforeUs = host.nowUs()
    host.performed('spawnSync', found.name)
    host.sleepUs(SPAWN_US + BEGIN_US)
    const outcome = this.#ended(found, stdio[0]?.input, context)
    const written = [undefined, outcome.stdout, outcome.stderr]
    const killed = { status: null, signal: outcome.signal || signalName(killSignal || signals.SIGTERM) }
    const output = stdio.map(({ type }, index) => {
      const output = outputs[index]
      const bytes = written[index]
      if (bytes !== undefined && typeof output === 'function' && bytes.length > 0) output(bytes)
      return type === 'pipe' && index > 0 ? Buffer.from(bytes ?? []) : null
    })
    if (timeout > 0 && host.nowUs() - beforeUs > timeout * 1000)
      return { pid, error: uv.UV_ETIMEDOUT, ...killed, output }
    const cut = kept(output, options.maxBuffer ?? Number.POSITIVE_INFINITY)
    if (cut !== undefined) return { pid, error: uv.UV_ENOBUFS, ...killed, output: cut }
    const isKilled = outcome.signal !== ''
    return { pid, status: isKilled ? null : outcome.code, signal: isKilled ? outcome.signal : null, output }
  }

  #ended(found: Found, input: Uint8Array | undefined, context: CommandContext): Outcome {
    const refuse = (why: string): never => this.#host.refuse(why)
    let outcome: ReturnType<typeof start>
    try {
      outcome = start(found, input === undefined ? '' : Buffer.from(input).toString('utf8'), context)
    } catch (error) {
      if (isTermination(error)) throw error
      return refuse((error as Error).message)
    }
    if (!(outcome instanceof Promise)) return outcome
    outcome.catch(() => {})
    return refuse(`child process '${found.name}' run synchronously, whose stand-in returns a promise`)
  }
}

/** What is read before the bound on all outputs ends it; undefined if they stay within it. */
function kept(output: readonly (Buffer | null)[], maxBytes: number): (Buffer | null)[] | undefined {
  const size = output.reduce((sum, each) => sum + (each?.length ?? 0), 0)
  if (maxBytes <= 0 || size <= maxBytes) return undefined
  let left = Math.ceil((maxBytes + 1) / READ_BYTES) * READ_BYTES
  return output.map((each) => {
    const part = each?.subarray(0, left) ?? null
    left -= part?.length ?? 0
    return part
  })
}

/** Options by position, or as an object. */
function optionsOf(args: readonly unknown[]): Options {
  if (constants === undefined) return args[0] as Options
  const [file, list, cwd, envPairs, stdio, flags] = args as [string, string[], string, string[], Stdio[], number]
  return { file, args: list, cwd, envPairs, stdio, detached: (flags & constants.kProcessFlagDetached) !== 0 }
}

const IMPOSSIBLE = ((): unknown[] => {
  const [file, args, stdio] = ['none', ['none'], [{ type: 'fd', fd: -1 }]]
  return constants === undefined ? [{ file, args, stdio }] : [file, args, undefined, undefined, stdio, 0]
})()

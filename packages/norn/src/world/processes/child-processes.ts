/**
 * Intercepts child processes: those of Node run as isolates, and the test's stand-ins play the others.
 *
 * Follows src/process_wrap.cc of Node: a program that is not installed, or a
 * working directory that does not exist, is an ENOENT of the call, and its pipes have ended. Node's
 * `ChildProcess` stays, with its events, streams, timeouts and signals. Invariant: no process is
 * started, and the native handle is closed with the virtual one or with the execution.
 */

import { resolve } from 'node:path'
import process from 'node:process'
import { hostRequire, internalBinding } from '../../loader/internals.ts'
import type { ProgramFiles } from '../../loader/program-files.ts'
import type { SharedOverlay } from '../files/shared-overlay.ts'
import { nodeCall } from '../isolates/node-call.ts'
import type { NodeLine } from '../isolates/node-line.ts'
import type { Interceptor, LeftOpen } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { FIRST_PID } from '../loop/os-process.ts'
import { type Courier, Side } from '../network/connection.ts'
import { atOnce, type NetworkHost } from '../network/network-host.ts'
import { type CallbackContext, contextOf, endContext } from '../realm/callback-scope.ts'
import { Termination } from '../realm/ending.ts'
import { define } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'
import { nativeCloser } from '../streams/native-handle.ts'
import type { Pipes } from '../streams/pipe.ts'
import type { Stream } from '../streams/stream-base.ts'
import { type Born, type Child, type Output, Reaper, SPAWN_US } from './child.ts'
import {
  type CommandContext,
  type Commands,
  type Found,
  findCommand,
  type NodeCall,
  type ShellPart,
} from './commands.ts'
import type { DescriptorTable } from './descriptor-table.ts'
import { NodeChild } from './node-child.ts'
import { type NodeProcesses, nodeName } from './node-processes.ts'
import { signalName } from './output.ts'
import { type Line, Shell } from './shell.ts'
import { argvOf, type Options, type Run, type Stdio, type SyncOptions } from './spawn-options.ts'
import { type SpawnSyncHost, spawnSync } from './spawn-sync.ts'
import { StandIn } from './stand-in.ts'
import type { UtilityFiles } from './utilities.ts'

export interface ProcessesHost extends NetworkHost, SpawnSyncHost {
  /** A child process is born within the call. */
  bears(child: object): void
  /** The stand-ins of the property. */
  commands(): Commands
  output(text: string): void
  readonly pipes: Pipes
  readonly files: { readonly program: ProgramFiles; list(path: string): string[]; share(): SharedOverlay | undefined }
  readonly table: DescriptorTable
  readonly nodes: NodeProcesses
  streamOf(handle: object): Stream | undefined
}

interface ProcessHandle {
  pid?: number
  onexit(code: number, signal: string): void
}

const { Process, constants } = internalBinding('process_wrap') as {
  Process: { prototype: Record<string, Function> }
  /** In versions of Node whose `spawn` takes its options one by one. */
  constants?: { readonly kProcessFlagDetached: number }
}
const signals = (hostRequire('node:os') as typeof import('node:os')).constants.signals

/** Signals that stop a process. */
const STOPPING = ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU']
const OWN_SCRIPT =
  'the script that runs this test (name your own: fork it in the body, or cluster.setupPrimary({ exec }))'
/** What a call returns that finds no program. */
const NOTHING = { status: null, signal: null, output: null, pid: 0 }

export const childProcesses: Interceptor<ProcessesHost, { readonly children: Processes }> = {
  name: 'child processes',
  builtins: {
    child_process: {
      controlled: 'exec execFile execFileSync execSync fork spawn spawnSync ChildProcess',
      uncontrolled: '_forkChild',
      note:
        'Node itself runs in the same thread, with its own modules and process; run synchronously it has a ' +
        'world of its own, which begins with the files of its parent and gives them back. Options that change Node ' +
        'itself and pipes beyond the standard streams are uncontrolled. Stand-ins play ' +
        'other programs: the option `commands` of the property. `echo`, `cat`, `true`, `false`, `sleep`, `pwd`, `env`, ' +
        '`ls` and lines of a shell of these and of Node come with norn. Another program is uncontrolled, and so are files that a ' +
        'child shares.',
    },
  },
  install: (host) => {
    const children = new Processes(host)
    return {
      provides: { children },
      leave: () => children.reset(),
      leftOpen: (left) => children.addLeft(left),
      closeOf: (isolate) => children.closeOf(isolate),
    }
  },
}

export class Processes {
  readonly #host: ProcessesHost
  readonly #spawnNative: Function
  readonly #closeNative: (handle: object) => void
  #children = new Map<object, Child>()
  #handles: object[] = []
  /** Children that may still be there. */
  #living: Child[] = []
  /** The script of the process that norn runs in. */
  readonly #entry = process.argv[1]
  #reapers = new Map<Isolate, Reaper>()
  /** The id of the next process. */
  nextPid = FIRST_PID + 1

  constructor(host: ProcessesHost) {
    this.#host = host
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
    const { spawn: realSpawn } = binding
    binding.spawn = (options: SyncOptions) =>
      host.active() ? this.#spawnSync(options) : Reflect.apply(realSpawn, binding, [options])
  }

  /**
   * Sends a signal to a child, or with a negative id to the group that it leads.
   *
   * @returns an error number of libuv; undefined if no child has the id
   */
  kill(pid: number, signal: string | number): number | undefined {
    const number = typeof signal === 'number' ? signal : signals[signal as NodeJS.Signals]
    for (const child of this.#living) {
      const { born } = child
      if (born.pid === pid) return this.#signal(child, number)
      if (!born.isDetached || born.pid !== -pid) continue
      if (child instanceof Shell) for (const each of child.programs) this.#signal(each, number)
      return this.#signal(child, number)
    }
    return undefined
  }

  /** Handles that keep an isolate alive, in order of creation. */
  handlesOf(isolate: Isolate): object[] {
    return [...this.#children].flatMap(([handle, child]) =>
      child.isolate === isolate && child.keepsAlive() ? [handle] : [],
    )
  }

  /** Children that the body's process leaves behind. */
  addLeft(left: LeftOpen[]): void {
    for (const child of this.#living)
      if (child.exit === undefined && child.isRefed) left.push({ path: child.name, opened: child, isProcess: true })
  }

  /** Its children go on, and nobody hears of them. */
  closeOf(isolate: Isolate): void {
    const reaper = this.#reapers.get(isolate)
    if (reaper === undefined) return
    for (const child of reaper.children) child.orphan()
    this.#host.descriptors.close(reaper)
    this.#reapers.delete(isolate)
  }

  reset(): void {
    this.nextPid = FIRST_PID + 1
    if (this.#handles.length === 0) return
    for (const handle of this.#handles) {
      // Only a handle that has tried to spawn can be closed: this fails before it starts anything.
      Reflect.apply(this.#spawnNative, handle, IMPOSSIBLE)
      this.#closeNative(handle)
    }
    this.#handles = []
    this.#children = new Map()
    this.#living = []
    this.#reapers = new Map()
  }

  #find({ file, args }: Options, context: CommandContext): Run {
    // What runs of it in the same turn starts nothing any more.
    if (this.#host.causality.isolate.hasEnded) throw new Termination('the process is over')
    const isNode = (path: string) => path === process.execPath || path === 'node'
    const machine = { isNode, env: context.env, files: this.#files() }
    const found = findCommand(this.#host.commands(), file, argvOf({ file, args }), machine)
    if (typeof found === 'string') return this.#host.refuse(found)
    if ('shell' in found) return found
    if (!('nodeArgs' in found)) return { found }
    return { line: this.#lineOf(found, context) }
  }

  #lineOf({ nodeArgs }: NodeCall, { env }: CommandContext): NodeLine {
    const line = nodeCall(nodeArgs, env)
    if (typeof line === 'string') return this.#host.refuse(`child process: ${line}`)
    if (line.script !== undefined && line.script === this.#entry)
      return this.#host.refuse(`child process: ${OWN_SCRIPT}`)
    return line
  }

  #files(): UtilityFiles {
    const { program, list } = this.#host.files
    return { kind: program.kind, read: program.read, list }
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
  #exists({ found }: Run, { cwd }: Options, context: CommandContext): boolean {
    if (found?.command === null && !found.inShell) return false
    return cwd === undefined || this.#host.files.program.kind(context.cwd) === 'directory'
  }

  #reaper({ isolate } = this.#host.causality): Reaper {
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
    const context = this.#contextOf(options)
    const run = this.#find(options, context)
    const exists = this.#exists(run, options, context)
    // Of what does not exist, the ends of the pipes are there at once.
    const courier = exists ? this.#host : atOnce(this.#host)
    this.#host.sleepUs(SPAWN_US)
    const pid = this.nextPid++
    const name = nameOf(run)
    const outputs = options.stdio.map((stdio, index) => this.#connected(stdio, index, name, courier, run))
    if (!exists) {
      for (const side of outputs) if (side instanceof Side) side.close()
      return uv.UV_ENOENT!
    }
    handle.pid = pid
    const callback: CallbackContext = contextOf(handle)
    const onExit = (code: number, signal: string) => endContext(callback, () => handle.onexit(code, signal))
    const born = { name, pid, isDetached: options.detached, onExit }
    const child = this.#start(born, run, context, outputs)
    this.#children.set(handle, child)
    this.#living.push(child)
    this.#host.bears(child)
    return 0
  }

  #start(born: Born, { found, line, shell }: Run, context: CommandContext, outputs: readonly Output[]): Child {
    if (found !== undefined) return this.#standIn(born, found, context, outputs)
    if (line !== undefined) return this.#node(born, line, context, outputs)
    const launch: Line['launch'] = (...program) => this.#launch(...program)
    return new Shell(this.#host, this.#reaper(), born, { items: shell, context, outputs, launch })
  }

  /** Starts a program of a shell, which alone hears of its end. */
  #launch({ runs }: ShellPart, context: CommandContext, outputs: readonly Output[], onExit: Born['onExit']): Child {
    const run: Run = 'nodeArgs' in runs ? { line: this.#lineOf(runs, context) } : { found: runs }
    const born = { name: nameOf(run), pid: this.nextPid++, isDetached: false, onExit }
    const child = this.#start(born, run, context, outputs)
    child.isRefed = false
    this.#living.push(child)
    return child
  }

  #standIn(born: Born, found: Found, context: CommandContext, outputs: readonly Output[]): Child {
    const [stdin, stdout, stderr, ...others] = outputs
    const spawned = { found, context, stdin: stdin instanceof Side ? stdin : undefined, stdout, stderr }
    const sides = others.filter((each) => each instanceof Side)
    return new StandIn(this.#host, this.#reaper(), born, { ...spawned, others: sides })
  }

  #node(born: Born, line: NodeLine, context: CommandContext, outputs: readonly Output[]): Child {
    const nodes = this.#host.nodes
    const program = nodes.create({ line, pid: born.pid, context, outputs })
    const child = new NodeChild(this.#host, this.#reaper(), born, program)
    nodes.bear(program.isolate, child)
    return child
  }

  /** Connects an entry of `stdio`; returns where the child's descriptor leads. */
  #connected({ type, ipc, handle, fd }: Stdio, index: number, name: string, courier: Courier, { line }: Run): Output {
    const refuse = (what: string) => this.#host.refuse(`child process '${name}' ${what}`)
    if (ipc && line === undefined) return refuse('with an IPC channel')
    if (type === 'ignore') return undefined
    if (type === 'pipe' || type === 'overlapped') {
      if (line !== undefined && index > 2 && !ipc) return refuse(`with a pipe at descriptor ${index}`)
      const end = `${name} ${ipc ? 'channel' : (['stdin', 'stdout', 'stderr'][index] ?? `pipe ${index}`)}`
      return this.#host.pipes.connect(handle!, [end, end], courier, ipc ? 'ipc' : 'pipe')
    }
    if (type === 'wrap') {
      const side = this.#host.streamOf(handle!)?.side ?? refuse('that shares a socket')
      side.hold()
      return side
    }
    const { table } = this.#host
    const { process: parent } = this.#host.causality.isolate
    return table.has(parent, fd!) ? table.inherit(parent, fd!) : refuse('that shares a file')
  }

  #signal(child: Child | undefined, signal: number): number {
    if (child === undefined || child.isReaped) return uv.UV_ESRCH!
    if (signal === 0) return 0
    const name = signalName(signal)
    if (name === '') return uv.UV_EINVAL!
    if (STOPPING.includes(name)) return this.#host.refuse(`child process '${child.name}' stopped by ${name}`)
    const { isolate } = this.#host.causality
    if (child instanceof NodeChild && child.program.isolate === isolate) child.signalsItself(name)
    else child.signal(name)
    return 0
  }

  #spawnSync(options: SyncOptions): object {
    const context = this.#contextOf(options)
    const run = this.#find(options, context)
    if (!this.#exists(run, options, context)) return { error: uv.UV_ENOENT, ...NOTHING }
    const name = nameOf(run)
    const outputs = options.stdio.map((each, index) =>
      each.type === 'pipe' ? undefined : this.#connected(each, index, name, this.#host, run),
    )
    return spawnSync(this.#host, { name, run, options, context, outputs, ids: this })
  }
}

function nameOf({ found, line }: Run): string {
  if (found !== undefined) return found.name
  return line === undefined ? 'sh' : nodeName(line)
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

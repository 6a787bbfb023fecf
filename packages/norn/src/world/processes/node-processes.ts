/**
 * Runs child processes that are Node programs: each is an isolate with a process of its own.
 *
 * Does here what lib/internal/process/pre_execution.js and lib/internal/main/run_main_module.js do
 * in the child: the channel to its parent and its place in a cluster before its script. What ends it
 * follows src/node_errors.cc (an uncaught error) and lib/internal/process/per_thread.js (`exit`).
 */

import type { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { basename, resolve } from 'node:path'
import process from 'node:process'
import { parseEnv } from 'node:util'
import { hostRequire } from '../../loader/internals.ts'
import type { ProgramFiles } from '../../loader/program-files.ts'
import type { ModuleGraph } from '../../loader/resolve.ts'
import { fatalText } from '../isolates/fatal-text.ts'
import { emitFailure, endByItself } from '../isolates/isolate-end.ts'
import { environment, type IsolateViews } from '../isolates/isolate-views.ts'
import type { Isolates } from '../isolates/isolates.ts'
import { Loading } from '../isolates/loading.ts'
import { type EnvFile, isFromStdin, type NodeLine } from '../isolates/node-line.ts'
import { printWarnings } from '../isolates/warnings.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { Isolate } from '../loop/isolate.ts'
import { OsProcess } from '../loop/os-process.ts'
import { type Courier, Side } from '../network/connection.ts'
import type { Control } from '../realm/replace.ts'
import type { Output } from './child.ts'
import type { CommandContext } from './commands.ts'
import type { DescriptorTable } from './descriptor-table.ts'
import type { NodeChild, Program } from './node-child.ts'
import { standardStreams } from './standard-streams.ts'

export interface NodeProcessesHost extends Pick<Courier, 'messaging'>, Control {
  readonly causality: Causality
  readonly isolates: Isolates
  readonly files: { readonly program: ProgramFiles }
  readonly table: DescriptorTable
  readonly views: IsolateViews
  readonly builtins: { instantiate(): ModuleGraph | undefined }
  /** Passes an error that a script threw to the program's listeners. */
  caught(error: unknown, fromPromise?: boolean): void
  readonly cluster: { join(): void }
}

/** What a parent asks for. */
export interface Asked {
  readonly line: NodeLine
  readonly pid: number
  readonly context: CommandContext
  /** Where its descriptors lead, from 0 on. */
  readonly outputs: readonly Output[]
}

interface Running {
  readonly line: NodeLine
  child: NodeChild | undefined
  readonly loading: Loading
}

/** As Node's child does; loaded late, because it loads `node:net`. */
const openChannel = (fd: number, serialization: string): void =>
  (hostRequire('node:child_process') as unknown as { _forkChild: typeof openChannel })._forkChild(fd, serialization)

/** What Node does before a text (lib/internal/process/execution.js): it finds builtins without `require`. */
const BUILTINS_AS_GLOBALS = `for (const name of require('module').builtinModules) {
  if (!/^[a-z]\\w*$/.test(name)) continue
  const define = (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true })
  Object.defineProperty(globalThis, name, { get: () => require(name), set: define, configurable: true })
}`

/** What Node exits with if its options are wrong. */
const INVALID_ARGUMENT = 9

export function nodeName({ script, text }: NodeLine): string {
  if (text !== undefined) return 'node --eval'
  return script === undefined ? 'node' : `node ${basename(script)}`
}

export const nodeProcesses: Interceptor<NodeProcessesHost, { readonly nodes: NodeProcesses }> = {
  name: 'child processes of Node',
  install: (host) => {
    const nodes = new NodeProcesses(host)
    return {
      provides: { nodes },
      leave: () => nodes.reset(),
      closeOf: (isolate) => {
        if (isolate.parent === undefined) nodes.ended(isolate)
      },
    }
  },
}

export class NodeProcesses {
  readonly #host: NodeProcessesHost
  #running = new Map<Isolate, Running>()

  constructor(host: NodeProcessesHost) {
    this.#host = host
  }

  /** Makes a process, which begins when its child says so. */
  create({ line, pid, context, outputs }: Asked): Program {
    const { isolates, table, causality, views } = this.#host
    const osProcess = new OsProcess(pid, causality.isolate.process)
    osProcess.directory = context.cwd
    const isolate = new Isolate(0, undefined, osProcess)
    table.give(osProcess, outputs)
    const { script } = line
    const path = script === undefined ? [] : [script === '-' ? script : resolve(context.cwd, script)]
    views.add(isolate, {
      env: environment(context.env),
      argv: [process.execPath, ...path, ...line.args],
      execArgv: [...line.execArgv],
      graph: this.#host.builtins.instantiate(),
      streams: standardStreams((fd) => table.get(osProcess, fd)),
    })
    const loading = new Loading((error) => this.#host.caught(error, true))
    const running: Running = { line, child: undefined, loading }
    this.#running.set(isolate, running)
    this.#host.messaging?.()?.starts(isolate, isFromStdin(line) ? '[stdin]' : (script ?? '[eval]'))
    isolates.add(isolate)
    return {
      isolate,
      sides: outputs.filter((each) => each instanceof Side),
      begin: () => this.#begin(isolate, running),
      hears: (signal) => (process as EventEmitter).emit(signal, signal, constants.signals[signal as NodeJS.Signals]),
    }
  }

  /** The child through which the parent hears of it. */
  bear(isolate: Isolate, child: NodeChild): void {
    this.#running.get(isolate)!.child = child
  }

  #begin(isolate: Isolate, running: Running): void {
    const { line } = running
    const { env } = process
    if (!this.#hasRead(line.envFiles, isolate)) {
      isolate.exitCode = INVALID_ARGUMENT
      return
    }
    if (env.NODE_CHANNEL_FD !== undefined) {
      const [fd, serialization] = [Number(env.NODE_CHANNEL_FD), env.NODE_CHANNEL_SERIALIZATION_MODE ?? 'json']
      delete env.NODE_CHANNEL_FD
      delete env.NODE_CHANNEL_SERIALIZATION_MODE
      openChannel(fd, serialization)
    }
    if (line.script !== undefined && env.NODE_UNIQUE_ID) {
      this.#host.cluster.join()
      delete env.NODE_UNIQUE_ID
    }
    printWarnings(line.options)
    const graph = this.#host.views.graphOf(isolate)!
    running.loading.begin(graph, line.preloads, () => this.#run(graph, running))
  }

  /** Adds variables of files, later ones before earlier ones. @returns whether the process goes on */
  #hasRead(envFiles: readonly EnvFile[], { process: osProcess }: Isolate): boolean {
    const { table, files } = this.#host
    const say = (text: string) => table.write(osProcess, 2, Buffer.from(`${text}\n`))
    const values: NodeJS.Dict<string> = {}
    for (const { path, isOptional } of envFiles) {
      const whole = resolve(osProcess.directory ?? '', path)
      const kind = files.program.kind(whole)
      if (kind === 'file') Object.assign(values, parseEnv(files.program.read(whole).toString('utf8')))
      else if (kind === 'nothing' && isOptional) say(`${path} not found. Continuing without it.`)
      else {
        say(`${process.execPath}: ${path}: ${kind === 'nothing' ? 'not found' : 'invalid format'}`)
        return false
      }
    }
    if (values.NODE_OPTIONS) this.#host.refuse('child process: a Node with NODE_OPTIONS in a file')
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
    return true
  }

  #run(graph: ModuleGraph, running: Running): void | Promise<unknown> {
    const { line, loading } = running
    const { isModule } = line
    if (line.text !== undefined) {
      if (!isModule) void graph.runText(BUILTINS_AS_GLOBALS, '[eval]')
      return runText(graph, isModule, line.text, '[eval]')
    }
    if (!isFromStdin(line)) return graph.run(process.argv[1]!)
    let text = ''
    process.stdin.setEncoding('utf8')
    process.stdin.on('data', (part: string) => {
      text += part
    })
    process.stdin.on('end', () => loading.follow(runText(graph, isModule, text, '[stdin]')))
    return undefined
  }

  /** An isolate has nothing left to run. */
  finish(isolate: Isolate, isAlive: () => boolean): void {
    const { isUnfinished } = this.#running.get(isolate)!.loading
    endByItself(isolate, isAlive, isUnfinished, (error) => this.#host.caught(error, false))
  }

  /** The running process has an error that none of its listeners took. */
  failed(error: unknown, code: number): void {
    const { causality, table, files } = this.#host
    const { isolate } = causality
    emitFailure(code, 1)
    if (isolate.hasEnded) return
    const text = fatalText(error, (path) => files.program.read(path).toString('utf8'))
    table.write(isolate.process, 2, Buffer.from(text))
    isolate.exitCode = Number(process.exitCode)
  }

  /** An isolate has been released, and what it held. */
  ended(isolate: Isolate): void {
    const { exitCode, process: ended } = isolate
    this.#host.table.close(ended)
    this.#running.get(isolate)!.child!.end({ code: exitCode! & 0xff, signal: ended.signal })
    this.#running.delete(isolate)
  }

  reset(): void {
    if (this.#running.size > 0) this.#running = new Map()
  }
}

function runText(graph: ModuleGraph, isModule: boolean, text: string, name: string): void | Promise<unknown> {
  return graph.runText(isModule ? `data:text/javascript,${encodeURIComponent(text)}` : text, name)
}

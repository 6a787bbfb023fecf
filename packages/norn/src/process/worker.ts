/**
 * The campaign's side of a process that runs executions: starts it, asks, listens, and notices when it hangs or dies.
 *
 * The flight recorder tells which execution was under way, so a hang or a crash costs one process and loses no tape.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Plan } from '../contract/plan.ts'
import { OWNER, removeLeftovers } from '../storage/files.ts'
import { readFlight } from './flight-recorder.ts'
import { memoryLimitMb, memoryShare, ranOutOfMemory } from './memory.ts'
import type {
  ChildConfiguration,
  ExploreOptions,
  FlightRecord,
  ListedProperty,
  Notice,
  RefusalReason,
  Reply,
  Request,
} from './protocol.ts'

export interface WorkerOptions extends Omit<ChildConfiguration, 'flightRecorder'> {
  /** What the process prints is shown, and it may take its time: somebody debugs it. */
  readonly inspect?: boolean
  /** Real time that one execution may take, in milliseconds; 10 s unless set. */
  readonly hangMs?: number
  /** What the process may hold in its heap, in MiB; see memory.ts. */
  readonly memoryMb?: number
}

/** How an execution takes its process with it. */
export type Loss = 'hang' | 'out of memory' | 'crash'

/**
 * What Node is started with where executions run. An execution leaves little but short-lived objects: room for many of
 * them (in MiB) makes collections rare, and what survives one small. V8 must not think otherwise, and make some of them
 * among the old ones (pretenuring): from there, dead but not yet collected, they keep all of their execution alive, which
 * gives V8 the more reason to.
 */
export const EXECUTION_FLAGS = [
  '--expose-internals',
  '--no-warnings',
  '--stack-trace-limit=40',
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
]

/** The conditions by which this process resolves packages hold in the process of executions too. */
function conditions(): string[] {
  const { execArgv } = process
  return execArgv.flatMap((flag, at) =>
    flag.startsWith('--conditions=')
      ? [flag]
      : flag === '-C' || flag === '--conditions'
        ? [flag, execArgv[at + 1]!]
        : [],
  )
}

/** How the folder of a worker is named; who owns it follows. */
const FOLDER = 'norn-worker-'

const WATCH_MS = 250
/** Memory is filled at a gigabyte or two a second. */
const MEMORY_WATCH_MS = 50
/** Holding this share of its memory, a process may take this many times as long. */
const FILLING = 0.4
const FILLING_PATIENCE = 3
export const HANG_MS = 10_000
/** Real time in which the process has to start and to load what it is to run, at least. */
const START_MS = 30_000
const MAX_ERROR_OUTPUT = 16_000

/** The process died or hung while it carried out a request. */
export class WorkerLost extends Error {
  readonly how: Loss
  /** The execution that was under way, if one was. */
  readonly flight: FlightRecord | undefined

  constructor(how: Loss, message: string, flight: FlightRecord | undefined) {
    super(message)
    this.name = 'WorkerLost'
    this.how = how
    this.flight = flight
  }
}

/** The process could not do what was asked; `message` is for a person, unless norn itself is wrong. */
export class RequestRefused extends Error {
  readonly why: RefusalReason
  constructor(why: RefusalReason, message: string, stack: string) {
    super(message)
    this.name = 'RequestRefused'
    this.why = why
    this.stack = stack
  }
}

/** Those that run: their processes and folders must not outlive this process, however it ends by itself. */
const running = new Set<Worker>()
process.once('exit', () => {
  for (const worker of running) worker.close()
})

interface Pending {
  resolve(reply: Reply): void
  reject(error: Error): void
  onNotice: ((notice: Notice) => void) | undefined
}

export class Worker {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #hangMs: number
  readonly #memoryMb: number
  #pending: Pending | undefined
  #lost: Error | undefined
  #errorOutput = ''
  #killedFor: Exclude<Loss, 'crash'> | undefined

  /** Of the process that runs the executions; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it was lost or closed, and can be asked no more. */
  get ended(): boolean {
    return this.#lost !== undefined
  }

  constructor(options: WorkerOptions) {
    if (running.size === 0) removeLeftovers(tmpdir(), FOLDER, '-')
    this.#folder = mkdtempSync(join(tmpdir(), `${FOLDER}${OWNER}-`))
    this.#hangMs = options.inspect ? Number.POSITIVE_INFINITY : (options.hangMs ?? HANG_MS)
    this.#memoryMb = memoryLimitMb(options.memoryMb)
    const entry = import.meta.url.endsWith('.ts') ? '../execution-process.ts' : '../execution-process.js'
    this.#child = fork(fileURLToPath(new URL(entry, import.meta.url)), [], {
      execArgv: [...EXECUTION_FLAGS, ...conditions(), `--max-old-space-size=${this.#memoryMb}`],
      // Where node:test runs a file of tests it tells its processes so; this one is none of them.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      serialization: 'advanced',
      // Ctrl-C on the terminal is for the campaign: it stops its workers, and their findings are kept.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    running.add(this)
    this.#child.stdout!.on('data', (chunk: Buffer) => this.#keepOutput(chunk, options.inspect))
    this.#child.stderr!.on('data', (chunk: Buffer) => this.#keepOutput(chunk, options.inspect))
    this.#child.on('message', (message) => this.#receive(message as Reply | Notice))
    this.#child.on('error', (error) => this.#fail(error))
    this.#child.on('close', (code, signal) => this.#closed(code, signal))
    const { inspect: _, hangMs: __, memoryMb: ___, ...configuration } = options
    this.#child.send({ configuration: { ...configuration, flightRecorder: this.#recorderPath } }, () => {})
    this.#unref()
  }

  /** While nothing is asked, this worker keeps no process from ending; a question keeps it by its watches. */
  #unref(): void {
    const { stdout, stderr, channel } = this.#child
    this.#child.unref()
    channel?.unref()
    // Pipes of a child are sockets, which their types do not say.
    for (const pipe of [stdout, stderr]) (pipe as Socket).unref()
  }

  get #recorderPath(): string {
    return join(this.#folder, 'flight.json')
  }

  /** A path for a file that lives as long as this worker. */
  scratchFile(name: string): string {
    return join(this.#folder, name)
  }

  async list(): Promise<readonly ListedProperty[]> {
    const reply = await this.#ask({ type: 'list' }, 'listed')
    return reply.properties
  }

  async execute(property: ListedProperty, plan: Plan, journal?: string): Promise<ExecutionResult> {
    const request = {
      type: 'execute',
      property,
      plan,
      explain: false,
      ...(journal === undefined ? {} : { journal }),
    } as const
    return (await this.#ask(request, 'executed')).result
  }

  /**
   * Runs a plan and gives what a person is shown of it.
   *
   * @param inspect opens the debugger, waits for it, and stops where the body begins
   */
  async explain(property: ListedProperty, plan: Plan, inspect = false) {
    const request = { type: 'execute', property, plan, explain: true, inspect } as const
    const { result, explanation } = await this.#ask(request, 'executed')
    return { result, explanation: explanation! }
  }

  /** Runs a plan of a cluster and gives, beside the rest, key frames that it passes. */
  async propose(property: ListedProperty, plan: Plan) {
    const request = {
      type: 'execute',
      property,
      plan: { ...plan, detailed: true },
      explain: false,
      propose: true,
    } as const
    return (await this.#ask(request, 'executed')).result
  }

  async explore(property: ListedProperty, options: ExploreOptions, onNotice: (notice: Notice) => void) {
    return (await this.#ask({ type: 'explore', property, options }, 'explored', onNotice)).summary
  }

  async shrink(property: ListedProperty, plan: Plan, timeMs: number, onNotice: (notice: Notice) => void) {
    return this.#ask({ type: 'shrink', property, plan, timeMs }, 'shrunken', onNotice)
  }

  /** Asks for an early end of the exploring or shrinking that is under way: its reply then comes as ever. */
  stop(): void {
    if (this.#pending !== undefined && this.#child.connected) this.#child.send({ type: 'stop' } satisfies Request)
  }

  /** Ends the process as if it had died: what it is asked rejects with `WorkerLost`. */
  end(): void {
    this.#child.kill('SIGKILL')
  }

  /** Ends the process; safe to call more than once. */
  close(): void {
    running.delete(this)
    this.#lost ??= new Error('the worker was closed')
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #ask<Type extends Reply['type']>(
    request: Request,
    type: Type,
    onNotice?: (notice: Notice) => void,
  ): Promise<Extract<Reply, { type: Type }>> {
    if (this.#pending !== undefined) throw new Error('the worker carries out one request at a time')
    if (this.#lost !== undefined) throw this.#lost
    const watches = [this.#watch(), this.#watchMemory()]
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#pending = { resolve, reject, onNotice }
        this.#child.send(request, (error) => error && this.#fail(error))
      })
      if (reply.type === 'refused') throw new RequestRefused(reply.why, reply.message, reply.stack)
      if (reply.type !== type) throw new Error(`the worker answered ${reply.type} to ${request.type}`)
      return reply as Extract<Reply, { type: Type }>
    } finally {
      for (const watch of watches) clearInterval(watch)
      this.#pending = undefined
    }
  }

  /** Kills the process if one execution takes too long; starting and loading, which come before any, may take longer. */
  #watch(): NodeJS.Timeout {
    let last: number | undefined
    let waited = 0
    let looked = performance.now()
    const limitMs = () => {
      if (last === undefined) return Math.max(this.#hangMs, START_MS)
      // What is about to run out of memory is let: how long it takes says more of the machine than of the program.
      const filling = memoryShare(this.#child.pid, this.#memoryMb) > FILLING
      return filling ? this.#hangMs * FILLING_PATIENCE : this.#hangMs
    }
    return setInterval(() => {
      const now = performance.now()
      // While a machine stands still, or runs neither process, a program cannot be at fault.
      waited += Math.min(now - looked, 2 * WATCH_MS)
      looked = now
      const sequence = this.#flight()?.sequence
      if (sequence !== last) {
        last = sequence
        waited = 0
      } else if (waited > limitMs()) {
        this.#killedFor ??= 'hang'
        this.#child.kill('SIGKILL')
      }
    }, WATCH_MS)
  }

  #watchMemory(): NodeJS.Timeout {
    return setInterval(() => {
      if (memoryShare(this.#child.pid, this.#memoryMb) <= 1) return
      this.#killedFor ??= 'out of memory'
      this.#child.kill('SIGKILL')
    }, MEMORY_WATCH_MS)
  }

  #flight(): FlightRecord | undefined {
    return readFlight(this.#recorderPath)
  }

  #receive(message: Reply | Notice): void {
    switch (message.type) {
      case 'progress':
      case 'found':
      case 'shrunk':
      case 'flaky':
      case 'voided':
      case 'leaked':
      case 'remark':
      case 'health':
        this.#pending?.onNotice?.(message)
        return
      default:
        this.#pending?.resolve(message)
    }
  }

  #closed(code: number | null, signal: string | null): void {
    const output = this.#errorOutput.trim()
    const how = this.#killedFor ?? (ranOutOfMemory(output) ? 'out of memory' : 'crash')
    const what = {
      hang:
        this.#flight() === undefined
          ? 'the file of properties took too long to load'
          : `one execution took more than ${this.#hangMs / 1000} s of real time, and was ended`,
      'out of memory': `the process used more than ${this.#memoryMb} MB of memory (option --memory)`,
      crash: `the process died (${signal ?? `exit status ${code}`})`,
    }[how]
    this.#fail(new WorkerLost(how, output === '' || how !== 'crash' ? what : `${what}\n${output}`, this.#flight()))
  }

  #fail(error: Error): void {
    this.#lost ??= error
    this.#pending?.reject(error)
  }

  #keepOutput(chunk: Buffer, echo = false): void {
    if (echo) process.stderr.write(chunk)
    if (this.#errorOutput.length < MAX_ERROR_OUTPUT) this.#errorOutput += chunk.toString('utf8')
  }
}

/**
 * The owner's side of a process that runs executions: starts it, sends requests, and notices when
 * it hangs or dies.
 *
 * The flight recorder holds the execution under way, so a hang or a crash costs one process and
 * loses no tape.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '../contract/events.ts'
import type { ExecutionResult, Frame } from '../contract/execution.ts'
import type { Demands, Plan } from '../contract/plan.ts'
import { ownSurroundings, type Surroundings, surroundedBy } from '../contract/surroundings.ts'
import { databasesOf } from '../devices/servers/project-databases.ts'
import { frameLine } from '../execution/frames.ts'
import { OWNER, removeLeftovers, TemporaryFilesError } from '../storage/files.ts'
import { effortOf } from '../watch/effort.ts'
import { HangWatch, LOOK_MS } from '../watch/hang-watch.ts'
import { readFlight, reserveFlight } from './flight-recorder.ts'
import { memoryLimitMb, memoryShare, ranOutOfMemory } from './memory.ts'
import type {
  ChildConfiguration,
  ExploreOptions,
  FlightRecord,
  ListedProperty,
  RefusalReason,
  Reply,
  Request,
} from './protocol.ts'
import { askForStacks, busyFrames, hasStacks } from './watch-thread.ts'

export interface WorkerOptions
  extends Omit<ChildConfiguration, 'flightRecorder' | 'sharesModules' | 'devices' | 'patienceMs'> {
  /** For a debugger: output of the process is shown, and no time limit holds. */
  readonly inspect?: boolean
  /** Those of this process unless set. */
  readonly surroundings?: Surroundings | undefined
  /** `fork` of node:child_process unless set. */
  readonly fork?: typeof fork
}

/** Starts a worker. */
export type StartWorker = (options: WorkerOptions) => Worker

export const startWorker: StartWorker = (options) => new Worker(options)

/** How an execution ends its process. */
export type Loss = 'hang' | 'out of memory' | 'crash'

/**
 * Flags of Node where executions run. An execution leaves little but short-lived objects: a large
 * young generation (in MiB) makes collections rare. V8 must not allocate some of these objects in
 * the old generation (pretenuring): dead but not yet collected, they keep their whole execution
 * alive there, which gives V8 more reason to pretenure.
 */
export const EXECUTION_FLAGS = [
  '--expose-internals',
  '--no-warnings',
  '--stack-trace-limit=40',
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
]

/** The program of the process of executions: package.json names it, since it stands above this room. */
const ENTRY = createRequire(import.meta.url).resolve('#execution-process')

/** The package conditions of this process, for the process of executions. */
export function conditions(): string[] {
  const { execArgv } = process
  return execArgv.flatMap((flag, at) =>
    flag.startsWith('--conditions=')
      ? [flag]
      : flag === '-C' || flag === '--conditions'
        ? [flag, execArgv[at + 1]!]
        : [],
  )
}

/** Processor time of one execution unless set, in milliseconds. */
export const HANG_MS = 10_000

/** With less memory for an execution, in MB, modules are not shared: what they keep is in memory twice. */
const LEAST_MB_TO_SHARE = 512
/** Nor with less time for one, in milliseconds: a step of preparing must not be taken for a hang. */
const LEAST_HANG_MS_TO_SHARE = 5000

/** Processor time in which a process has to start and to load its file, at least. */
const START_MS = 30_000

/**
 * An execution that sleeps may take so many times as long, in real time: what it waits for, such as
 * the answer of a program, may wait for a processor.
 */
const SLEEPING_FACTOR = 6

/** The longest that a timer of Node can take. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** After the limit in the message about a hang. */
const HOW_LONG = {
  work: 'of processor time',
  sleep: `of processor time, or ${SLEEPING_FACTOR} times as long asleep`,
}

/**
 * Processor time in which a process that hangs has to say where, in milliseconds, as some code of V8 cannot be
 * stopped; and the looks after which it has none, where it uses no processor.
 */
const STACKS_MS = 5000
const LOOKS_FOR_STACKS = 240

/** Names the folder of a worker; its owner follows. */
const FOLDER = 'norn-worker-'
const RECORDER = 'flight.record'

/** A program can fill one to two gigabytes of memory a second. */
const MEMORY_LOOK_MS = 50
/** Above this share of its limit a process counts as filling its memory. */
const FILLING = 0.4
const MAX_ERROR_OUTPUT = 16_000

/** The process died or hung during a request. */
export class WorkerLost extends Error {
  readonly how: Loss
  /** The execution under way, if there was one. */
  readonly flight: FlightRecord | undefined
  /** Where the program was that did not return, innermost first, as far as is known. */
  readonly frames: readonly Frame[]

  constructor(how: Loss, message: string, flight: FlightRecord | undefined, frames: readonly Frame[] = []) {
    super([message, ...frames.map(frameLine)].join('\n'))
    this.name = 'WorkerLost'
    this.how = how
    this.flight = flight
    this.frames = frames
  }
}

/**
 * The process could not carry out a request; `message` is for a person, unless norn itself is at
 * fault.
 */
export class RequestRefused extends Error {
  readonly why: RefusalReason
  constructor(why: RefusalReason, message: string, stack: string) {
    super(message)
    this.name = 'RequestRefused'
    this.why = why
    this.stack = stack
  }
}

/** Running workers: their processes and folders must not outlive this process. */
const running = new Set<Worker>()
process.once('exit', () => {
  for (const worker of running) worker.close()
})

interface Pending {
  resolve(reply: Reply): void
  reject(error: Error): void
  onEvent: ((event: SessionEvent) => void) | undefined
}

export class Worker {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #hangMs: number
  readonly #memoryMb: number
  /** Of the last execution before the request under way. */
  #sequenceBefore: number | undefined
  #pending: Pending | undefined
  #lost: Error | undefined
  #errorOutput = ''
  #killedFor: Exclude<Loss, 'crash'> | undefined
  #hungFor: 'work' | 'sleep' | undefined

  /** Id of the process; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether the process was lost or closed, and takes no more requests. */
  get ended(): boolean {
    return this.#lost !== undefined
  }

  /** Whether the process holds so much memory that its next request should go to a fresh one. */
  get isFilling(): boolean {
    return memoryShare(this.#child.pid, this.#memoryMb) > FILLING
  }

  constructor(options: WorkerOptions) {
    if (running.size === 0) removeLeftovers(tmpdir(), FOLDER, '-')
    const devices = databasesOf(options)
    this.#folder = temporaryFolder()
    this.#hangMs = options.inspect ? Number.POSITIVE_INFINITY : (options.hangMs ?? HANG_MS)
    this.#memoryMb = memoryLimitMb(options.memoryMb)
    this.#child = (options.fork ?? fork)(ENTRY, [], {
      execArgv: [...EXECUTION_FLAGS, ...conditions(), `--max-old-space-size=${this.#memoryMb}`],
      // Wherever norn is called: relative paths of the program begin at the root.
      cwd: options.root,
      // node:test marks its own processes by this variable.
      env: {
        ...surroundedBy(options.surroundings ?? ownSurroundings()),
        ...Object.fromEntries(devices.map(({ variable, url }) => [variable, url])),
        NODE_TEST_CONTEXT: undefined,
      },
      serialization: 'advanced',
      // Ctrl-C on the terminal goes to the owner, which stops its workers and keeps their findings.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    running.add(this)
    this.#child.stdout!.on('data', (chunk: Buffer) => this.#keepOutput(chunk, options.inspect))
    this.#child.stderr!.on('data', (chunk: Buffer) => this.#keepOutput(chunk, options.inspect))
    this.#child.on('message', (message) => this.#receive(message as Reply | SessionEvent))
    this.#child.on('error', (error) => this.#fail(error))
    this.#child.on('close', (code, signal) => this.#closed(code, signal))
    // A server that does not answer is told before the program is said to hang.
    const patienceMs = Math.min((this.#hangMs * SLEEPING_FACTOR) / 2, MAX_TIMER_MS)
    // A function cannot be sent.
    const sharesModules =
      !options.freshModules && this.#memoryMb >= LEAST_MB_TO_SHARE && this.#hangMs >= LEAST_HANG_MS_TO_SHARE
    const configuration = {
      ...options,
      devices,
      patienceMs,
      sharesModules,
      fork: undefined,
      flightRecorder: this.#recorderPath,
    }
    this.#child.send({ configuration }, () => {})
    this.#unref()
  }

  /** An idle worker does not keep its owner running; a request does, by its watches. */
  #unref(): void {
    const { stdout, stderr, channel } = this.#child
    this.#child.unref()
    channel?.unref()
    // The types do not say that pipes of a child are sockets.
    for (const pipe of [stdout, stderr]) (pipe as Socket).unref()
  }

  get #recorderPath(): string {
    return join(this.#folder, RECORDER)
  }

  /** Path for a file that lives as long as this worker. */
  scratchFile(name: string): string {
    return join(this.#folder, name)
  }

  async list(): Promise<readonly ListedProperty[]> {
    const reply = await this.#ask({ type: 'list' }, 'listed')
    return reply.properties
  }

  /**
   * Goes on with another file. Resolves to false if something of the last one would be left in the process, which
   * then cannot be used any more.
   */
  async open(file: string): Promise<boolean> {
    this.#errorOutput = ''
    return (await this.#ask({ type: 'open', file }, 'opened')).isOpen
  }

  /** The files of the project that the process has loaded so far, by absolute path. */
  async files(): Promise<readonly string[]> {
    return (await this.#ask({ type: 'files' }, 'loaded files')).paths
  }

  /** @param more the file of a journal, and what is asked of the execution */
  async execute(
    property: ListedProperty,
    plan: Plan,
    more: { readonly journal?: string; readonly demands?: Demands; readonly isCold?: boolean } = {},
  ): Promise<ExecutionResult> {
    const request = { type: 'execute', property, plan, explain: false, ...more } as const
    return (await this.#ask(request, 'executed')).result
  }

  /**
   * Runs a plan with what a report shows of it.
   *
   * @param inspect opens the debugger, waits for it, and stops at the start of the body
   */
  async explain(property: ListedProperty, plan: Plan, inspect = false) {
    return this.#explain({ type: 'execute', property, plan, explain: true, inspect })
  }

  /** Runs a plan, and reads the variables at the last error that is thrown in a line. */
  async locals(property: ListedProperty, plan: Plan, localsAt: Pick<Frame, 'file' | 'line'>) {
    const request = { type: 'execute', property, plan, explain: 'steps', localsAt } as const
    const { result, locals = [] } = await this.#ask(request, 'executed')
    return { result, locals }
  }

  /** Like `explain`, without what a body waits for that never settles: that takes a second to tell. */
  async lines(property: ListedProperty, plan: Plan) {
    return this.#explain({ type: 'execute', property, plan, explain: 'lines' })
  }

  /** Like `lines`, without lines, files and what settled promises: little more than to execute it. */
  async steps(property: ListedProperty, plan: Plan) {
    return this.#explain({ type: 'execute', property, plan, explain: 'steps' })
  }

  async #explain(request: Extract<Request, { type: 'execute' }>) {
    const { result, explanation } = await this.#ask(request, 'executed')
    return { result, explanation: explanation! }
  }

  /** Runs a plan of a cluster, and proposes key frames that it passes. */
  async propose(property: ListedProperty, plan: Plan) {
    const request = {
      type: 'execute',
      property,
      plan: { ...plan, detailed: true },
      explain: false,
      demands: { proposals: true },
    } as const
    return (await this.#ask(request, 'executed')).result
  }

  async explore(property: ListedProperty, options: ExploreOptions, onEvent: (event: SessionEvent) => void) {
    return (await this.#ask({ type: 'explore', property, options }, 'explored', onEvent)).summary
  }

  async shrink(property: ListedProperty, plan: Plan, timeMs: number, onEvent: (event: SessionEvent) => void) {
    return this.#ask({ type: 'shrink', property, plan, timeMs }, 'shrunken', onEvent)
  }

  /** Asks the search or the shrinking under way to end early; its reply still comes. */
  stop(): void {
    if (this.#pending !== undefined && this.#child.connected) this.#child.send({ type: 'stop' } satisfies Request)
  }

  /** Kills the process: the request under way rejects with `WorkerLost`. */
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
    onEvent?: (event: SessionEvent) => void,
  ): Promise<Extract<Reply, { type: Type }>> {
    if (this.#pending !== undefined) throw new Error('the worker carries out one request at a time')
    if (this.#lost !== undefined) throw this.#lost
    this.#sequenceBefore = this.#record()?.sequence
    const endWatches = [this.#watchHang(), this.#watchMemory()]
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#pending = { resolve, reject, onEvent }
        this.#child.send(request, (error) => error && this.#fail(error))
      })
      if (reply.type === 'refused' && reply.why === 'temporary files') throw new TemporaryFilesError(reply.message)
      if (reply.type === 'refused') throw new RequestRefused(reply.why, reply.message, reply.stack)
      if (reply.type !== type) throw new Error(`the worker answered ${reply.type} to ${request.type}`)
      return reply as Extract<Reply, { type: Type }>
    } finally {
      for (const end of endWatches) end()
      this.#pending = undefined
    }
  }

  #watchHang(): () => void {
    const limits = { taskMs: this.#hangMs, startMs: START_MS, sleepingFactor: SLEEPING_FACTOR }
    const watch = new HangWatch(limits, performance.now(), this.#sequenceBefore)
    let looks = 0
    let endMs = Number.POSITIVE_INFINITY
    return every(LOOK_MS, () => {
      const [nowMs, effort] = [performance.now(), effortOf(this.pid)]
      if (this.#hungFor !== undefined) {
        const isOver = effort === undefined || effort.cpuMs > endMs || ++looks > LOOKS_FOR_STACKS
        if (isOver || hasStacks(this.#folder)) this.#child.kill('SIGKILL')
        return
      }
      const { isFilling } = this
      const hungFor = watch.hungFor({ nowMs, sequence: this.#record()?.sequence, effort, isFilling })
      if (hungFor === undefined) return
      this.#killedFor ??= 'hang'
      this.#hungFor = hungFor
      if (hungFor !== 'work') return void this.#child.kill('SIGKILL')
      endMs = (effort?.cpuMs ?? 0) + STACKS_MS
      askForStacks(this.#folder)
    })
  }

  #watchMemory(): () => void {
    return every(MEMORY_LOOK_MS, () => {
      if (memoryShare(this.#child.pid, this.#memoryMb) <= 1) return
      this.#killedFor ??= 'out of memory'
      this.#child.kill('SIGKILL')
    })
  }

  #record(): FlightRecord | undefined {
    return readFlight(this.#recorderPath)
  }

  /** The execution under way; one of an earlier request is over. */
  #flight(): FlightRecord | undefined {
    const record = this.#record()
    return record?.sequence === this.#sequenceBefore ? undefined : record
  }

  #receive(message: Reply | SessionEvent): void {
    switch (message.type) {
      case 'listed':
      case 'opened':
      case 'loaded files':
      case 'explored':
      case 'executed':
      case 'shrunken':
      case 'played':
      case 'refused':
        this.#pending?.resolve(message)
        return
      default:
        this.#pending?.onEvent?.(message)
    }
  }

  #closed(code: number | null, signal: string | null): void {
    const output = this.#errorOutput.trim()
    const how = this.#killedFor ?? (ranOutOfMemory(output) ? 'out of memory' : 'crash')
    const what = {
      hang:
        this.#flight() === undefined
          ? 'the file of properties took too long to load'
          : `one execution took more than ${this.#hangMs / 1000} s ${HOW_LONG[this.#hungFor!]}, and was ended`,
      'out of memory': `the process used more than ${this.#memoryMb} MB of memory (option --memory)`,
      crash: `the process died (${signal ?? `exit status ${code}`})`,
    }[how]
    const message = output === '' || how !== 'crash' ? what : `${what}\n${output}`
    this.#fail(new WorkerLost(how, message, this.#flight(), how === 'hang' ? busyFrames(this.#folder) : []))
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

/** A folder for the files of one worker. @throws TemporaryFilesError */
function temporaryFolder(): string {
  let folder: string | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), `${FOLDER}${OWNER}-`))
    reserveFlight(join(folder, RECORDER))
    return folder
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    throw TemporaryFilesError.from(error)
  }
}

/** Calls an action at an interval until what it returns is called. */
function every(ms: number, action: () => void): () => void {
  const timer = setInterval(action, ms)
  return () => clearInterval(timer)
}

/**
 * The world: a controlled Node. It owns what lies under Node's own JavaScript (timers, clock, chance, files, the thread
 * pool, the process), and runs one program at a time in it, deciding every latency from a tape.
 *
 * Invariants: the same program and tape give the same trace, in any process. An execution runs inside one macrotask of
 * the real loop, so nothing outside can come in between. What is not controlled voids the execution by name and stack;
 * nothing escapes silently.
 *
 * One world is installed in a process, once, before any code under test is loaded; outside of `execute` every owned
 * function is the original one.
 */
import { stat } from 'node:fs'
import { tmpdir } from 'node:os'
import { sep } from 'node:path'
import process from 'node:process'
import type { SchedulePointKind } from '../schedule/strategy.ts'
import { type Chance, chance } from '../tape/chance.ts'
import { Tape, TapeTooLong } from '../tape/tape.ts'
import { Causality, type Step } from './causality.ts'
import { Clock } from './clock.ts'
import { type Ending, type Failure, isTermination, Termination } from './ending.ts'
import { ownFiles } from './files/binding.ts'
import { snapshotProcess } from './isolation.ts'
import { scheduleLabel } from './labels.ts'
import { alive, begin, type DriveEnd, drive, type LoopHost } from './loop.ts'
import { type Origin, Origins } from './origin.ts'
import { ownChance } from './own/chance.ts'
import { EPOCH_MS, ownClock } from './own/clock.ts'
import { ownContexts } from './own/contexts.ts'
import { ownCrypto, refuseHiddenChance } from './own/crypto.ts'
import { ownDns } from './own/dns.ts'
import { ownGates } from './own/gates.ts'
import { ownMachine } from './own/machine.ts'
import { ownObservers } from './own/observers.ts'
import { ownPerformance } from './own/performance.ts'
import { handleUncaught, openHandles, ownProcess } from './own/process.ts'
import { type OwnedTimers, ownTimers } from './own/timers.ts'
import { callFromTop } from './own/top-level.ts'
import { ownZlib } from './own/zlib.ts'
import { Pool, type PoolOperation, type PoolTask } from './pool.ts'
import { callSites } from './stack.ts'
import type { TraceEvent, TraceEventKind } from './trace.ts'

export interface WorldOptions {
  /** Paths below it are named relative to it in traces. */
  readonly root: string
}

export interface Bounds {
  /** How late anything can be, in microseconds of virtual time. */
  readonly latenessUs: number
  /** Steps of the loop before an execution counts as making no progress. */
  readonly maxSteps: number
  /** Virtual time before an execution counts as making no progress, in microseconds. */
  readonly maxVirtualUs: number
}

export const DEFAULT_BOUNDS: Bounds = { latenessUs: 20_000, maxSteps: 20_000, maxVirtualUs: 24 * 3600 * 1e6 }

const DAY_MS = 24 * 3600 * 1000

/** Steps that the loop may take after the body has settled, so that late errors come out. */
const DRAIN_STEPS = 1000

/** How often listeners of `beforeExit` may start something new. */
const BEFORE_EXIT_ROUNDS = 10

const OUT_OF_TIME = 'the virtual time ran out'

/** How often the real loop is turned before a deadlock is called. */
const OUTSIDE_TURNS = 25

/** Events that a trace may hold: a program that does more in its steps makes no progress. */
const MAX_OPERATIONS = 1_000_000

/** How much output of the program is kept, in characters. */
const MAX_OUTPUT = 64 * 1024

/** A program as the world runs it. */
export interface Program<Loaded = unknown> {
  /** Instantiates the modules. Nothing is late while it runs, and no choice is drawn. */
  load(): Loaded | Promise<Loaded>
  /** What is tested; the execution is over when what it gives back has settled and the loop has drained. */
  body(loaded: Loaded): unknown
}

export interface ExecutionReport {
  readonly ending: Ending
  readonly trace: readonly TraceEvent[]
  /** What the program printed, to stdout and stderr together. */
  readonly output: string
  /** Schedule points passed and virtual time taken before the body settled; to the end, if it passed none. */
  readonly points: number
  readonly durationUs: number
  readonly chains: number
  /** Where each step was started, by label; only when explaining. */
  readonly origins: ReadonlyMap<string, Origin>
}

export interface ExecuteOptions {
  readonly bounds?: Bounds
  /** Capture where every operation was started: slow, for the execution that is shown to a person. */
  readonly explain?: boolean
}

type Settled =
  | { how: 'fulfilled'; value: unknown }
  | { how: 'rejected'; error: unknown }
  | { how: Exclude<DriveEnd, 'reached'> }

export class World {
  /** Folders that paths in traces are relative to, what stands for them, and for what is inside. */
  readonly #bases: readonly (readonly [folder: string, name: string, inside: string])[]
  readonly #causality = new Causality()
  readonly #pool = new Pool((task) => this.#traceEffect(task))
  readonly #timers: OwnedTimers
  readonly #files: ReturnType<typeof ownFiles>
  readonly #process: ReturnType<typeof ownProcess>
  readonly #restore: () => void
  /** What is left of an execution where a snapshot does not reach. */
  readonly #ends: readonly (() => void)[]
  readonly #origins = new Origins()
  #active = false
  #tape = new Tape(() => undefined)
  #clock = new Clock(0, () => {})
  #bounds = DEFAULT_BOUNDS
  #loading = false
  #chance: Chance | undefined
  #temporaryNames = 0
  #explain = false
  readonly #aliases = new Map<string, number>()
  #ending: Ending | undefined
  #settledLater = () => false
  #trace: TraceEvent[] = []
  #output = ''
  /** How the program came to what it may be refused for later. */
  #approach: Error | undefined

  private constructor(options: WorldOptions) {
    this.#bases = [
      [options.root, '.', ''],
      [tmpdir(), '$TMP', '$TMP/'],
    ]
    const active = () => this.#active
    const nowUs = () => this.#clock.nowUs
    const submit = (operation: PoolOperation) => this.#submit(operation)
    const refuse = (what: string): never => this.refuse(what)
    const stopped = () => this.#ending !== undefined
    const uncaught = (error: unknown, rejection: boolean) =>
      this.#fail({ kind: rejection ? 'unhandled rejection' : 'uncaught exception', error })
    this.#processHost = {
      active,
      stopped,
      refuse,
      uncaught,
      exited: (how, code) => {
        this.#fail({ kind: how, error: new Error(how === 'exit' ? `process.exit(${code})` : 'process.abort()') })
        throw new Termination('the program ended the process')
      },
      output: (_, text) => this.#print(text),
    }
    // Functions first that others read: the clock under the files, the crypto jobs before node:crypto loads.
    const cryptoHost = { active, submit, refuse, chance: () => this.#drawChance() }
    ownCrypto(cryptoHost)
    ownZlib({ active, submit })
    ownDns({ active, submit, refuse })
    const clockHost = { active, nowUs, readUs: () => this.#clock.read() }
    const chanceHost = { active, chance: () => this.#drawChance() }
    ownClock(clockHost)
    this.#ends = [ownPerformance(clockHost), ownObservers({ active })]
    ownMachine(clockHost)
    ownChance(chanceHost)
    ownContexts({ ...clockHost, ...chanceHost })
    refuseHiddenChance(cryptoHost)
    this.#timers = ownTimers({
      causality: this.#causality,
      active,
      nowUs,
      stopped,
      set: (step) => this.#origins.capture(step.label),
      begin: (event, step) => this.#begin(event, step),
      uncaught: this.#uncaught,
    })
    this.#files = ownFiles({
      active,
      submit,
      refuse,
      performed: (kind, resource) => this.#performed(kind, resource),
      baseTimeMs: EPOCH_MS - DAY_MS,
      now: () => EPOCH_MS + this.#clock.nowUs / 1000,
      random6: () => (this.#temporaryNames++).toString(36).padStart(6, '0'),
      output: (_, bytes) => this.#print(Buffer.from(bytes).toString('utf8')),
      cwd: () => process.cwd(),
    })
    this.#process = ownProcess(this.#processHost)
    ownGates({
      active,
      refuse,
      approach: (way) => {
        this.#approach = way
      },
      sleepUs: (us) => {
        this.#clock.advance(us)
        this.#pool.performDue(this.#clock.nowUs)
      },
    })
    this.#restore = snapshotProcess()
  }

  readonly #processHost: Parameters<typeof ownProcess>[0]
  readonly #uncaught = (error: unknown) => handleUncaught(this.#processHost, error, false)

  static #installed: World | undefined

  /** Installs the world in this process, once. Needs `--expose-internals`; throws `InternalsHidden` without. */
  static install(options: WorldOptions): World {
    World.#installed ??= new World(options)
    return World.#installed
  }

  /** Virtual time of the execution under way, in microseconds since it began. */
  get nowUs(): number {
    return this.#clock.nowUs
  }

  /** Operations handed to the pool whose callbacks have not run yet. */
  get pendingOperations(): number {
    return this.#pool.pending
  }

  /** Runs an action with the original functions of Node, from inside an execution. */
  outside<Result>(action: () => Result): Result {
    const wasActive = this.#active
    this.#active = false
    try {
      return action()
    } finally {
      this.#active = wasActive
    }
  }

  /** Voids the execution: something was asked for that is not controlled. Throws. */
  refuse(what: string): never {
    const error = new Termination(`${what} is not controlled by norn`)
    const stack = error.stack ?? ''
    const way = callSites(stack).length > 0 ? stack : (this.#approach?.stack ?? stack)
    this.#end({ kind: 'void', what, stack: way.replace(/^[^\n]*/, String(error)) })
    throw error
  }

  /** Runs one program under a tape, to its end. */
  execute<Loaded>(tape: Tape, program: Program<Loaded>, options: ExecuteOptions = {}): ExecutionReport {
    if (this.#active) throw new Error('an execution is under way already: the world runs one at a time')
    assertMacrotask()
    this.#reset(tape, options)
    const handlesBefore = openHandles()
    let points = 0
    let durationUs = 0
    this.#timers.enter()
    this.#active = true
    try {
      tape.muted = this.#loading = true
      const loaded = this.#settle(() => program.load(), false)
      tape.muted = this.#loading = false
      if (loaded.how === 'fulfilled') {
        const startUs = this.#clock.nowUs
        this.#record('start', this.#causality.current.label, 'body', '', 0, '')
        const settled = this.#settle(() => program.body(loaded.value as Loaded), true)
        const measure = () => {
          points = tape.count('schedule')
          durationUs = this.#clock.nowUs - startUs
        }
        measure()
        this.#judge(settled)
        this.#finish()
        // A body that only starts things has settled before any of them could be late.
        if (points === 0) measure()
      } else this.#judgeLoading(loaded)
      // What is still queued runs out now, and no longer counts.
      this.#end({ kind: 'passed' })
      this.#drain()
    } finally {
      this.#active = false
      this.#timers.leave()
      this.#restore()
      this.#process.reset()
      for (const end of this.#ends) end()
    }
    if (openHandles() > handlesBefore && this.#ending?.kind !== 'void') {
      this.#ending = { kind: 'void', what: 'an operation of the real loop that no gate names', stack: '' }
    }
    return {
      ending: this.#ending!,
      trace: this.#trace,
      output: this.#output,
      points,
      durationUs,
      chains: this.#causality.chains,
      origins: this.#origins.byLabel,
    }
  }

  /**
   * After a deadlock: turns the real loop for a while, to see whether something outside was pending all along, so that
   * the body settles after all. Then the deadlock was none, and the execution is void.
   *
   * The program cannot do anything by then: the execution is over, and every operation it starts is refused.
   */
  async pendingOutside(): Promise<boolean> {
    this.#active = true
    try {
      for (let turn = 0; turn < OUTSIDE_TURNS && !this.#settledLater(); turn++) {
        // A trip to the real pool takes at least a turn of the loop, and gives what else is on the pool some time.
        await new Promise<void>((resolve) => this.outside(() => stat(sep, () => resolve())))
      }
      return this.#settledLater()
    } finally {
      this.#active = false
    }
  }

  #reset(tape: Tape, { bounds = DEFAULT_BOUNDS, explain = false }: ExecuteOptions): void {
    this.#tape = tape
    this.#bounds = bounds
    this.#clock = new Clock(bounds.maxVirtualUs, () => this.#noProgress(OUT_OF_TIME))
    this.#causality.reset()
    this.#pool.reset()
    this.#files.reset()
    this.#origins.reset(explain)
    this.#explain = explain
    this.#aliases.clear()
    this.#chance = undefined
    this.#temporaryNames = 0
    this.#ending = undefined
    this.#approach = undefined
    this.#trace = []
    this.#output = ''
  }

  /** Calls an action and turns the loop until what it gave back has settled. */
  #settle(action: () => unknown, fromStart: boolean): Settled {
    let settled: Settled | undefined
    const done = (outcome: Settled) => {
      settled = outcome
    }
    this.#settledLater = () => settled !== undefined
    try {
      const value = action()
      if (isThenable(value)) {
        Promise.resolve(value).then(
          (result) => done({ how: 'fulfilled', value: result }),
          (error: unknown) => done({ how: 'rejected', error }),
        )
      } else done({ how: 'fulfilled', value })
    } catch (error) {
      done({ how: 'rejected', error })
    }
    this.#drain()
    const end = this.#drive(() => settled !== undefined, this.#bounds.maxSteps, fromStart)
    return end === 'reached' ? settled! : { how: end }
  }

  /** Turns the loop; a bound of the execution that is reached between two steps of the program ends it too. */
  #drive(reached: () => boolean, maxSteps: number, fromStart: boolean): DriveEnd {
    try {
      return drive(this.#loop, reached, maxSteps, fromStart)
    } catch (error) {
      if (isTermination(error)) return 'stopped'
      throw error
    }
  }

  #judge(settled: Settled): void {
    if (settled.how === 'rejected') this.#fail({ kind: 'error', error: settled.error })
    if (settled.how === 'idle') {
      this.#fail({
        kind: 'deadlock',
        error: new Error('the body never settled, and nothing is left that could happen'),
      })
    }
    if (settled.how === 'steps') this.#noProgressEnd(`the body did not settle within ${this.#bounds.maxSteps} steps`)
    if (settled.how === 'time') this.#noProgressEnd(OUT_OF_TIME)
    this.#record('settled', this.#causality.current.label, settled.how, '', 0, '')
  }

  #judgeLoading(loaded: Settled): void {
    const error =
      loaded.how === 'rejected'
        ? loaded.error
        : new Error('the modules did not finish loading: a top-level await never settled')
    this.#fail({ kind: 'loading', error })
  }

  /** Lets what is still under way happen, bounded, then does what runs at exit: both as Node does. */
  #finish(): void {
    for (let round = 0; round < BEFORE_EXIT_ROUNDS && this.#ending === undefined; round++) {
      const end = this.#drive(() => false, DRAIN_STEPS, false)
      if (end !== 'idle' || process.listenerCount('beforeExit') === 0) break
      callFromTop(() => process.emit('beforeExit', exitCode()), this.#uncaught)
      this.#drain()
      if (!alive(this.#loop)) break
    }
    if (this.#ending !== undefined || process.listenerCount('exit') === 0) return
    callFromTop(() => process.emit('exit', exitCode()), this.#uncaught)
  }

  readonly #loop: LoopHost = (() => {
    const world = this
    return {
      get clock() {
        return world.#clock
      },
      causality: this.#causality,
      pool: this.#pool,
      get timers() {
        return world.#timers
      },
      runCallback: (task) => this.#runCallback(task),
      timerLatenessUs: (step) => this.#latency(step, 'wake', 'timer'),
      startLatenessUs: () => (this.#loading ? 0 : this.#latency(this.#causality.current, 'loop', 'start')),
      stopped: () => this.#ending !== undefined,
    }
  })()

  #submit(operation: PoolOperation): void {
    if (this.#ending !== undefined) throw new Termination('the execution is over')
    const step = this.#causality.child()
    const alias = this.#explain ? this.#alias(operation) : undefined
    const effectUs = this.#latency(step, operation.kind, 'effect', alias)
    const callbackUs = this.#latency(step, operation.kind, 'callback', alias)
    this.#origins.capture(step.label)
    this.#record('submit', step.label, operation.kind, operation.resource, 0, '')
    this.#pool.submit(operation, step, { effectUs, callbackUs }, this.#clock.nowUs)
  }

  /** What an operation does to what, and the how-manieth time: its name where its label has changed. */
  #alias({ kind, resource }: PoolOperation): string {
    const name = `${kind} ${this.#relative(resource)}`
    const ordinal = (this.#aliases.get(name) ?? 0) + 1
    this.#aliases.set(name, ordinal)
    return `${name} ${ordinal}`
  }

  #latency(step: Step, kind: string, point: SchedulePointKind, alias?: string): number {
    if (this.#loading) return 0
    const label = scheduleLabel(step, kind, point)
    try {
      return this.#tape.drawOrdinal('schedule', label, 0, this.#bounds.latenessUs, alias && `${alias} ${point}`)
    } catch (error) {
      if (error instanceof TapeTooLong) this.#noProgress(error.message)
      throw error
    }
  }

  #runCallback(task: PoolTask): void {
    const { operation, step, callbackLatencyUs } = task
    this.#record('callback', step.label, operation.kind, operation.resource, callbackLatencyUs, '')
    callFromTop(() => operation.complete(task.failed ? task.error : undefined, task.result), this.#uncaught)
    this.#drain()
  }

  /** Runs ticks and microtasks until none is left, through whatever they throw. */
  #drain(): void {
    while (!callFromTop(runTicks, this.#uncaught));
  }

  #begin(event: 'timer' | 'immediate', step: Step): void {
    begin(this.#causality, this.#clock, step)
    this.#record(event, step.label, event, '', 0, '')
  }

  #performed(kind: string, resource: string): void {
    if (this.#trace.length >= MAX_OPERATIONS) this.#noProgress(`it performed more than ${MAX_OPERATIONS} operations`)
    this.#clock.advance(10)
    this.#pool.performDue(this.#clock.nowUs)
    this.#record('sync', this.#causality.current.label, kind, resource, 0, '')
  }

  #traceEffect({ operation, step, effectLatencyUs, failed, error }: PoolTask): void {
    const outcome = failed ? String((error as { code?: unknown })?.code ?? 'error') : 'ok'
    this.#record('effect', step.label, operation.kind, operation.resource, effectLatencyUs, outcome)
  }

  #record(event: TraceEventKind, label: string, kind: string, resource: string, lateUs: number, outcome: string): void {
    if (this.#loading) return
    this.#trace.push({
      event,
      label,
      kind,
      resource: this.#relative(resource),
      atUs: this.#clock.nowUs,
      lateUs,
      outcome,
    })
  }

  /** A path as it may stand in a trace: relative to the root, or to the folder for temporary files. */
  #relative(path: string): string {
    if (!path.startsWith(sep)) return path
    for (const [folder, name, inside] of this.#bases) {
      if (path === folder) return name
      if (path.startsWith(folder + sep)) return inside + path.slice(folder.length + 1)
    }
    return path
  }

  #drawChance(): Chance {
    if (this.#chance === undefined) {
      const seed = this.#loading ? 0 : this.#tape.draw('schedule', 'chance seed', 0, 0xffff_ffff)
      // What is asked for while modules load must not shift what the body gets.
      const fresh = chance(0x6e6f726e, seed)
      if (this.#loading) return fresh
      this.#chance = fresh
    }
    return this.#chance
  }

  #print(text: string): void {
    if (this.#output.length < MAX_OUTPUT) this.#output += text.slice(0, MAX_OUTPUT - this.#output.length)
  }

  #fail(failure: Failure): void {
    if (isTermination(failure.error) && this.#ending !== undefined) return
    this.#end({ kind: 'failed', failure })
  }

  #noProgressEnd(why: string): void {
    this.#fail({ kind: 'no progress', error: new Error(why) })
  }

  #noProgress(why: string): never {
    this.#noProgressEnd(why)
    throw new Termination(why)
  }

  /** The first ending counts. */
  #end(ending: Ending): void {
    this.#ending ??= ending
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

/** Inside a microtask nothing could be drained, and every program would look stuck. */
function assertMacrotask(): void {
  let drained = false
  queueMicrotask(() => {
    drained = true
  })
  runTicks()
  if (!drained) throw new Error('an execution has to begin in a macrotask of its own')
}

/** Taken before a program can replace it, or all of `process`: draining would never end. */
const tickCallback = (process as unknown as { _tickCallback(): void })._tickCallback

function runTicks(): void {
  tickCallback()
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value
}

/**
 * The world: a controlled Node. It owns what lies under Node's own JavaScript (timers, clock,
 * chance, files, the thread pool, the process), and runs one program at a time in it, deciding
 * every latency from a tape.
 *
 * Invariants: the same program and tape give the same trace, in any process. An execution runs
 * inside one macrotask of the real loop, so nothing outside can come in between. What is not
 * controlled voids the execution by name and stack; nothing escapes silently.
 *
 * One world is installed in a process, once, before any code under test is loaded; outside of
 * `execute` every owned function is the original one.
 */
import { stat } from 'node:fs'
import { sep } from 'node:path'
import process from 'node:process'
import type { InconclusiveReason } from '../contract/inconclusive.ts'
import type { BuiltinGate } from '../loader/resolve.ts'
import type { SchedulePoint } from '../schedule/strategy.ts'
import type { Tape } from '../tape/tape.ts'
import { type Arrival, AsyncHandles } from './async-handles.ts'
import { Causality, type Step } from './causality.ts'
import { Clock } from './clock.ts'
import { Draws } from './draws.ts'
import { isTermination, loudTermination, Termination } from './ending.ts'
import { DEFAULT_BOUNDS, type ExecuteOptions, type ExecutionReport, type Program } from './execution.ts'
import { Faults } from './faults.ts'
import { type InterceptedNode, interceptNode } from './intercepted/node.ts'
import { OpenHandles } from './intercepted/process.ts'
import { assertMacrotask, drainTicks, expectMacrotask } from './intercepted/ticks.ts'
import { callFromTop } from './intercepted/top-level.ts'
import { RealError } from './language.ts'
import { type Leak, Leaks } from './leaks.ts'
import { alive, begin, type DriveEnd, drive, type LoopHost } from './loop.ts'
import { Operations } from './operations.ts'
import { setOutside } from './outside.ts'
import { Pool, type PoolTask } from './pool.ts'
import { MAX_PRINTED, Recording } from './recording.ts'
import { type Settlement, settlementOf } from './settlement.ts'
import { isStackOverflow } from './stack-overflow.ts'
import { OUT_OF_TIME, type Outcome, Verdict } from './verdict.ts'

/** Steps that the loop may take after the body has settled, so that late errors come out. */
const DRAIN_STEPS = 1000

/** How often listeners of `beforeExit` may start something new. */
const BEFORE_EXIT_ROUNDS = 10

/** How often the real loop is turned before a deadlock is called. */
const OUTSIDE_TURNS = 25

export class World {
  readonly #causality = new Causality()
  readonly #clock = new Clock(0, () => this.#verdict.stop(OUT_OF_TIME))
  readonly #pool = new Pool((task) => this.#operations.tookEffect(task))
  readonly #handles = new AsyncHandles()
  readonly #draws = new Draws()
  readonly #recording: Recording
  readonly #faults: Faults
  readonly #leaks: Leaks
  readonly #verdict = new Verdict()
  readonly #operations: Operations
  readonly #node: InterceptedNode
  readonly #openHandles = new OpenHandles()
  readonly #loop: LoopHost
  #active = false
  #bounds = DEFAULT_BOUNDS
  #onFault: ExecuteOptions['onFault']
  /** How the action that was called last has settled. */
  #settlement: () => Settlement | undefined = () => undefined

  /** @param root paths below it are named relative to it in traces */
  private constructor(root: string) {
    this.#recording = new Recording(root, () => this.#clock.nowUs)
    this.#faults = new Faults({
      draw: (label, max, alias) => this.#operations.drawn(() => this.#draws.fault(label, max, alias)),
      relative: (path) => this.#recording.relative(path),
      injected: (step, resource, injected) => {
        const { operation: kind, fault: outcome } = injected
        this.#recording.add({ event: 'fault', step, kind, resource, outcome })
        this.#onFault?.(injected)
      },
    })
    this.#leaks = new Leaks((path) => this.#recording.relative(path))
    this.#operations = new Operations({
      active: () => this.#active,
      causality: this.#causality,
      clock: this.#clock,
      pool: this.#pool,
      draws: this.#draws,
      recording: this.#recording,
      faults: this.#faults,
      leaks: this.#leaks,
      verdict: this.#verdict,
    })
    this.#node = interceptNode({
      causality: this.#causality,
      handles: this.#handles,
      active: () => this.#active,
      stopped: () => this.#verdict.known,
      nowUs: () => this.#clock.nowUs,
      readUs: () => this.#clock.read(),
      sleepUs: (us) => {
        this.#clock.advance(us)
        this.#pool.performDue(this.#clock.nowUs)
      },
      chance: () => this.#draws.chance(),
      submit: (operation) => this.#noting(() => this.#operations.submit(operation)),
      announce: (kind, resource, point) => this.#noting(() => this.#operations.announce(kind, resource, point)),
      performed: (kind, resource) => this.#noting(() => this.#operations.performed(kind, resource)),
      faulty: () => this.#faults.possible,
      faultsAllowed: () => this.#faults.allowed,
      fault: (call, possible) => this.#faults.meet(call, possible),
      set: (step) => this.#recording.setStep(step),
      stall: (before) => this.#operations.stall(before),
      begin: (event, step) => this.#begin(event, step),
      changing: (name, before) => this.#leaks.changing(name, before),
      leaving: (directory) => this.#leaks.leaving(directory),
      listened: (event) => this.#leaks.listened(event),
      output: (text) => this.#print(text),
      refuse: (operation) => this.#verdict.refuse({ kind: 'uncontrolled operation', operation }),
      approach: (way) => this.#verdict.approach(way),
      uncaught: (error, rejection) =>
        this.#verdict.fail({ kind: rejection ? 'unhandled rejection' : 'uncaught exception', error }),
      exited: (how, code) => {
        const error = new RealError(how === 'exit' ? `process.exit(${code})` : 'process.abort()')
        this.#verdict.fail({ kind: how, error })
        throw new Termination('the program ended the process')
      },
    })
    this.#loop = {
      clock: this.#clock,
      causality: this.#causality,
      pool: this.#pool,
      handles: this.#handles,
      timers: this.#node.timers,
      runCallback: (task) => this.#runCallback(task),
      runArrival: (arrival) => this.#runArrival(arrival),
      timerLatenessUs: (step) => this.#operations.latencyUs(step, 'wake', 'timer'),
      startLatenessUs: () => this.#operations.latencyUs(this.#causality.current, 'loop', 'start'),
      latenessUs: () => this.#draws.latenessUs,
      stall: () => this.#operations.stall('turn'),
      stopped: () => this.#verdict.stops,
    }
  }

  static #installed: World | undefined

  /**
   * Installs the world in this process, once. Needs `--expose-internals`; throws `InternalsHidden`
   * without.
   *
   * @param options.root paths below it are named relative to it in traces
   */
  static install(options: { readonly root: string }): World {
    const world = (World.#installed ??= new World(options.root))
    setOutside((action) => world.outside(action))
    return world
  }

  /**
   * The moment whose latency is being drawn; undefined while anything else is drawn from the tape.
   */
  schedulePoint(maxUs: number): SchedulePoint | undefined {
    const { asking } = this.#draws
    if (asking === undefined) return undefined
    const { kind, chain } = asking
    return { kind, chain, maxUs, nowUs: this.#clock.nowUs, alone: this.#pool.pending === 0 }
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

  /** Looks at builtin modules before the program gets them. */
  get builtins(): BuiltinGate {
    return this.#node.builtins
  }

  /**
   * From here on no operation meets a fault, until what this gives back is called, or the execution
   * is over.
   */
  calm(): () => void {
    return this.#faults.calm()
  }

  /** Makes the execution inconclusive. Throws. */
  refuse(reason: InconclusiveReason): never {
    return this.#verdict.refuse(reason)
  }

  /** Runs one program under a tape, to its end. */
  execute<Loaded>(tape: Tape, program: Program<Loaded>, options: ExecuteOptions = {}): ExecutionReport {
    if (this.#active) throw new Error('an execution is under way already: the world runs one at a time')
    this.#reset(tape, options)
    const handlesBefore = this.#openHandles.before()
    let points = 0
    let durationUs = 0
    let changedObjects = false
    let leaks: readonly Leak[] = []
    this.#node.enter()
    this.#active = true
    try {
      this.#setLoading(true)
      expectMacrotask()
      const loaded = this.#settle(() => program.load(), false)
      assertMacrotask()
      this.#setLoading(false)
      this.#verdict.judgeLoading(loaded)
      if (loaded.how === 'fulfilled') {
        this.#leaks.loaded(this.#node.leftOpen().length)
        const startUs = this.#clock.nowUs
        this.#recording.beginStep()
        this.#recording.add({ event: 'start', step: this.#causality.current, kind: 'body' })
        const settled = this.#settle(() => program.body(loaded.value as Loaded), true)
        const measure = () => {
          points = this.#draws.points
          durationUs = this.#clock.nowUs - startUs
        }
        measure()
        this.#verdict.judgeBody(settled, this.#bounds)
        this.#recording.add({ event: 'settled', step: this.#causality.current, kind: settled.how })
        const settledAt = { us: this.#clock.nowUs, submitted: this.#pool.submitted }
        const came = this.#finish()
        // A body that only starts things has settled before any of them could be late.
        if (points === 0) measure()
        if (!this.#verdict.stops) leaks = this.#left(came, settledAt)
      }
      // What is still queued runs out now, and no longer counts.
      this.#verdict.pass()
      drainTicks(this.#node.uncaught)
    } finally {
      this.#active = false
      // What does not pass is described by functions that the program may have broken, so they are
      // put back first.
      const passed = this.#verdict.ending?.kind === 'passed'
      changedObjects = this.#node.leave(!passed || (options.restoreObjects ?? true))
    }
    if (this.#node.mayHaveOpened() && this.#openHandles.haveGrown(handlesBefore)) this.#verdict.escaped()
    const ending = this.#verdict.ending!
    // How much a step did before the stack overflowed differs from process to process.
    if (ending.kind === 'failed' && isStackOverflow(ending.failure.error)) this.#recording.dropStep()
    return {
      ending,
      order: this.#recording.order,
      timeline: this.#recording.timeline,
      trace: this.#recording.trace,
      output: this.#recording.output,
      points,
      durationUs,
      faults: this.#faults.injected,
      faultPoints: this.#draws.faultPoints,
      chains: this.#causality.chains,
      origins: this.#recording.origins.take(),
      leaks,
      changedObjects,
    }
  }

  /**
   * Between executions: puts the process's objects back, where `execute` was told not to; whether
   * any had changed.
   */
  restoreObjects(): boolean {
    return this.#node.restoreObjects()
  }

  /**
   * After a deadlock: turns the real loop for a while, to see whether something outside was pending
   * all along, so that the body settles after all. Then the deadlock was none, and the execution is
   * void.
   *
   * The program cannot do anything by then: the execution is over, and every operation it starts is
   * refused.
   */
  async pendingOutside(): Promise<boolean> {
    this.#active = true
    try {
      for (let turn = 0; turn < OUTSIDE_TURNS && this.#settlement() === undefined; turn++) {
        // A trip to the real pool takes at least a turn of the loop, and gives what else is on the
        // pool some time.
        await new Promise<void>((resolve) => this.outside(() => stat(sep, () => resolve())))
      }
      return this.#settlement() !== undefined
    } finally {
      this.#active = false
    }
  }

  #reset(tape: Tape, { bounds = DEFAULT_BOUNDS, faults = {}, onFault, explain = false }: ExecuteOptions): void {
    this.#bounds = bounds
    this.#onFault = onFault
    this.#clock.reset(bounds.maxVirtualUs)
    this.#causality.reset()
    this.#pool.reset()
    this.#handles.reset()
    this.#draws.reset(tape, bounds.latenessUs, explain)
    this.#recording.reset(explain)
    this.#faults.reset(faults)
    this.#leaks.reset(explain)
    this.#verdict.reset()
  }

  #setLoading(on: boolean): void {
    this.#draws.loading = this.#recording.paused = on
  }

  /** Calls an action and turns the loop until what it gave back has settled. */
  #settle(action: () => unknown, fromStart: boolean): Outcome {
    this.#settlement = settlementOf(action)
    drainTicks(this.#node.uncaught)
    const reached = () => this.#settlement() !== undefined
    // The loop would not be turned.
    const end = reached() ? 'reached' : this.#drive(reached, this.#bounds.maxSteps, fromStart)
    return this.#settlement() ?? { how: end as Exclude<DriveEnd, 'reached'> }
  }

  /** The program may be at any depth of the stack when it calls; what is left of it may not do. */
  #noting<Result>(action: () => Result): Result {
    try {
      return action()
    } catch (error) {
      throw this.#verdict.noting(error)
    }
  }

  /**
   * Turns the loop; a bound of the execution that is reached between two steps of the program ends
   * it too.
   */
  #drive(reached: () => boolean, maxSteps: number, fromStart: boolean): DriveEnd {
    try {
      return drive(this.#loop, reached, maxSteps, fromStart)
    } catch (error) {
      if (isTermination(error)) return 'stopped'
      throw error
    }
  }

  /** What is there still after the loop came to this end. */
  #left(came: DriveEnd | undefined, settledAt: { readonly us: number; readonly submitted: number }): Leak[] {
    const running =
      came === 'idle'
        ? undefined
        : {
            timers: this.#node.timers.held(settledAt.us, this.#clock.boundUs),
            // What was under way when the body settled would have ended by itself.
            tasks: this.#pool.tasks.filter(({ id }) => id >= settledAt.submitted),
          }
    try {
      return this.#leaks.found({ running, open: this.#node.leftOpen(), origins: this.#recording.origins.take() })
    } catch {
      // The program has broken what it takes to look, and leaves a language behind that is put back
      // as a whole.
      return []
    }
  }

  /**
   * Lets what is still under way happen, bounded, then does what runs at exit: both as Node does.
   * Gives how the loop came to its end.
   */
  #finish(): DriveEnd | undefined {
    let end: DriveEnd | undefined
    for (let round = 0; round < BEFORE_EXIT_ROUNDS && !this.#verdict.known; round++) {
      // Mostly nothing is left to be driven.
      end = this.#verdict.stops || alive(this.#loop) ? this.#drive(() => false, DRAIN_STEPS, false) : 'idle'
      // What still waits keeps the process from its end, though nothing will come any more.
      if (end !== 'idle' || alive(this.#loop) || process.listenerCount('beforeExit') === 0) break
      callFromTop(() => process.emit('beforeExit', exitCode()), this.#node.uncaught)
      drainTicks(this.#node.uncaught)
      if (!alive(this.#loop)) break
    }
    if (this.#verdict.stops || process.listenerCount('exit') === 0) return end
    callFromTop(() => process.emit('exit', exitCode()), this.#node.uncaught)
    return end
  }

  #runCallback({ operation, step, callbackLatencyUs: lateUs, atUs: dueUs, failed, error, result }: PoolTask): void {
    const { kind, resource } = operation
    this.#recording.beginStep()
    this.#recording.add({ event: 'callback', step, kind, resource, lateUs, dueUs })
    callFromTop(() => operation.complete(failed ? error : undefined, result), this.#node.uncaught)
    drainTicks(this.#node.uncaught)
  }

  #runArrival({ step, kind, resource, lateUs, run }: Arrival): void {
    this.#recording.beginStep()
    this.#recording.add({ event: 'callback', step, kind, resource, lateUs })
    callFromTop(run, this.#node.uncaught)
    drainTicks(this.#node.uncaught)
  }

  #begin(event: 'timer' | 'immediate', step: Step): void {
    begin(this.#causality, this.#clock, step)
    this.#recording.beginStep()
    this.#recording.add({ event, step, kind: event })
  }

  #print(text: string): void {
    this.#recording.print(text)
    if (!this.#recording.printedOut) return
    this.#verdict.noProgress(`it printed more than ${MAX_PRINTED} characters`)
    throw loudTermination()
  }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

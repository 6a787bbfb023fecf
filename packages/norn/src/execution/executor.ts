/**
 * Runs the executions of one property in this process, under the world.
 *
 * Each execution instantiates the modules afresh, finds the property by name, takes its input from
 * where the plan says, and runs its body. The first execution of a process is a warm-up without a
 * result: Node initialises parts of itself lazily, and traces must not depend on that.
 */

import { performance } from 'node:perf_hooks'
import { types } from 'node:util'
import type { Choice, Lane } from '../contract/choice.ts'
import type { ExecutionResult, Executor, InjectedFault, LeakReport, RepeatedResult } from '../contract/execution.ts'
import type { Observation } from '../contract/observation.ts'
import { DEFAULT_PLAN, type Demands, NO_DEMANDS, type Observing, type Plan } from '../contract/plan.ts'
import { hashTrace } from '../contract/trace.ts'
import type { Loader } from '../loader/loader.ts'
import type { ExecutionOptions } from '../options/table.ts'
import { type Simulated, setCurrentExecution } from '../property/current.ts'
import { isPreconditionFailure } from '../property/fast-check/copies.ts'
import { takeFilterCount } from '../property/input/filters.ts'
import { describeInput, type PreparedInput, prepareInput } from '../property/input/input.ts'
import { saveInput } from '../property/input/saved-input.ts'
import { MarkCollection, type Marks } from '../property/marks.ts'
import type { Property, PropertyOptions } from '../property/property.ts'
import { SkippedItself } from '../property/suites.ts'
import { digest } from '../tape/digest.ts'
import { Tape } from '../tape/tape.ts'
import { type Bounds, DEFAULT_BOUNDS, type ExecuteOptions, type ExecutionReport } from '../world/execution.ts'
import type { Ending } from '../world/realm/ending.ts'
import { OriginsByLabel } from '../world/trace/origin.ts'
import { NO_ORDER } from '../world/trace/task-order.ts'
import type { World } from '../world/world.ts'
import { planChoices } from './choice-source.ts'
import { Cleanliness } from './cleanliness.ts'
import { declaredBy, findProperty } from './declared.ts'
import { describeFailure } from './describe-failure.ts'
import { divergence } from './divergence.ts'
import type { ExplainedResult } from './explained-result.ts'
import { frameOf, framesOf, type Positions, readableStack } from './frames.ts'
import type { Health } from './health.ts'
import { inMacrotask } from './macrotask.ts'
import { isOfProgram, propertyOfTests, TestRecord } from './ordinary-tests.ts'
import { type Waiting, withPendingWaits } from './pending-waits.ts'
import { SharingTrust } from './sharing-trust.ts'

export interface ExecutorOptions {
  readonly world: World
  readonly loader: Loader
  /** Absolute path of the file of properties. */
  readonly file: string
  /** The property's name, and the options it was declared with. */
  readonly property: Pick<Property, 'name' | 'options'> &
    Pick<ExecutionOptions, 'testNames' | 'clock' | 'maxLatencyMs' | 'wholeWrites'>
  readonly root: string
  readonly demands?: Demands
  /** Whether this process has run the property before, so that no warm-up is needed. Default: false. */
  readonly isWarm?: boolean
  /** Called before each execution. */
  readonly onExecution?: (plan: Plan) => void
  /** Counts the executions of a search. */
  readonly health?: Health
  /** Called before this looks for what a program waits for, which takes long and is not the program's time. */
  readonly onLooking?: () => void
  /** Called with the leaks of an execution, if it has any. */
  readonly onLeaks?: (plan: Plan, leaks: readonly LeakReport[]) => void
  /** Called with each input, as text, before the body receives it. */
  readonly onInput?: (text: string) => void
  /** Called with each injected fault, before the program meets it. */
  readonly onFault?: (fault: InjectedFault) => void
  /** Called with each choice as it is drawn. */
  readonly onChoice?: (lane: Lane, choice: Choice) => void
}

interface Running {
  /** Whether its trace tells which lines started what; `steps`: only what is noted beside it. */
  readonly explain?: boolean | 'steps' | undefined
  /** Whether it shares no module with other executions. */
  readonly isAlone?: boolean | undefined
  readonly waiting?: Waiting | undefined
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

export class PropertyExecutor implements Executor {
  readonly #options: ExecutorOptions
  readonly #cleanliness: Cleanliness
  readonly #trust = new SharingTrust()
  #warm: boolean
  #executions = 0

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#warm = options.isWarm ?? false
    this.#cleanliness = new Cleanliness(() => options.world.restoreObjects())
  }

  execute(plan: Plan): Promise<ExecutionResult> {
    // Most programs are small, and share nothing: one promise less.
    return this.#options.loader.mayShare ? this.#comparedAtTimes(plan) : this.#run(plan, {})
  }

  async #comparedAtTimes(plan: Plan): Promise<ExecutionResult> {
    const result = await this.#run(plan, {})
    const { loader } = this.#options
    if (result.verdict === 'passed' || !loader.hasShared || !this.#trust.isInDoubt()) return result
    const alone = await this.#run(plan, { isAlone: true })
    if (this.#trust.compare(result, alone)) return result
    loader.stopSharing()
    return alone
  }

  /**
   * Runs a plan twice and compares the traces. If the runs differ and objects of the process had
   * changed, both run again with the objects restored before each. Two explained runs then give the
   * source lines of the divergence; if those two agree, the lines of their common steps serve.
   *
   * Equal runs give the first result with the observation of the second, which overwrote the first.
   */
  async executeTwice(plan: Plan): Promise<RepeatedResult> {
    const cleanliness = this.#cleanliness
    const { changes } = cleanliness
    const { loader } = this.#options
    const isFirstAlone = !loader.hasShared
    let [first, second] = await this.#twice(plan, { isAlone: isFirstAlone })
    const same = ({ observation }: ExecutionResult) => ({ result: { ...plain(first), observation } })
    if (divergence(first, second, this.#positions) === undefined) return same(second)
    if (!isFirstAlone) {
      ;[first, second] = await this.#twice(plan)
      if (divergence(first, second, this.#positions) === undefined) {
        loader.stopSharing()
        return same(second)
      }
    }
    cleanliness.ensure()
    if (cleanliness.changes !== changes) [first, second] = await this.#twice(plan)
    const parted = divergence(first, second, this.#positions)
    if (parted === undefined) return same(second)
    const explained = await this.#twice(plan, { explain: true })
    const shown = divergence(...explained, this.#positions) ?? divergence(first, second, this.#positions, explained)
    return { result: plain(first), divergence: shown ?? parted }
  }

  /** Runs a plan with the modules that executions share, if asked to, and without. */
  async #twice(plan: Plan, { explain, isAlone = true }: Running = {}): Promise<[ExplainedResult, ExplainedResult]> {
    return [await this.#run(plan, { explain, isAlone }), await this.#run(plan, { explain, isAlone: true })]
  }

  /**
   * Runs a plan and also gives its trace, with the source line that started each operation.
   *
   * @param openDebugger called right before; the body then starts at a breakpoint
   */
  async explain(plan: Plan, openDebugger?: () => void): Promise<ExplainedResult> {
    this.#cleanliness.ensure()
    return this.#run(plan, { explain: true, isAlone: true }, openDebugger)
  }

  /** Runs a plan and also gives its trace, with what is noted beside it and who sent which message. */
  async steps(plan: Plan): Promise<ExplainedResult> {
    return this.#run(plan, { explain: 'steps' })
  }

  /** Runs a plan whose body never settles, and gives the waits on the way from the body. */
  async waits(plan: Plan) {
    this.#cleanliness.ensure()
    const { onLooking } = this.#options
    return withPendingWaits((waiting) => this.#run(plan, { isAlone: true, waiting }), this.#positions, onLooking)
  }

  async #run(
    plan: Plan,
    { explain = false, isAlone = false, waiting }: Running,
    openDebugger?: () => void,
  ): Promise<ExplainedResult> {
    if (!this.#warm) await this.#warmUp()
    openDebugger?.()
    this.#options.onExecution?.(plan)
    const pause = openDebugger !== undefined
    const execute = (restoreObjects: boolean) =>
      this.#guarded(() =>
        this.#once(plan, { explain, restoreObjects, isAlone, waiting }, this.#options.onChoice, pause),
      )
    const check = this.#cleanliness.isDue
    let result = await execute(check)
    if (this.#cleanliness.isInDoubt(result, check)) result = await execute(true)
    if (this.#options.loader.isMisled) return this.#run(plan, { explain, isAlone: true })
    if (result.leaks !== undefined) this.#options.onLeaks?.(plan, result.leaks)
    return result.failure?.kind === 'deadlock' ? this.#ifNothingPends(result) : result
  }

  async #warmUp(): Promise<void> {
    this.#warm = true
    // It may hang or crash like any other. It draws only default choices, so none are recorded.
    this.#options.onExecution?.(DEFAULT_PLAN)
    await this.#guarded(() =>
      this.#once(DEFAULT_PLAN, { explain: false, restoreObjects: true, isAlone: false }, undefined),
    )
  }

  /** A deadlock is inconclusive if an operation outside the world was pending. */
  async #ifNothingPends(result: ExplainedResult): Promise<ExplainedResult> {
    if (!(await this.#options.world.pendingOutside())) return result
    return { ...result, verdict: 'void', voided: { reason: { kind: 'pending outside' }, stack: '', frames: [] } }
  }

  /**
   * Runs an execution in a macrotask. An error that escapes comes from norn's own code: the program
   * broke a builtin, or norn has a bug. The process is restored, the execution is inconclusive, and
   * the campaign continues.
   */
  #guarded(once: () => ExplainedResult): Promise<ExplainedResult> {
    return inMacrotask(() => {
      try {
        return once()
      } catch (error) {
        // An unchecked execution may have broken builtins that describe it.
        this.#options.world.restoreObjects()
        const { message, stack, frames } = describeFailure('error', error, this.#positions)
        const voided = { reason: { kind: 'internal error', message }, stack, frames } as const
        return { verdict: 'void', voided, ...NOTHING_HAPPENED }
      }
    })
  }

  #once(
    plan: Plan,
    {
      explain,
      restoreObjects,
      isAlone,
      waiting,
    }: Required<Omit<Running, 'waiting'> & Pick<ExecuteOptions, 'restoreObjects'>> & Pick<Running, 'waiting'>,
    onChoice: ExecutorOptions['onChoice'],
    pause = false,
  ): ExplainedResult {
    const { world, loader, file, property, onInput, health } = this.#options
    const trace = plan.observe?.comparisons ?? false
    const evaluated = { trace, isChecked: this.#executions > 0, isAlone }
    const { source, length, following } = planChoices(
      plan,
      (maxUs) => world.schedulePoint(maxUs),
      () => tape.runOut(),
    )
    const tape: Tape = new Tape(source, length, onChoice)
    if (trace) tape.keepProducts()
    let input: PreparedInput | undefined
    let inputChoices = 0
    let asynchronous = false
    takeFilterCount()
    // Reading the clock takes as long as a small execution.
    const weight = this.#executions++ < TIMED_ONE_BY_ONE ? 1 : this.#executions % TIMED_PERIOD === 0 ? TIMED_PERIOD : 0
    const realMs = weight === 0 ? undefined : () => world.outside(() => performance.now())
    const began = realMs?.() ?? 0
    const marks = new MarkCollection()
    const { demands = NO_DEMANDS } = this.#options
    const { testNames } = property
    const ran = testNames && new TestRecord(demands.everyTest ?? false)
    let isOfRunner = false
    const find = (declared: readonly Property[]) => {
      if (ran === undefined) return findProperty(declared, property.name, file)
      isOfRunner = !declared.some(isOfProgram)
      return propertyOfTests(declared, testNames!, file, ran)
    }
    let simulated: Simulated | undefined
    if (plan.observe !== undefined) loader.coverage?.reset()
    const report = world.execute<Property>(
      tape,
      {
        load: () => declaredBy(loader, file, find, evaluated),
        commands: (fresh) => fresh.options.commands,
        isOfRunner: () => isOfRunner,
        body: (fresh) => {
          const prepared = prepareInput(fresh, plan.input, tape, (reason) => world.refuse(reason), realMs)
          input = prepared
          inputChoices = tape.count('input')
          onInput?.(describeInput(prepared.live))
          setCurrentExecution(() => ({
            ...prepared.current(),
            elapsedUs: () => world.nowUs,
            note: (label) => {
              marks.note(label)
              world.mark(label)
            },
            target: (value, label) => {
              marks.target(value, label)
              world.mark(label, value)
            },
            followsModel: plan.observe?.model ?? true,
            demands,
            explains: explain !== false,
            simulates: (simulation) => {
              simulated = simulation
            },
            suspendFaults: () => world.suspendFaults(),
            fail: (error) => world.fail(error),
            refuse: (reason) => world.refuse(reason),
          }))
          // Called as a plain function, so that stacks keep its name and `this` is not norn's.
          const { body } = fresh
          // biome-ignore lint/suspicious/noDebugger: the breakpoint of --inspect
          if (pause) debugger
          const given = body(prepared.live.values)
          asynchronous = types.isPromise(given)
          waiting?.started(given)
          return given
        },
      },
      {
        bounds: boundsOf({ ...property.options, ...maxLatencyOf(property) }),
        faults: property.options.faults ?? {},
        clock: property.clock ?? property.options.clock,
        wholeWrites: property.wholeWrites,
        hosts: property.options.hosts,
        network: property.options.network,
        slow: property.options.slow,
        onFault: this.#options.onFault,
        explain,
        onStuck: waiting?.stuck,
        restoreObjects,
      },
    )
    setCurrentExecution(undefined)
    // The draws of a fast-check property that the body asserts belong to the input.
    if ((input?.asserted.count ?? 0) > 0) inputChoices = tape.count('input')
    const bodyChoices = tape.count('input') - inputChoices
    const discarded = isDiscarded(report.ending, input)
    if (plan.choices.from !== 'record' && report.ending.kind !== 'inconclusive') {
      const totalMs = weight * ((realMs?.() ?? 0) - began)
      const generationMs = weight * (input?.generationMs() ?? 0)
      const { points } = report
      health?.note({ ...takeFilterCount(), discarded, inputChoices, points, asynchronous, generationMs, totalMs })
    }
    const { points, chains, durationUs, faultPoints } = report
    // Assignments, because a spread for each optional field would be slower.
    const summary: Mutable<ExplainedResult> = { verdict: 'passed', inputChoices, points, chains, durationUs, report }
    if (bodyChoices > 0) summary.bodyChoices = bodyChoices
    if (discarded) summary.discarded = true
    if (faultPoints > 0) {
      summary.faultPoints = faultPoints
      summary.faults = report.faults
    }
    if (following !== undefined) summary.following = following
    if (report.matched.length > 0) summary.matched = report.matched
    if (report.leaks.length > 0 || report.changedObjects)
      Object.assign(summary, this.#leaksOf(report, explain === true))
    if (simulated !== undefined) addSimulated(summary, simulated)
    if (ran !== undefined) summary.tests = ran.result
    if (marks.notes.size > 0) summary.notes = [...marks.notes.keys()]
    if (plan.observe !== undefined)
      summary.observation = this.#observation(plan.observe, report, tape, marks, simulated)
    const ending: Ending = discarded ? { kind: 'passed' } : report.ending
    if (ending.kind === 'passed' && !explain && !plan.detailed) return summary
    const pristine = input?.pristine()
    const saved = pristine === undefined ? undefined : saveInput(pristine)
    const details = {
      ...summary,
      choices: tape.record(),
      traceHash: simulated === undefined ? hashTrace(report.trace()) : hashBoth(report, simulated),
      ...(simulated === undefined ? {} : { cluster: simulated.record() }),
      inputText: pristine === undefined ? '' : describeInput(pristine),
      output: report.output,
      ...(saved === undefined ? {} : { input: saved }),
    }
    if (ending.kind === 'passed') return details
    if (ending.kind === 'inconclusive') {
      const { reason, stack } = ending
      const voided = { reason, stack: readableStack(stack, this.#positions), frames: framesOf(stack, this.#positions) }
      return { ...details, verdict: 'void', voided }
    }
    const { kind, error } = ending.failure
    const failure = describeFailure(simulated?.kindOf(error) ?? kind, error, this.#positions)
    const slow = simulated?.takesRealTime(error) ? { takesRealTime: true } : {}
    return { ...details, verdict: 'failed', failure, ...slow }
  }

  #observation(
    observe: Observing,
    report: ExecutionReport,
    tape: Tape,
    marks: Marks,
    simulated: Simulated | undefined,
  ): Observation {
    const { tasks, happensBefore } = observe.order ? report.order() : NO_ORDER
    const { coverage } = this.#options.loader
    coverage?.settle()
    const cluster = simulated?.observation()
    return {
      counters: coverage?.counters ?? [],
      comparisons: observe.comparisons ? coverage?.comparisons : undefined,
      order: tasks,
      happensBefore,
      notes: marks.notes,
      targets: marks.targets,
      timeline: report.timeline,
      products: tape.products,
      choices: () => tape.record(),
      numbering: coverage?.numbering,
      ...(cluster === undefined ? {} : { cluster, species: cluster.species, isPartial: cluster.isUnfollowed === true }),
    }
  }

  /** The changed objects are named only when explaining. */
  #leaksOf({ ending, leaks, changedObjects }: ExecutionReport, explain: boolean): { leaks?: readonly LeakReport[] } {
    if (ending.kind !== 'passed') return {}
    const named = leaks.map(({ kind, what, origin }) => ({
      kind,
      what,
      frames: origin === undefined ? [] : [frameOf(origin, this.#positions)],
    }))
    const unnamed = changedObjects && !explain ? [{ kind: 'object', what: '', frames: [] }] : []
    return { leaks: [...named, ...unnamed] }
  }

  readonly #positions: Positions = {
    root: () => this.#options.root,
    original: (file, line, column) => this.#options.loader.originalPosition(file, line, column),
  }
}

/** Adds a simulated cluster to the summary: its nodes count as chains. */
function addSimulated(summary: Mutable<ExplainedResult>, simulated: Simulated): void {
  summary.simulated = simulated
  summary.chains += simulated.nodes
  const { faultPoints } = simulated
  if (faultPoints === 0) return
  summary.faultPoints = (summary.faultPoints ?? 0) + faultPoints
  summary.faults = [...(summary.faults ?? []), ...simulated.faults()]
}

/** Hashes the trace of the loop and the log of the simulated cluster. */
function hashBoth(report: ExecutionReport, simulated: Simulated): string {
  return digest([hashTrace(report.trace()), ...simulated.lines()].join('\n')).slice(0, 16)
}

/** A result without the fields that cannot leave this process. */
export function plain({
  report,
  observation,
  simulated,
  ...result
}: ExecutionResult & { report?: unknown; simulated?: unknown }): ExecutionResult {
  return result
}

/** The first executions are all timed, then one in TIMED_PERIOD, weighted accordingly. */
const TIMED_ONE_BY_ONE = 64
const TIMED_PERIOD = 16

/** The report of an execution that was abandoned. */
const NOTHING_HAPPENED = {
  inputChoices: 0,
  points: 0,
  chains: 0,
  durationUs: 0,
  report: {
    ending: { kind: 'passed' },
    order: () => NO_ORDER,
    timeline: () => [],
    trace: () => [],
    notes: [],
    output: '',
    points: 0,
    durationUs: 0,
    faults: [],
    faultPoints: 0,
    matched: [],
    chains: 0,
    leaks: [],
    origins: new OriginsByLabel(),
    failedIn: undefined,
    // Unknown, so assumed: the execution may have changed anything.
    changedObjects: true,
  },
} as const

/** Whether a precondition rejected the input, or the test skipped itself. */
function isDiscarded(ending: Ending, input: PreparedInput | undefined): boolean {
  if (ending.kind === 'passed') return input?.discarded() ?? false
  if (ending.kind !== 'failed' || ending.failure.kind !== 'error') return false
  const { error } = ending.failure
  // Reads no property of the value: a proxy may throw from every trap.
  if (typeof error !== 'object' || error === null || types.isProxy(error)) return false
  return error instanceof SkippedItself || isPreconditionFailure(error)
}

/** Of a call or a saved failure, before what the property declares. */
function maxLatencyOf({ maxLatencyMs }: ExecutionOptions): Pick<PropertyOptions, 'maxLatencyMs'> {
  return maxLatencyMs === undefined ? {} : { maxLatencyMs }
}

function boundsOf(options: PropertyOptions): Bounds {
  const { maxLatencyMs, maxSteps, maxVirtualMs } = options
  return {
    maxLatencyUs: maxLatencyMs === undefined ? DEFAULT_BOUNDS.maxLatencyUs : Math.round(maxLatencyMs * 1000),
    maxSteps: maxSteps ?? DEFAULT_BOUNDS.maxSteps,
    maxVirtualUs: maxVirtualMs === undefined ? DEFAULT_BOUNDS.maxVirtualUs : Math.round(maxVirtualMs * 1000),
  }
}

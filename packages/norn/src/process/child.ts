/**
 * The process that runs executions: installs the world, then does what the campaign's process asks.
 *
 * Started by worker.ts with `--expose-internals`, by way of `execution-process.ts`, which hands
 * over what stands above this folder. It writes every execution to the flight recorder before it
 * begins, and ends by `reallyExit`, so that nothing the program under test registered for the end
 * of the process reaches the real disk.
 */

import { openSync, rmSync } from 'node:fs'
import { open as openDebugger } from 'node:inspector'
import { dirname, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { CampaignSummary, ExecutionCounts } from '../contract/campaign-summary.ts'
import type { HealthWarning, SessionEvent } from '../contract/events.ts'
import { type ExecutionResult, type Executor, FAULT_KINDS } from '../contract/execution.ts'
import { type InconclusiveReport, reasonKey } from '../contract/inconclusive.ts'
import { framesProgress } from '../contract/key-frames.ts'
import type { Plan } from '../contract/plan.ts'
import { domainOf } from '../domains/domains.ts'
import { PropertiesNotLoaded } from '../execution/declared.ts'
import { type ExecutorOptions, PropertyExecutor, plain } from '../execution/executor.ts'
import { framesOf, type Positions } from '../execution/frames.ts'
import { Health } from '../execution/health.ts'
import { LeakCollection } from '../execution/leak-collection.ts'
import { play } from '../execution/play.ts'
import { type FileModules, sharedModules } from '../execution/shared-modules.ts'
import { configurationOf } from '../frameworks/frameworks.ts'
import { type CoverageOptions, userCodeAnd } from '../loader/coverage.ts'
import { Loader } from '../loader/loader.ts'
import type { Cache } from '../loader/transform.ts'
import { guideWithin, isGuided, NOTHING } from '../options/guide.ts'
import { campaign } from '../search/campaign.ts'
import type { CampaignPlanner } from '../search/domain.ts'
import { CorpusStore } from '../storage/corpus-store.ts'
import { cacheFolder, diskCache } from '../storage/disk-cache.ts'
import { TemporaryFilesError } from '../storage/files.ts'
import { KeptCorpus } from '../storage/kept-corpus.ts'
import { namingOptions } from '../world/network/latencies.ts'
import { World } from '../world/world.ts'
import { explained, explanationOf } from './explain.ts'
import { FlightRecorder, OWN_WORK } from './flight-recorder.ts'
import { Journal } from './journal.ts'
import { AliasRefused, listed } from './listed.ts'
import { withLocals } from './locals.ts'
import type {
  ChildConfiguration,
  ExploreOptions,
  FlightRecord,
  ListedProperty,
  RefusalReason,
  Reply,
  Request,
} from './protocol.ts'
import { SecondProcess } from './second-process.ts'
import { WatchThread } from './watch-thread.ts'

const PROGRESS_MS = 100
/** Summaries take some milliseconds of a large search. */
const INTERIM_MS = 2000

/** Real time that shrinking has of its own unless set, in milliseconds: a search may end with a failure. */
const SHRINK_MS = 5000

/** The share of the time left that shrinking one of several failures may take. */
const SHRINKING_SHARE = 0.25

/** Real time after the end of the search that `minRuns` may take, in milliseconds. */
const MIN_RUNS_MS = 60_000

/** What stands above this folder and has a part in executions. */
export interface Extensions {
  /** Modules that code under test shares with norn, by the specifier that imports them. */
  readonly modules: ReadonlyMap<string, object>
  /** Functions that load further modules, called when the first file asks for one. */
  readonly lazyModules: ReadonlyMap<string, () => object>
  /** What `norn/vitest` and `norn/node-test` export beside what norn does. */
  readonly declarers: object
}

/** What differs between the executors of requests. */
interface ExecutorParts extends Pick<ExecutorOptions, 'demands' | 'onLeaks' | 'health'> {
  /** Whether a first execution counts, although parts of Node may be initialised in it. */
  readonly isCold?: boolean | undefined
  /** File to which choices are written as they are drawn. */
  readonly journal?: string | undefined
}

const send = process.send?.bind(process)

/** Does what the campaign's process asks, until it lets go of the channel. */
export function serve(extensions: Extensions): void {
  if (send === undefined) throw new Error('this process is to be started by norn, with a channel to it')
  let child: Child | undefined
  const thread = new WatchThread()
  process.on('message', (message: { configuration: ChildConfiguration } | Request) => {
    if ('configuration' in message) {
      child = new Child(message.configuration, extensions, thread)
      return
    }
    if (message.type === 'stop') {
      child!.stop()
      return
    }
    child!.answer(message).then(
      (reply) => send(reply),
      (error: Error) => {
        send({
          type: 'refused',
          why: refusalReason(error),
          message: error.message,
          stack: error.stack ?? '',
        } satisfies Reply)
      },
    )
  })
  process.on('disconnect', () => {
    child?.tidy()
    ;(process as unknown as { reallyExit(code: number): never }).reallyExit(0)
  })
}

/**
 * When shrinking has to end. A search that goes on after it keeps most of its time.
 *
 * @param end of the search
 * @param ownMs what is left of the time that shrinking has of its own
 */
function shrinkingEnd(nowMs: number, end: number, keepGoing: boolean, ownMs: number): number {
  const shared = keepGoing ? nowMs + SHRINKING_SHARE * (end - nowMs) : end
  return Math.max(nowMs + ownMs, shared)
}

function refusalReason(error: Error): RefusalReason {
  if (error instanceof PropertiesNotLoaded || error instanceof AliasRefused) return error.why
  return error instanceof TemporaryFilesError ? 'temporary files' : 'internal'
}

/** Carries out the requests of one owner. */
class Child {
  #configuration: ChildConfiguration
  readonly #extensions: Extensions
  readonly #thread: WatchThread
  readonly #world: World
  #shared: FileModules
  readonly #cache: Cache | undefined
  /** Another one once a search asks for what this one does not observe. */
  #loader: Loader
  /** That of the last guided search, and what it counts. */
  #guided: { readonly key: string; readonly loader: Loader } | undefined
  #planner: Pick<CampaignPlanner, 'state' | 'summary'> | undefined
  /** Of a search that asks for it. */
  #summary: (() => CampaignSummary) | undefined
  readonly #recorder: FlightRecorder
  #sequence = 0
  /** What the flight recorder holds. */
  #recorded: FlightRecord | undefined
  #execution = 0
  #counts: ExecutionCounts | undefined
  #lastProgress = 0
  #lastInterim = 0
  #stopped = false
  /** The properties that this process has run. */
  readonly #warmed = new Set<string>()
  /** Whether an execution was inconclusive, or may have been while shrinking. */
  #isInDoubt = false

  constructor(configuration: ChildConfiguration, extensions: Extensions, thread: WatchThread) {
    this.#thread = thread
    this.#configuration = configuration
    this.#extensions = extensions
    this.#shared = this.#sharedModules()
    const folder = (configuration.cache ?? true) ? cacheFolder() : undefined
    this.#world = World.install({
      ...configuration,
      scratch: dirname(configuration.flightRecorder),
      elsewhere: new SecondProcess(configuration).play,
      keptGlobals: new Set(this.#shared.modules.environment?.ofRequests),
    })
    this.#cache = folder === undefined ? undefined : diskCache({ folder, root: configuration.root })
    this.#loader = this.#newLoader(undefined)
    this.#recorder = new FlightRecorder(configuration.flightRecorder)
    thread.answerIn(dirname(configuration.flightRecorder), (stack) => framesOf(stack, this.#positions))
  }

  #sharedModules(): FileModules {
    const refuse = (feature: string) => this.#world.refuse({ kind: 'unsupported feature', feature })
    const outside = <Result>(action: () => Result): Result => this.#world.outside(action)
    return sharedModules({ file: this.#configuration.file, refuse, outside }, this.#extensions)
  }

  /**
   * Goes on with another file. Returns false if something of the last one would be left: a file has to run as in a
   * process of its own.
   */
  #open(file: string): boolean {
    if (this.#isInDoubt || !this.#shared.leavesNothing()) return false
    return this.#world.renew(() => {
      this.#shared.withdraw()
      this.#configuration = { ...this.#configuration, file }
      this.#shared = this.#sharedModules()
      this.#loader = this.#newLoader(undefined)
      this.#guided = undefined
      this.#warmed.clear()
      this.#world.addons.missed.clear()
    })
  }

  /** That of the last search, with what it has prepared, if this one is the same function of its seed with it. */
  #guidedLoader(cover: readonly string[]): Loader {
    const key = JSON.stringify(cover)
    if (this.#guided?.key !== key || !this.#guided.loader.isAsLoaded)
      this.#guided = { key, loader: this.#newLoader({ include: userCodeAnd(cover) }) }
    return this.#guided.loader
  }

  #newLoader(coverage: CoverageOptions | undefined): Loader {
    const { aliases, confined, file, root } = this.#configuration
    const { setup, project } = configurationOf(file)
    return new Loader({
      shared: this.#shared.modules,
      aliases: new Map(aliases),
      confined: { root, names: new Set(confined) },
      setup: [...setup, ...(this.#configuration.setup ?? [])],
      project,
      refuse: (operation) => this.#world.refuse({ kind: 'uncontrolled operation', operation }),
      addon: (path) => this.#world.addons.load(path),
      outside: (action) => this.#world.outside(action),
      builtins: this.#world.builtins,
      files: this.#world.files,
      active: () => this.#world.active,
      transformCache: this.#cache,
      ...(this.#configuration.sharesModules
        ? { sharing: { world: this.#world, working: () => this.#recordAgain() } }
        : {}),
      ...(coverage === undefined ? {} : { coverage }),
    })
  }

  /** Tells whoever watches for hangs that norn works, and not the execution. */
  #recordAgain(): void {
    if (this.#recorded === undefined) return
    const record = { ...this.#recorded, sequence: ++this.#sequence }
    this.#world.outside(() => this.#recorder.record(record))
  }

  /** Lets the request that is under way end after the execution it is at. */
  stop(): void {
    this.#stopped = true
  }

  /** Removes what the owner of this process would have removed, had it lived. */
  tidy(): void {
    rmSync(dirname(this.#configuration.flightRecorder), { recursive: true, force: true })
  }

  async answer(request: Exclude<Request, { type: 'stop' }>): Promise<Reply> {
    this.#stopped = false
    switch (request.type) {
      case 'list':
        return { type: 'listed', properties: await this.#listed() }
      case 'open':
        return { type: 'opened', isOpen: this.#open(request.file) }
      case 'files':
        return { type: 'loaded files', paths: this.#loader.ownFiles }
      case 'explore':
        return this.#explore(request)
      case 'execute':
        return this.#execute(request)
      case 'shrink':
        return this.#shrink(request)
      case 'play':
        return this.#play(request)
    }
  }

  #listed(): Promise<ListedProperty[]> {
    const { file, ordinaryTests } = this.#configuration
    return listed(this.#world, this.#loader, file, this.#positions, ordinaryTests)
  }

  async #explore({ property, options }: Extract<Request, { type: 'explore' }>): Promise<Reply> {
    const { cover = [] } = options
    const guide = guideWithin(options.guide ?? NOTHING, domainOf(property))
    if (guide.edges || guide.compare) this.#loader = this.#guidedLoader(cover)
    let shrinking = false
    let plan: Plan | undefined
    this.#execution = 0
    this.#counts = undefined
    const unplaced: { execution: number; report: InconclusiveReport; plan: Plan }[] = []
    const leaks = new LeakCollection()
    const kept = this.#corpusOf(property, options)
    this.#planner = undefined
    this.#summary = undefined
    const health = new Health()
    const executor = this.#executor(property, () => this.#progress(shrinking), {
      demands: { frames: options.frames },
      isCold: options.isCold,
      onLeaks: (plan, left) => leaks.note(this.#execution, plan, left),
      health,
    })
    const began = performance.now()
    const end = began + options.timeMs
    let shrinkEnd = end
    const { minRuns = 1, shrinkMs = SHRINK_MS } = options
    let ownMs = shrinkMs
    let shrinkBegan = 0
    const isUp = () => {
      const nowMs = performance.now()
      if (this.#stopped) return true
      if (shrinking) return nowMs >= shrinkEnd
      return nowMs >= end && (this.#execution >= minRuns || nowMs >= end + MIN_RUNS_MS)
    }
    const summary = await campaign(
      executor,
      {
        ...options,
        guide,
        domain: domainOf(property),
        examples: property.examples,
        required: property.options.required ?? [],
        naming: namingOptions(property.options),
        faultKinds: FAULT_KINDS.filter((kind) => (property.options.faults?.[kind] ?? 0) > 0),
        resumed: kept?.load() ?? [],
        expired: isUp,
      },
      {
        ...(kept === undefined ? {} : { corpus: kept }),
        begun: (planner, summary, left) => {
          this.#loader.expect(() => {
            const now = this.#world.outside(() => performance.now())
            return Math.min(left(), (end - now) / (now - began))
          })
          this.#planner = planner
          this.#summary = options.interim ? summary : undefined
          this.#lastInterim = performance.now()
        },
        ended: ({ entries, unseen }) => {
          if (options.alone ?? true) kept?.minimise(entries, unseen)
        },
        starting: (execution, starting, counts) => {
          this.#execution = execution
          this.#counts = counts
          plan = starting
          shrinking = false
        },
        emit: (event) => {
          shrinking = event.type === 'found'
          if (event.type === 'found') {
            shrinkBegan = performance.now()
            shrinkEnd = shrinkingEnd(shrinkBegan, end, options.keepGoing, ownMs)
          }
          this.#isInDoubt ||= event.type === 'shrunk'
          if (event.type === 'shrunk') ownMs = Math.max(0, ownMs - (performance.now() - shrinkBegan))
          if (event.type === 'inconclusive' && event.report.frames.length === 0)
            unplaced.push({ ...event, plan: plan! })
          // Also without its place: the process may be lost before it is known.
          notify(sendable(event))
        },
      },
    )
    this.#isInDoubt ||= summary.voided > 0
    for (const { execution, report, plan } of unplaced) {
      const { voided } = await explained(executor, plan, this.#positions, false)
      if (voided === undefined || voided.frames.length === 0) continue
      if (reasonKey(voided.reason) === reasonKey(report.reason))
        notify({ type: 'inconclusive', execution, report: voided })
    }
    for (const leak of await leaks.explained((plan) => executor.explain(plan))) notify({ type: 'leaked', ...leak })
    for (const warning of [...this.#missedAddons(), ...health.warnings()]) notify({ type: 'health', warning })
    return { type: 'explored', summary }
  }

  /** The program went on without these, or the execution was inconclusive. */
  #missedAddons(): HealthWarning[] {
    return [...this.#world.addons.missed].map((addon) => {
      const message = `the native addon ${addon} was not loaded: what needs it uses its fallback, if it has one`
      return { check: 'native addons', message, informative: true }
    })
  }

  /** The corpus on disk of a guided search, if it is to have one. */
  #corpusOf(property: ListedProperty, { corpus, guide = NOTHING }: ExploreOptions): KeptCorpus | undefined {
    if (corpus === undefined || !isGuided(guideWithin(guide, domainOf(property)))) return undefined
    const { root, norn, polledEvery, code } = corpus
    const file = relative(root, this.#configuration.file)
    const remark = (text: string) => notify({ type: 'remark', text })
    const onIgnored = (path: string, why: string) => remark(`${relative(root, path)} is no entry of a corpus: ${why}`)
    const store = new CorpusStore({ root, file, property: property.name, version: norn, code, onIgnored })
    return new KeptCorpus(store, remark, polledEvery)
  }

  async #execute(request: Extract<Request, { type: 'execute' }>): Promise<Reply> {
    const { property, plan, explain, inspect, localsAt, demands, journal, isCold } = request
    const executor = this.#executor(property, () => {}, { journal, demands, isCold })
    if (!explain) return { type: 'executed', result: this.#noted(plain(await executor.execute(plan))) }
    if (localsAt !== undefined) {
      const place = (line: string) => framesOf(line, this.#positions)[0]
      const { result, locals } = await withLocals(this.#thread, localsAt, place, () => executor.explain(plan))
      return { type: 'executed', result: this.#noted(plain(result)), locals }
    }
    const result = inspect
      ? await executor.explain(plan, () => openDebugger(undefined, undefined, true))
      : explain === 'steps'
        ? await executor.steps(plan)
        : await explained(executor, plan, this.#positions, explain === true)
    const explanation = explanationOf(result, explain === 'steps' ? undefined : this.#positions)
    return { type: 'executed', result: this.#noted(plain(result)), explanation }
  }

  #noted(result: ExecutionResult): ExecutionResult {
    this.#isInDoubt ||= result.voided !== undefined
    return result
  }

  async #shrink({ property, plan, timeMs }: Extract<Request, { type: 'shrink' }>): Promise<Reply> {
    this.#isInDoubt = true
    const executor = this.#executor(property, () => this.#progress(true))
    const first = await executor.execute(plan)
    if (first.verdict !== 'failed') return { type: 'shrunken', first: plain(first) }
    const end = performance.now() + timeMs
    const outcome = await domainOf(property).shrink(
      executor,
      plan.input,
      first,
      () => this.#stopped || performance.now() >= end,
    )
    return { type: 'shrunken', first: plain(first), outcome: { ...outcome, result: plain(outcome.result) } }
  }

  async #play({ call }: Extract<Request, { type: 'play' }>): Promise<Reply> {
    // The first execution of a process warms it up.
    if (this.#execution++ === 0) await play(this.#world, this.#loader, call)
    return { type: 'played', played: await play(this.#world, this.#loader, call) }
  }

  /** An executor that notes each execution in the flight recorder before it begins. */
  #executor(
    property: ListedProperty,
    beforeEach: () => void,
    { journal, demands, isCold = false, ...parts }: ExecutorParts = {},
  ): Executor & PropertyExecutor {
    const journalFile = journal === undefined ? undefined : new Journal(openSync(journal, 'a'))
    const key = JSON.stringify([property.name, property.testNames])
    const isWarm = isCold || this.#warmed.has(key)
    this.#warmed.add(key)
    return new PropertyExecutor({
      world: this.#world,
      loader: this.#loader,
      file: this.#configuration.file,
      root: this.#configuration.root,
      property: {
        ...property,
        options: { ...property.options, network: property.options.network ?? this.#configuration.network },
      },
      ...parts,
      isWarm,
      demands: { ...demands, conformance: property.conformance ?? false },
      onExecution: (plan) => {
        const record = { sequence: ++this.#sequence, execution: this.#execution, plan, counts: this.#counts }
        this.#recorded = record
        this.#recorder.record(record)
        journalFile?.begin()
        beforeEach()
      },
      onLooking: () => this.#recorder.record({ ...this.#recorded!, sequence: OWN_WORK }),
      ...(journalFile === undefined
        ? {}
        : {
            onInput: (text) => this.#world.outside(() => journalFile.input(text)),
            onFault: (fault) => this.#world.outside(() => journalFile.fault(fault)),
            onChoice: (lane, choice) => this.#world.outside(() => journalFile.choice(lane, choice)),
          }),
    })
  }

  #progress(shrinking: boolean): void {
    const now = performance.now()
    if (now - this.#lastProgress < PROGRESS_MS) return
    this.#lastProgress = now
    const guided = this.#planner?.state
    const states = this.#planner?.summary?.frames
    const frames = states && { frames: framesProgress(states) }
    const gathered = guided === undefined ? {} : { guided }
    notify({ type: 'progress', executions: this.#execution, shrinking, ...gathered, ...frames, ...this.#interim(now) })
  }

  #interim(now: number): { readonly interim?: CampaignSummary } {
    if (this.#summary === undefined || now - this.#lastInterim < INTERIM_MS) return {}
    this.#lastInterim = now
    return { interim: this.#summary() }
  }

  readonly #positions: Positions = {
    root: () => this.#configuration.root,
    original: (file, line, column) => this.#loader.originalPosition(file, line, column),
  }
}

function notify(event: SessionEvent): void {
  send!(event)
}

/** An event without the parts of its results that cannot leave this process. */
function sendable(event: SessionEvent): SessionEvent {
  switch (event.type) {
    case 'found':
    case 'shrunk':
      return { ...event, failure: { ...event.failure, result: plain(event.failure.result) } }
    case 'flaky': {
      const { failure } = event
      return { ...event, failure: { ...failure, first: plain(failure.first), second: plain(failure.second) } }
    }
    default:
      return event
  }
}

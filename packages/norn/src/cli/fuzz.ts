/** `norn fuzz [FILES…]`: runs a session for each property of the files and folders, one after the other. */

import type { KeyFramesData } from '../contract/key-frames.ts'
import { type ChoicePlan, type ExecutionName, NO_ESTIMATES } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import { VERDICTS, type Verdict, verdictOfResult, worstVerdict } from '../contract/verdict.ts'
import type { EnvironmentOptions, SearchFlags } from '../options/table.ts'
import { type ChosenLimits, chooseLimits } from '../options/values.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { DiscoveryCurve } from '../report/discovery-curve.ts'
import type { ResultPaths } from '../report/formats.ts'
import { printableLine } from '../report/printable.ts'
import { residualRisk } from '../report/residual-risk.ts'
import { countedIn, discovered, factsSoFar, searchFacts } from '../report/search-facts.ts'
import { currentCommit } from '../session/commit.ts'
import { type LoadedConfiguration, loadConfiguration } from '../session/configuration.ts'
import type { Origin } from '../session/finding.ts'
import { explainOrLose } from '../session/lost-execution.ts'
import { withNearest } from '../session/nearest.ts'
import { openAddresses, openAnywhere } from '../session/open-addresses.ts'
import {
  type ChosenSearch,
  chooseSearch,
  ownEnvironment,
  processOptions,
  projectAliases,
  projectOpen,
} from '../session/project.ts'
import { propertyFiles } from '../session/property-files.ts'
import { runSession, type SessionEvent } from '../session/session.ts'
import { collectTargets, type Target, type UnloadedFile } from '../session/targets.ts'
import { version } from '../session/version.ts'
import { recordSearch } from '../storage/search-records.ts'
import { formatName } from '../tape/name.ts'
import { readBytes } from './bytes.ts'
import type { ReportCall } from './call-events.ts'
import { checkCovered } from './cover.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { Reporter } from './reporter.ts'
import { Results } from './results.ts'
import { framesFor } from './until-frames.ts'

const DEFAULT_TIME_MS = 30_000

export type FuzzFlags = SearchFlags & ResultPaths

/** @param alsoReport receives the events of the call, beside the terminal */
export async function fuzzCommand(
  named: readonly string[],
  options: FuzzFlags,
  alsoReport?: ReportCall,
): Promise<ExitStatus> {
  const root = process.cwd()
  const files = propertyFiles(named)
  const configuration = loadConfiguration()
  const environment = ownEnvironment()
  const open = await openFor(options)
  const start = { root, aliases: projectAliases(root, options.alias), ...open, ...processOptions(options) }
  const startOf = (file: string) => ({ file, ...start })
  const bytes = options.bytes === undefined ? undefined : readBytes(options.bytes, options.execution)
  checkCovered('--cover', options.cover ?? [], files, root)
  checkCovered(`${configuration.file}: cover`, configuration.options.cover ?? [], files, root)
  const results = new Results(root, options)
  const exiting = exitOnSignal()
  const collected = await collectTargets(files, startOf, options.property).finally(exiting.ignore)
  const { notRun, skipped, unloaded, why } = collected
  const targets = options.conformance ? collected.targets.map(conforming) : collected.targets
  try {
    if (options.conformance && !targets.some(({ property }) => property.conformance)) throw new UsageError(NO_MODEL)
    if (bytes !== undefined && targets.length > 1) {
      throw new UsageError(`--bytes runs one property, but ${targets.length} are selected: select one with --property`)
    }
    const { untilFrames } = options
    const frames =
      untilFrames === undefined ? undefined : framesFor(untilFrames, targets, options.property !== undefined)
    const interrupted = interruption()
    const reporter = new Reporter(root, options, results)
    const report: ReportCall = (event) => {
      reporter.report(event)
      alsoReport?.(event)
    }
    const call = new Call({
      root,
      options,
      configuration,
      environment,
      interrupted: interrupted.signal,
      bytes,
      results,
      report,
      interim: alsoReport !== undefined,
    })
    const planned = targets.map((target) => call.plan(target.property))
    for (const file of unloaded) report({ type: 'unloaded', unloaded: file })
    report({ type: 'not run', targets: notRun })
    report({ type: 'planned', targets })
    for (const target of skipped) results.skipped(target, 'skipped')
    const verdicts: Verdict[] = []
    for (const [index, target] of targets.entries()) {
      if (interrupted.signal.aborted) break
      const began = performance.now()
      const verdict = await call.run(target, planned.slice(index), frames?.get(target))
      results.ended(target, verdict, performance.now() - began)
      report({ type: 'ended', target, verdict })
      verdicts.push(verdict)
      if (targets[index + 1]?.process !== target.process) target.process.close()
    }
    interrupted.ignore()
    for (const target of targets.slice(verdicts.length)) results.skipped(target, 'interrupted before it ran')
    return call.end(verdicts, targets.length, why, unloaded)
  } finally {
    for (const target of [...targets, ...notRun]) target.process.close()
  }
}

const NO_MODEL =
  '--conformance compares clusters with their models, but no selected cluster has one: add the option `model`'

function conforming(target: Target): Target {
  const { property } = target
  return property.hasModel ? { ...target, property: { ...property, conformance: true } } : target
}

/** The open addresses: those of flags, or else those of the configuration. */
async function openFor({
  open = [],
  openAnywhere: anywhere,
  workers,
}: SearchFlags): Promise<ReturnType<typeof projectOpen>> {
  const named = open.length === 0 ? projectOpen() : { open: anywhere ? await openAnywhere(open) : openAddresses(open) }
  if (named.open !== undefined && (workers ?? loadConfiguration().options.workers ?? 1) > 1)
    throw new UsageError('--open takes one worker, because all would share the server: remove --workers')
  return named
}

interface CallParts {
  readonly root: string
  readonly options: SearchFlags
  readonly configuration: LoadedConfiguration
  readonly environment: EnvironmentOptions
  readonly interrupted: AbortSignal
  /** The bytes that make the only execution, if there are any. */
  readonly bytes: Buffer | undefined
  readonly results: Results
  readonly report: ReportCall
  /** Report the facts of a search while it runs. */
  readonly interim: boolean
}

/** What a property is searched with. */
interface PropertyPlan extends ChosenSearch {
  readonly limits: ChosenLimits
  readonly seed: number
}

/** One call of the command: its budget, and the properties it runs. */
class Call {
  readonly #options: SearchFlags
  readonly #configuration: LoadedConfiguration
  readonly #environment: EnvironmentOptions
  readonly #interrupted: AbortSignal
  readonly #bytes: Buffer | undefined
  readonly #results: Results
  /** Of the properties for which nothing names one. */
  readonly #seed = process.env.CI ? 1 : Math.floor(Math.random() * 0x1_0000_0000)
  readonly #started = performance.now()
  /** Spent on properties with a time of their own. */
  #ownMs = 0
  readonly #origin: Origin
  readonly #report: ReportCall
  readonly #interim: boolean

  constructor({ root, options, configuration, environment, interrupted, bytes, results, ...parts }: CallParts) {
    this.#options = options
    this.#configuration = configuration
    this.#environment = environment
    this.#interrupted = interrupted
    this.#bytes = bytes
    this.#results = results
    this.#origin = { root, commit: () => currentCommit(root) }
    this.#report = parts.report
    this.#interim = parts.interim
  }

  /** @throws UsageError if the kind of the property does not have the strategy that a flag names */
  plan(property: ListedProperty): PropertyPlan {
    const configuration = this.#configuration.options
    const levels = { flags: this.#options, environment: this.#environment, configuration }
    const limits = chooseLimits({ ...levels, property: property.options })
    try {
      return {
        ...chooseSearch(property.kind, this.#options, configuration),
        limits,
        seed: limits.seed ?? this.#seed,
      }
    } catch (error) {
      throw new UsageError(`${printableLine(property.name)}: ${(error as Error).message}`)
    }
  }

  /** Runs one property. @param plans of the property and of those that follow */
  async run(
    target: Target,
    plans: readonly PropertyPlan[],
    frames: readonly KeyFramesData[] | undefined,
  ): Promise<Verdict> {
    const plan = plans[0]!
    if (this.#options.execution !== undefined) return this.#runNamed(target, this.#options.execution, plan)
    if (this.#bytes !== undefined) return this.#runBytes(target, this.#bytes)
    const { property } = target
    const { limits, named: strategy, ...chosenSearch } = plan
    const { seed, guide } = chosenSearch
    const { runs } = limits
    const timeMs = this.#budgetMs(plans)
    const options = {
      ...chosenSearch,
      runs: runs ?? Number.MAX_SAFE_INTEGER,
      timeMs,
      workers: this.#workers,
      origin: this.#origin,
      interim: this.#interim,
      frames,
      corpus: this.#usesCorpus(runs) ? { root: this.#origin.root, norn: version() } : undefined,
    }
    const isTimed = runs === undefined || limits.timeMs !== undefined
    const chosen = { seed, guide, strategy, isTimed }
    const start = performance.now()
    let began = performance.now()
    const curve = new DiscoveryCurve()
    const report = (event: SessionEvent): void => {
      if (event.type === 'searching') began = performance.now()
      if (event.type !== 'progress') {
        this.#report({ type: 'session', target, event, chosen })
        return
      }
      if (event.guided !== undefined) curve.add(event.executions, discovered(event.guided))
      const { interim: summary, ...now } = event
      const progress = { guided: undefined, ...now, elapsedMs: performance.now() - began, timeMs, runs }
      const facts = summary && factsSoFar({ summary, ...residualRisk(target, summary, guide) })
      this.#report({ type: 'progress', target, chosen, progress, curve, facts })
    }
    const { verdict, search } = await runSession(target, options, report, this.#interrupted)
    if (search !== undefined) {
      const { summary } = search
      const { executions, guided } = summary
      const points = guided === undefined ? [] : curve.ending(executions, discovered(guided))
      const counted = guided === undefined ? '' : countedIn(guided)
      const facts = searchFacts({ ...search, ...chosen, ...residualRisk(target, summary, guide) })
      const record = { endedAt: new Date().toISOString(), verdict, ...facts, curve: points, counted }
      this.#report({ type: 'searched', target, search, chosen, record })
      recordSearch(this.#origin.root, target.file, property.name, record)
    }
    if (!sharesTime(plan)) this.#ownMs += performance.now() - start
    return verdict
  }

  /** @param why why there is no property to run, if there is none */
  end(verdicts: readonly Verdict[], properties: number, why: string, unloaded: readonly UnloadedFile[]): ExitStatus {
    const { aborted: interrupted, reason: signal } = this.#interrupted
    const found = verdicts.length === 0 ? 'undecided' : worstVerdict(verdicts)
    const status = worst([VERDICTS[found].status, ...unloaded.map(statusOfUnloaded), this.#results.end(interrupted)])
    const timeMs = performance.now() - this.#started
    this.#report({ type: 'end', status, verdicts, properties, why, unloaded, interrupted, signal, timeMs })
    return status
  }

  /** Runs the execution of `--execution`. */
  #runNamed(target: Target, name: ExecutionName, { strategy }: PropertyPlan): Promise<Verdict> {
    const choices = { from: 'strategy', strategy, name, estimates: NO_ESTIMATES } as const
    const found = `execution ${formatName(name)}`
    return this.#runOnly(target, choices, `${found}, not shrunk`, found, { name: formatName(name) })
  }

  /** Runs the execution of `--bytes`. */
  #runBytes(target: Target, bytes: Buffer): Promise<Verdict> {
    const what = `the execution of ${plural(bytes.length, 'byte')}`
    const choices = { from: 'bytes', base64: bytes.toString('base64') } as const
    return this.#runOnly(target, choices, what, what, { bytes: bytes.length })
  }

  async #runOnly(
    target: Target,
    choices: ChoicePlan,
    found: string,
    what: string,
    fields: Record<string, unknown>,
  ): Promise<Verdict> {
    const plan = { input: { from: 'tape' }, choices } as const
    const explained = await explainOrLose(target.process.worker(), target.property, plan)
    const isOpen = target.process.start.open !== undefined
    const { result, explanation } = isOpen
      ? explained
      : await withNearest(target.process.worker(), target.property, plan, explained)
    this.#report({ type: 'only', target, only: { result, explanation, found, what, fields } })
    return verdictOfResult(result)
  }

  /** The time of `--time` is shared; what other levels name is the time of each property. */
  #budgetMs(plans: readonly PropertyPlan[]): number {
    const [plan] = plans
    const { runs, timeMs } = plan!.limits
    if (timeMs === undefined && runs !== undefined) return Number.MAX_SAFE_INTEGER
    if (timeMs !== undefined && !sharesTime(plan!)) return timeMs
    const total = timeMs ?? DEFAULT_TIME_MS
    const elapsedMs = performance.now() - this.#started - this.#ownMs
    return Math.max(0, total - elapsedMs) / plans.filter(sharesTime).length
  }

  get #workers(): number {
    return this.#options.workers ?? this.#configuration.options.workers ?? 1
  }

  /** With a number of runs a search is a function of its seed, not of what earlier ones left. */
  #usesCorpus(runs: number | undefined): boolean {
    const asked = this.#options.corpus ?? this.#configuration.options.corpus
    return asked ?? (runs === undefined || this.#workers > 1)
  }
}

function statusOfUnloaded({ error }: UnloadedFile): ExitStatus {
  return error instanceof UsageError ? STATUS.usage : STATUS.undecided
}

/** Whether a property takes part in the time of the call. */
function sharesTime({ limits: { level } }: PropertyPlan): boolean {
  return level === undefined || level === 'flags'
}

/** `norn fuzz [FILES…]`: runs a session for each property of the files and folders, one after the other. */

import type { OnlyExecution, Report, SessionEvent } from '../contract/events.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import { type ChoicePlan, NO_ESTIMATES } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import { VERDICTS, type Verdict, verdictOfCall, verdictOfResult } from '../contract/verdict.ts'
import type { EnvironmentOptions, SearchFlags } from '../options/table.ts'
import { type ChosenLimits, chooseLimits, executionOptionsOf } from '../options/values.ts'
import type { ListedProperty } from '../process/protocol.ts'
import type { ResultPaths } from '../report/formats.ts'
import { printableLine } from '../report/printable.ts'
import { currentCommit } from '../session/commit.ts'
import { type LoadedConfiguration, loadConfiguration } from '../session/configuration.ts'
import type { Origin } from '../session/finding.ts'
import { explainOrLose } from '../session/lost-execution.ts'
import { comparedWithPassing } from '../session/nearest.ts'
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
import type { Reporter, Searched } from '../session/reporter.ts'
import { runSession } from '../session/session.ts'
import { collectTargets, type Target, type UnloadedFile } from '../session/targets.ts'
import { version } from '../session/version.ts'
import { formatName } from '../tape/name.ts'
import { readBytes } from './bytes.ts'
import { checkCovered } from './cover.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { TerminalReporter } from './reporter.ts'
import { Results } from './results.ts'
import { SearchRecorder } from './search-recorder.ts'
import { framesFor } from './until-frames.ts'

const DEFAULT_TIME_MS = 30_000

/** Real time that loading has at least, however short the time of the call is, in milliseconds. */
const LOADING_MS = 15_000

export type FuzzFlags = SearchFlags & ResultPaths

/** @param others report the call, beside the terminal */
export async function fuzzCommand(
  named: readonly string[],
  options: FuzzFlags,
  others: readonly Reporter[] = [],
): Promise<ExitStatus> {
  const started = performance.now()
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
  const terminal = new TerminalReporter(root, options, results)
  const onLoading = (file: string) => terminal.loading(file)
  const { timeMs } = options
  const loadingMs = timeMs === undefined ? undefined : Math.max(timeMs, LOADING_MS)
  const collected = await collectTargets(files, startOf, options.property, onLoading, loadingMs).finally(() => {
    terminal.loaded()
    exiting.ignore()
  })
  const { notRun, skipped, unloaded, why } = collected
  const targets = collected.targets.map((target) => withOptions(target, options))
  try {
    if (options.conformance && !targets.some(({ property }) => property.conformance)) throw new UsageError(NO_MODEL)
    if (bytes !== undefined && targets.length > 1) {
      throw new UsageError(`--bytes runs one property, but ${targets.length} are selected: select one with --property`)
    }
    const { untilFrames } = options
    const frames =
      untilFrames === undefined ? undefined : framesFor(untilFrames, targets, options.property !== undefined)
    const interrupted = interruption()
    const reporters: readonly Reporter[] = [terminal, new SearchRecorder(root), ...others]
    const call = new Call({
      started,
      root,
      options,
      configuration,
      environment,
      interrupted: interrupted.signal,
      bytes,
      results,
      reporters,
      interim: others.length > 0,
    })
    const planned = targets.map((target) => call.plan(target.property))
    for (const reporter of reporters) reporter.begin?.({ targets, notRun, unloaded })
    for (const target of skipped) results.skipped(target, 'skipped')
    const verdicts: Verdict[] = []
    for (const [index, target] of targets.entries()) {
      if (interrupted.signal.aborted) break
      const began = performance.now()
      const verdict = await call.run(target, planned.slice(index), frames?.get(target))
      results.ended(target, verdict, performance.now() - began)
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

/** A target whose executions run with the options of the call. */
function withOptions(target: Target, options: SearchFlags): Target {
  const { conformance, ...given } = executionOptionsOf(options)
  const conforming = conformance && target.property.hasModel ? { conformance } : {}
  return { ...target, property: { ...target.property, ...given, ...conforming } }
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
  /** When the command began: loading is a part of its time. */
  readonly started: number
  readonly root: string
  readonly options: SearchFlags
  readonly configuration: LoadedConfiguration
  readonly environment: EnvironmentOptions
  readonly interrupted: AbortSignal
  /** The bytes that make the only execution, if there are any. */
  readonly bytes: Buffer | undefined
  readonly results: Results
  readonly reporters: readonly Reporter[]
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
  readonly #started: number
  /** Spent on properties with a time of their own, and by others beyond their share. */
  #ownMs = 0
  readonly #origin: Origin
  readonly #reporters: readonly Reporter[]
  readonly #interim: boolean

  constructor({ root, options, configuration, environment, interrupted, bytes, results, ...parts }: CallParts) {
    this.#started = parts.started
    this.#options = options
    this.#configuration = configuration
    this.#environment = environment
    this.#interrupted = interrupted
    this.#bytes = bytes
    this.#results = results
    this.#origin = { root, commit: () => currentCommit(root) }
    this.#reporters = parts.reporters
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
    const { limits, guide, seed, named: strategy } = plan
    const isTimed = limits.runs === undefined || limits.timeMs !== undefined
    const from = { target, seed, guide, strategy, isTimed, runs: limits.runs, timeMs: this.#budgetMs(plans) }
    const report = (event: SessionEvent) => {
      for (const reporter of this.#reporters) reporter.report(event, from)
    }
    const only = this.#only(plan)
    const verdict =
      only === undefined ? await this.#search(from, plan, frames, report) : await runOnly(target, only, report)
    report({ type: 'ended', verdict })
    return verdict
  }

  async #search(
    { target, timeMs }: Searched,
    plan: PropertyPlan,
    frames: readonly KeyFramesData[] | undefined,
    report: Report,
  ): Promise<Verdict> {
    const { limits, named: _, ...chosenSearch } = plan
    const { runs } = limits
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
    const start = performance.now()
    const { verdict } = await runSession(target, options, report, this.#interrupted)
    const spentMs = performance.now() - start
    // What shrinking and confirming took beyond its share is not taken from other properties.
    this.#ownMs += sharesTime(plan) ? Math.max(0, spentMs - timeMs) : spentMs
    return verdict
  }

  /** @param why why there is no property to run, if there is none */
  end(verdicts: readonly Verdict[], properties: number, why: string, unloaded: readonly UnloadedFile[]): ExitStatus {
    const { aborted: interrupted, reason: signal } = this.#interrupted
    const status = worst([
      VERDICTS[verdictOfCall(verdicts)].status,
      ...unloaded.map(statusOfUnloaded),
      this.#results.end(interrupted),
    ])
    const timeMs = performance.now() - this.#started
    const ended = { status, verdicts, properties, why, unloaded, interrupted, signal, timeMs }
    for (const reporter of this.#reporters) reporter.end?.(ended)
    return status
  }

  /** The execution of `--execution` or `--bytes`. */
  #only({ strategy }: PropertyPlan): NamedExecution | undefined {
    const { execution } = this.#options
    if (execution !== undefined) {
      const name = formatName(execution)
      const what = `execution ${name}`
      const choices = { from: 'strategy', strategy, name: execution, estimates: NO_ESTIMATES } as const
      return { choices, found: `${what}, not shrunk`, what, fields: { name } }
    }
    if (this.#bytes === undefined) return undefined
    const { length } = this.#bytes
    const what = `the execution of ${plural(length, 'byte')}`
    const choices = { from: 'bytes', base64: this.#bytes.toString('base64') } as const
    return { choices, found: what, what, fields: { bytes: length } }
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

interface NamedExecution extends Omit<OnlyExecution, 'result' | 'explanation'> {
  readonly choices: ChoicePlan
}

async function runOnly(target: Target, { choices, ...named }: NamedExecution, report: Report): Promise<Verdict> {
  const plan = { input: { from: 'tape' }, choices } as const
  const explained = await explainOrLose(target.process.worker(), target.property, plan)
  const isOpen = target.process.start.open !== undefined
  const { result, explanation } = isOpen
    ? explained
    : await comparedWithPassing(target.process.worker(), target.property, plan, explained)
  report({ type: 'only', only: { ...named, result, explanation } })
  return verdictOfResult(result)
}

function statusOfUnloaded({ error }: UnloadedFile): ExitStatus {
  return error instanceof UsageError ? STATUS.usage : STATUS.undecided
}

/** Whether a property takes part in the time of the call. */
function sharesTime({ limits: { level } }: PropertyPlan): boolean {
  return level === undefined || level === 'flags'
}

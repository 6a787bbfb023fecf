/** `norn fuzz FILES…`: hunts every property of the files, one after the other. */

import { clusterStrategy } from '../cluster/search/cluster-strategy.ts'
import type { LeakReport } from '../contract/execution.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import { allReached, type KeyFramesData } from '../contract/key-frames.ts'
import { type ChoicePlan, type ExecutionName, NO_ESTIMATES } from '../contract/plan.ts'
import type { HealthWarning } from '../execution/health.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { Worker } from '../process/worker.ts'
import { printableLine } from '../report/printable.ts'
import { progressText } from '../report/progress.ts'
import { EVERYTHING, type Guide, NOTHING } from '../search/guide.ts'
import { resolveAliases } from '../session/aliases.ts'
import { currentCommit } from '../session/commit.ts'
import { explainOrLose } from '../session/explain.ts'
import { type Origin, saveFound } from '../session/finding.ts'
import { huntTogether } from '../session/pool.ts'
import { trySavedFirst } from '../session/saved-first.ts'
import { collectTargets, type Target } from '../session/targets.ts'
import { version } from '../session/version.ts'
import { formatName } from '../tape/name.ts'
import { readBytes } from './bytes.ts'
import { checkCovered } from './cover.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import { DEFAULT_STRATEGY, type FuzzCommandOptions } from './fuzz-options.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { Telling } from './telling.ts'
import { framesFor } from './until-frames.ts'

const DEFAULT_TIME_MS = 30_000

export async function fuzzCommand(files: readonly string[], options: FuzzCommandOptions): Promise<ExitStatus> {
  const root = process.cwd()
  const aliases = resolveAliases(options.alias, root)
  const startOf = (file: string) => ({
    file,
    root,
    aliases,
    hangMs: options.hang,
    memoryMb: options.memory,
  })
  const bytes = options.bytes === undefined ? undefined : readBytes(options.bytes, options.execution)
  checkCovered(options.cover, files, root)
  const exiting = exitOnSignal()
  const { targets, notRun, why } = await collectTargets(files, startOf, options.property).finally(exiting.ignore)
  if (bytes !== undefined && targets.length > 1) {
    throw new UsageError(
      `bytes make an execution of one property, and there are ${targets.length}: name one by --property`,
    )
  }
  for (const { property } of targets) strategyFor(property, options.strategy)
  const { untilFrames } = options
  const frames = untilFrames === undefined ? undefined : framesFor(untilFrames, targets, options.property !== undefined)
  const interrupted = interruption()
  const call = new Call(root, options, interrupted.signal, bytes)
  call.telling.notRun(notRun)
  const statuses: ExitStatus[] = []
  for (const [index, target] of targets.entries()) {
    if (interrupted.signal.aborted) break
    statuses.push(await call.run(target, targets.length - index, frames?.get(target)))
  }
  interrupted.ignore()
  return call.end(statuses, targets.length, why)
}

/** What one execution makes of a call. */
const STATUS_OF = { passed: STATUS.passed, failed: STATUS.failed, void: STATUS.undecided } as const

/** One call of the command: its budget, and what it runs. */
class Call {
  readonly #root: string
  readonly #options: FuzzCommandOptions
  readonly #interrupted: AbortSignal
  readonly #bytes: Buffer | undefined
  readonly #seed: number
  readonly #started = performance.now()
  readonly #origin: Origin
  readonly telling: Telling

  /** @param bytes what makes the one execution that is to run, if it is made of bytes */
  constructor(root: string, options: FuzzCommandOptions, interrupted: AbortSignal, bytes: Buffer | undefined) {
    this.#root = root
    this.#bytes = bytes
    this.#options = options
    this.#interrupted = interrupted
    this.#seed = options.seed ?? (process.env.CI ? 1 : Math.floor(Math.random() * 0x1_0000_0000))
    this.#origin = { root, commit: currentCommit(root) }
    this.telling = new Telling(this.#origin, options, this.#seed, this.#guide)
  }

  /** Hunts one property; `left` properties share what is left of the time. */
  async run(target: Target, left: number, frames?: readonly KeyFramesData[]): Promise<ExitStatus> {
    if (this.#options.execution !== undefined) return this.#runNamed(target, this.#options.execution)
    if (this.#bytes !== undefined) return this.#runBytes(target, this.#bytes)
    const savedStatus = this.#options.saved ? await this.#trySaved(target) : STATUS.passed
    if (this.#interrupted.aborted && savedStatus === STATUS.passed) return STATUS.undecided
    if (savedStatus === STATUS.failed && !this.#options.keepGoing) return savedStatus
    return worst([savedStatus, await this.#search(target, left, frames)])
  }

  /** Tries the failures saved earlier. */
  async #trySaved(target: Target): Promise<ExitStatus> {
    const { tried, problems } = await trySavedFirst(target, this.#options.keepGoing, this.#interrupted)
    this.telling.saved(target, tried, problems)
    const verdicts = new Set(tried.map(({ result }) => result.verdict))
    if (verdicts.has('failed')) return STATUS.failed
    return verdicts.has('void') ? STATUS.undecided : STATUS.passed
  }

  async #search(target: Target, left: number, frames?: readonly KeyFramesData[]): Promise<ExitStatus> {
    const { property, start } = target
    const began = performance.now()
    const timeMs = this.#budgetMs(left)
    const settings = {
      seed: this.#seed,
      strategy: strategyFor(property, this.#options.strategy),
      guide: this.#guide,
      runs: this.#options.runs ?? Number.MAX_SAFE_INTEGER,
      cover: this.#options.cover,
      ...(frames === undefined ? {} : { frames }),
      ...(this.#usesCorpus ? { corpus: { root: this.#root, norn: version() } } : {}),
    }
    const { keepGoing, shrink } = this.#options
    const leaks = new Map<string, { execution: number; report: LeakReport }>()
    const voids: { execution: number; report: InconclusiveReport }[] = []
    const warnings: HealthWarning[] = []
    let unconfirmed = 0
    this.telling.status.update(`${printableLine(property.name)}: starting`)
    const summary = await huntTogether(
      start,
      property,
      { ...settings, timeMs, keepGoing, shrink, skip: 0 },
      {
        progress: (executions, shrinking, guided, frames) => {
          const [elapsedMs, { runs }] = [performance.now() - began, this.#options]
          const progress = { executions, shrinking, guided, frames, elapsedMs, timeMs, runs }
          this.telling.status.update(progressText(printableLine(property.name), progress))
        },
        remarked: (text) => this.telling.remark(property, text),
        found: (failure, input) => {
          const unsaved = (why: string) => this.telling.remark(property, why)
          saveFound({ ...this.#origin, unsaved }, target, failure, input, input, false)
        },
        finding: (finding) => {
          if (!finding.confirmed) unconfirmed++
          this.telling.finding(target, finding)
        },
        flaky: (failure) => this.telling.flaky(target, failure),
        voided: (execution, report) => {
          voids.push({ execution, report })
        },
        leaked: (execution, report) => {
          const [frame] = report.frames
          const key = `${report.kind} ${frame === undefined ? report.what : `${frame.file}:${frame.line}:${frame.column}`}`
          if (!leaks.has(key)) leaks.set(key, { execution, report })
        },
        unhealthy: (warning) => {
          warnings.push(warning)
        },
      },
      this.#interrupted,
      this.#options.workers,
    )
    this.telling.status.clear()
    for (const { execution, report } of voids) this.telling.voided(target, execution, report, summary)
    this.telling.leaked(target, [...leaks.values()])
    this.telling.summary(target, summary, performance.now() - began)
    this.telling.health(target, warnings)
    if (summary.distinctFailures > unconfirmed) return STATUS.failed
    const nothingSaid = summary.voided > 0 || summary.executions === 0 || summary.missed.length > 0
    const missing = summary.frames !== undefined && !allReached(summary.frames)
    const undecided = summary.flaky > 0 || unconfirmed > 0 || nothingSaid || missing
    return undecided || this.#interrupted.aborted ? STATUS.undecided : STATUS.passed
  }

  /** @param why there is nothing to run, if there is nothing */
  end(statuses: readonly ExitStatus[], properties: number, why: string): ExitStatus {
    const status = statuses.length === 0 ? STATUS.undecided : worst(statuses)
    const timeMs = performance.now() - this.#started
    this.telling.end(status, statuses, { properties, why, interrupted: this.#interrupted.aborted, timeMs })
    return status
  }

  /** Runs the one execution that a number names. */
  #runNamed(target: Target, name: ExecutionName): Promise<ExitStatus> {
    const strategy = strategyFor(target.property, this.#options.strategy)
    const choices = { from: 'strategy', strategy, name, estimates: NO_ESTIMATES } as const
    const found = `execution ${formatName(name)}`
    return this.#runOnly(target, choices, `${found}, as it was drawn`, found, { name: formatName(name) })
  }

  /** Runs the one execution that bytes make. */
  #runBytes(target: Target, bytes: Buffer): Promise<ExitStatus> {
    const what = `the execution that ${bytes.length} ${bytes.length === 1 ? 'byte makes' : 'bytes make'}`
    const choices = { from: 'bytes', base64: bytes.toString('base64') } as const
    return this.#runOnly(target, choices, what, what, { bytes: bytes.length })
  }

  async #runOnly(
    target: Target,
    choices: ChoicePlan,
    found: string,
    what: string,
    fields: Record<string, unknown>,
  ): Promise<ExitStatus> {
    const worker = new Worker(target.start)
    try {
      const { result, explanation } = await explainOrLose(worker, target.property, { input: { from: 'tape' }, choices })
      this.telling.only(target, { result, explanation, found, what, fields })
      return STATUS_OF[result.verdict]
    } finally {
      worker.close()
    }
  }

  /** Whoever asks for one strategy asks for it alone. */
  get #guide(): Guide {
    const { guide, strategy } = this.#options
    return guide ?? (strategy === DEFAULT_STRATEGY ? EVERYTHING : NOTHING)
  }

  #budgetMs(left: number): number {
    const { time, runs } = this.#options
    if (time === undefined && runs !== undefined) return Number.MAX_SAFE_INTEGER
    const total = time ?? DEFAULT_TIME_MS
    return Math.max(0, total - (performance.now() - this.#started)) / left
  }

  /** A search of so many runs is to be a function of its seed, not of what earlier ones left. */
  get #usesCorpus(): boolean {
    const { corpus, runs, workers } = this.#options
    return corpus ?? (runs === undefined || workers > 1)
  }
}

/**
 * Who proposes what is left to chance.
 *
 * @throws UsageError if it is none that properties of the kind have
 */
function strategyFor({ kind, name }: ListedProperty, strategy: string): string {
  if (kind !== 'cluster') return strategy
  try {
    return clusterStrategy(strategy)
  } catch (error) {
    throw new UsageError(`${printableLine(name)}: ${(error as Error).message}`)
  }
}

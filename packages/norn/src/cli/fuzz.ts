/** `norn fuzz FILES…`: runs a session for each property of the files, one after the other. */

import { clusterStrategy } from '../cluster/search/cluster-strategy.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import { type ChoicePlan, type ExecutionName, NO_ESTIMATES } from '../contract/plan.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { printableLine } from '../report/printable.ts'
import { progressText } from '../report/progress.ts'
import { EVERYTHING, type Guide, NOTHING } from '../search/guide.ts'
import { DEFAULT_STRATEGY } from '../search/options.ts'
import { resolveAliases } from '../session/aliases.ts'
import { currentCommit } from '../session/commit.ts'
import type { Origin } from '../session/finding.ts'
import { explainOrLose } from '../session/lost-execution.ts'
import { runSession, type SessionEvent, type Verdict } from '../session/session.ts'
import { collectTargets, type Target } from '../session/targets.ts'
import { version } from '../session/version.ts'
import { formatName } from '../tape/name.ts'
import { readBytes } from './bytes.ts'
import { checkCovered } from './cover.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import type { FuzzCommandOptions } from './fuzz-options.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { Reporter } from './reporter.ts'
import { framesFor } from './until-frames.ts'

const DEFAULT_TIME_MS = 30_000

export async function fuzzCommand(files: readonly string[], options: FuzzCommandOptions): Promise<ExitStatus> {
  const root = process.cwd()
  const aliases = resolveAliases(options.alias, root)
  const startOf = (file: string) => ({ file, root, aliases, hangMs: options.hang, memoryMb: options.memory })
  const bytes = options.bytes === undefined ? undefined : readBytes(options.bytes, options.execution)
  checkCovered(options.cover, files, root)
  const exiting = exitOnSignal()
  const { targets, notRun, why } = await collectTargets(files, startOf, options.property).finally(exiting.ignore)
  try {
    if (bytes !== undefined && targets.length > 1) {
      throw new UsageError(`--bytes runs one property, and ${targets.length} are declared: name one with --property`)
    }
    for (const { property } of targets) strategyFor(property, options.strategy)
    const { untilFrames } = options
    const frames =
      untilFrames === undefined ? undefined : framesFor(untilFrames, targets, options.property !== undefined)
    const interrupted = interruption()
    const call = new Call(root, options, interrupted.signal, bytes)
    call.reporter.notRun(notRun)
    const statuses: ExitStatus[] = []
    for (const [index, target] of targets.entries()) {
      if (interrupted.signal.aborted) break
      statuses.push(await call.run(target, targets.length - index, frames?.get(target)))
      if (targets[index + 1]?.process !== target.process) target.process.close()
    }
    interrupted.ignore()
    return call.end(statuses, targets.length, why)
  } finally {
    for (const target of [...targets, ...notRun]) target.process.close()
  }
}

const STATUS_OF: Readonly<Record<Verdict | 'void', ExitStatus>> = { ...STATUS, void: STATUS.undecided }

/** One call of the command: its budget, and the properties it runs. */
class Call {
  readonly #options: FuzzCommandOptions
  readonly #interrupted: AbortSignal
  readonly #bytes: Buffer | undefined
  readonly #seed: number
  readonly #started = performance.now()
  readonly #origin: Origin
  readonly reporter: Reporter

  /** @param bytes the bytes that make the only execution, if there are any */
  constructor(root: string, options: FuzzCommandOptions, interrupted: AbortSignal, bytes: Buffer | undefined) {
    this.#bytes = bytes
    this.#options = options
    this.#interrupted = interrupted
    this.#seed = options.seed ?? (process.env.CI ? 1 : Math.floor(Math.random() * 0x1_0000_0000))
    this.#origin = { root, commit: () => currentCommit(root) }
    this.reporter = new Reporter(root, options, this.#seed, this.#guide)
  }

  /** Runs one property; `left` properties share the time that is left. */
  async run(target: Target, left: number, frames?: readonly KeyFramesData[]): Promise<ExitStatus> {
    if (this.#options.execution !== undefined) return this.#runNamed(target, this.#options.execution)
    if (this.#bytes !== undefined) return this.#runBytes(target, this.#bytes)
    const { property } = target
    const { keepGoing, shrink, saved, workers, cover, runs = Number.MAX_SAFE_INTEGER } = this.#options
    const timeMs = this.#budgetMs(left)
    const options = {
      ...{ seed: this.#seed, strategy: strategyFor(property, this.#options.strategy), guide: this.#guide },
      ...{ runs, timeMs, keepGoing, shrink, cover, saved, workers, origin: this.#origin },
      ...(frames === undefined ? {} : { frames }),
      ...(this.#usesCorpus ? { corpus: { root: this.#origin.root, norn: version() } } : {}),
    }
    let began = performance.now()
    const report = (event: SessionEvent): void => {
      switch (event.type) {
        case 'searching':
          began = performance.now()
          this.reporter.status.update(`${printableLine(property.name)}: starting`)
          return
        case 'progress': {
          const elapsedMs = performance.now() - began
          const progress = { guided: undefined, ...event, elapsedMs, timeMs, runs: this.#options.runs }
          this.reporter.status.update(progressText(printableLine(property.name), progress))
          return
        }
        default:
          this.reporter.event(target, event)
      }
    }
    const { verdict, search } = await runSession(target, options, report, this.#interrupted)
    if (search !== undefined) this.reporter.searched(target, search)
    return STATUS_OF[verdict]
  }

  /** @param why the reason for which there is nothing to run, if there is nothing */
  end(statuses: readonly ExitStatus[], properties: number, why: string): ExitStatus {
    const status = statuses.length === 0 ? STATUS.undecided : worst(statuses)
    const timeMs = performance.now() - this.#started
    this.reporter.end(status, statuses, { properties, why, interrupted: this.#interrupted.aborted, timeMs })
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
    const plan = { input: { from: 'tape' }, choices } as const
    const { result, explanation } = await explainOrLose(target.process.worker(), target.property, plan)
    this.reporter.only(target, { result, explanation, found, what, fields })
    return STATUS_OF[result.verdict]
  }

  /** A strategy that is asked for runs alone. */
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

  /** With `--runs` a search is a function of its seed, not of what earlier ones left. */
  get #usesCorpus(): boolean {
    const { corpus, runs, workers } = this.#options
    return corpus ?? (runs === undefined || workers > 1)
  }
}

/**
 * The strategy of a property.
 *
 * @throws UsageError if its kind does not have this strategy
 */
function strategyFor({ kind, name }: ListedProperty, strategy: string): string {
  if (kind !== 'cluster') return strategy
  try {
    return clusterStrategy(strategy)
  } catch (error) {
    throw new UsageError(`${printableLine(name)}: ${(error as Error).message}`)
  }
}

/** `norn fuzz FILES…`: hunts every property of the files, one after the other. */

import { clusterStrategy } from '../cluster/search/cluster-strategy.ts'
import type { CampaignSummary, FlakyFailure } from '../explore/campaign.ts'
import type { ChoicePlan, LeakReport, VoidReport } from '../explore/execution.ts'
import { EVERYTHING, type Guide, NOTHING } from '../explore/guided/guide.ts'
import { allReached, type KeyFramesData } from '../explore/key-frames.ts'
import { readStop } from '../explore/stop-estimate.ts'
import { huntTogether } from '../property/crew.ts'
import type { HealthWarning } from '../property/health.ts'
import type { Finding } from '../property/hunt.ts'
import type { ListedProperty } from '../property/protocol.ts'
import { Worker } from '../property/worker.ts'
import { failureText } from '../report/failure.ts'
import { framesText } from '../report/frames.ts'
import { healthText, notRunText } from '../report/health.ts'
import { resultFields } from '../report/json.ts'
import { leakText } from '../report/leak.ts'
import { printableLine } from '../report/printable.ts'
import { progressText } from '../report/progress.ts'
import { statusLine } from '../report/status.ts'
import { type Counted, withStop } from '../report/stop.ts'
import { terminalStyle } from '../report/style.ts'
import { summaryText, tallyText } from '../report/summary.ts'
import { divergenceLines, voidText } from '../report/void.ts'
import { NO_ESTIMATES } from '../schedule/strategy.ts'
import { type ExecutionName, formatName } from '../tape/name.ts'
import { type Alias, resolveAliases } from './aliases.ts'
import { readBytes } from './bytes.ts'
import { checkCovered } from './cover.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import { explainOrLose } from './explain.ts'
import { exampleNumber, foundText, inputTitle, type Origin, saveFound } from './finding.ts'
import { exitOnSignal, interruption } from './interruption.ts'
import { commandFor } from './invocation.ts'
import { drawBeside } from './picture.ts'
import { trySavedFirst } from './saved-first.ts'
import { currentCommit, excerptOf } from './source.ts'
import { collectTargets, type Target } from './targets.ts'
import { framesFor, type UntilFrames } from './until-frames.ts'
import { version } from './version.ts'

export interface FuzzCommandOptions {
  readonly time?: number
  readonly runs?: number
  readonly seed?: number
  readonly strategy: string
  readonly guide?: Guide
  /** Packages that are observed beside the user's own code. */
  readonly cover: readonly string[]
  readonly workers: number
  readonly corpus?: boolean
  readonly property?: string
  readonly execution?: ExecutionName
  /** A file of bytes that make one execution; `-` is stdin. */
  readonly bytes?: string
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
  /** Try the failures saved earlier first. */
  readonly saved: boolean
  /** Go on until key frames are reached. */
  readonly untilFrames?: UntilFrames
  readonly keepGoing: boolean
  readonly shrink: boolean
  readonly json: boolean
}

const DEFAULT_TIME_MS = 30_000

export const DEFAULT_STRATEGY = 'portfolio'

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
  call.notRun(notRun)
  const statuses: ExitStatus[] = []
  for (const [index, target] of targets.entries()) {
    if (interrupted.signal.aborted) break
    statuses.push(await call.run(target, targets.length - index, frames?.get(target)))
  }
  interrupted.ignore()
  return call.end(statuses, targets.length, why)
}

/** One call of the command: its budget, and what it says. */
class Call {
  readonly #root: string
  readonly #options: FuzzCommandOptions
  readonly #interrupted: AbortSignal
  readonly #bytes: Buffer | undefined
  readonly #seed: number
  readonly #started = performance.now()
  readonly #style = terminalStyle()
  readonly #status = statusLine(process.stderr)
  readonly #origin: Origin

  /** @param bytes what makes the one execution that is to run, if it is made of bytes */
  constructor(root: string, options: FuzzCommandOptions, interrupted: AbortSignal, bytes: Buffer | undefined) {
    this.#root = root
    this.#bytes = bytes
    this.#options = options
    this.#interrupted = interrupted
    this.#seed = options.seed ?? (process.env.CI ? 1 : Math.floor(Math.random() * 0x1_0000_0000))
    this.#origin = { root, commit: currentCommit(root) }
  }

  /** Tells of the tests that are left to the test runner. */
  notRun(targets: readonly Target[]): void {
    for (const { file, property } of targets) {
      this.#emit({ type: 'not run', file, property: property.name, why: property.notRun })
    }
    if (targets.length > 0) this.#say(notRunText(targets.map(({ property }) => property)))
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
    const { file, property } = target
    const { tried, problems } = await trySavedFirst(target, this.#options.keepGoing, this.#interrupted)
    this.#status.clear()
    for (const problem of problems) {
      this.#emit({ type: 'warning', property: property.name, kind: 'saved failure', what: problem })
      this.#say(`${this.#style.late('!')} ${printableLine(problem)}`)
    }
    for (const { path, saved, result, explanation, exact } of tried) {
      const fields = { file, property: property.name, saved: path, exact, ...resultFields(result) }
      if (result.verdict !== 'failed') {
        this.#emit({ type: 'saved', ...fields })
        this.#say(
          result.verdict === 'void'
            ? voidText(property.name, result.voided!, this.#style, `the failure saved in ${path} says nothing`)
            : `${this.#style.good('✓')} ${printableLine(property.name)}: the failure saved in ${path} passes now`,
        )
        continue
      }
      this.#emit({ type: 'failure', savedEarlier: true, ...fields })
      const found = `saved earlier, in ${path}; ${exact ? 'replayed exactly' : 'it still fails'}`
      const inputTitle = saved.shrunk ? 'smallest input' : 'input'
      const commands = this.#commands(target, path, undefined)
      const text = { property: property.name, result, explanation, found, inputTitle, commands }
      this.#say(failureText({ ...text, excerpt: excerptOf(result, this.#root, this.#style) }, this.#style))
    }
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
    const voids: { execution: number; report: VoidReport }[] = []
    const warnings: HealthWarning[] = []
    let unconfirmed = 0
    this.#status.update(`${printableLine(property.name)}: starting`)
    const summary = await huntTogether(
      start,
      property,
      { ...settings, timeMs, keepGoing, shrink, skip: 0 },
      {
        progress: (executions, shrinking, guided, frames) => {
          const [elapsedMs, { runs }] = [performance.now() - began, this.#options]
          const progress = { executions, shrinking, guided, frames, elapsedMs, timeMs, runs }
          this.#status.update(progressText(printableLine(property.name), progress))
        },
        remarked: (text) => this.#remark(property, text),
        found: (failure, input) => {
          const unsaved = (why: string) => this.#remark(property, why)
          saveFound({ ...this.#origin, unsaved }, target, failure, input, input, false)
        },
        finding: (finding) => {
          if (!finding.confirmed) unconfirmed++
          this.#finding(target, finding)
        },
        flaky: (failure) => this.#flaky(target, failure),
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
    this.#status.clear()
    for (const { execution, report } of voids) this.#voided(target, execution, report, summary)
    this.#leaked(target, [...leaks.values()])
    this.#summary(target, summary, performance.now() - began)
    this.#health(target, warnings)
    if (summary.distinctFailures > unconfirmed) return STATUS.failed
    const nothingSaid = summary.voided > 0 || summary.executions === 0 || summary.missed.length > 0
    const missing = summary.frames !== undefined && !allReached(summary.frames)
    const undecided = summary.flaky > 0 || unconfirmed > 0 || nothingSaid || missing
    return undecided || this.#interrupted.aborted ? STATUS.undecided : STATUS.passed
  }

  /** @param why there is nothing to run, if there is nothing */
  end(statuses: readonly ExitStatus[], properties: number, why: string): ExitStatus {
    const status = statuses.length === 0 ? STATUS.undecided : worst(statuses)
    const interrupted = this.#interrupted.aborted
    this.#emit({
      type: 'end',
      status,
      properties: statuses.length,
      ...(properties === 0 ? { why } : {}),
      ...(interrupted ? { interrupted } : {}),
      timeMs: performance.now() - this.#started,
    })
    if (properties === 0) this.#say(`${this.#style.late('?')} nothing was run: ${why}`)
    else if (interrupted) {
      const left = properties - statuses.length
      this.#say(`interrupted${left === 0 ? '' : `: ${left} of ${properties} properties were not run`}`)
    } else if (properties > 1) {
      const count = (wanted: ExitStatus) => statuses.filter((each) => each === wanted).length
      const [failed, undecided, passed] = [STATUS.failed, STATUS.undecided, STATUS.passed].map(count)
      this.#say(tallyText({ failed: failed!, undecided: undecided!, passed: passed! }))
    }
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
      this.#emit({ type: 'execution', property: target.property.name, ...fields, ...resultFields(result) })
      if (result.verdict === 'passed') {
        this.#say(`${this.#style.good('✓')} ${target.property.name}: ${what} passes`)
        return STATUS.passed
      }
      if (result.verdict === 'void') {
        this.#say(voidText(target.property.name, result.voided!, this.#style, 'the execution says nothing'))
        return STATUS.undecided
      }
      const text = { property: target.property.name, result, explanation, found, inputTitle: 'input', commands: [] }
      this.#say(failureText({ ...text, excerpt: excerptOf(result, this.#root, this.#style) }, this.#style))
      return STATUS.failed
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

  #finding(target: Target, finding: Finding): void {
    this.#status.clear()
    const { found, plan, planned, explanation, confirmed } = finding
    const { result, foundAt, strategy, name, shrinking } = found
    const path = saveFound(this.#origin, target, found, plan.input, planned, shrinking !== undefined)
    const picture = drawBeside(this.#root, path, { property: target.property.name, result })
    this.#emit({
      type: 'failure',
      file: target.file,
      property: target.property.name,
      ...resultFields(result),
      foundAt,
      strategy,
      seed: found.seed,
      name: name === undefined ? null : formatName(name),
      example: exampleNumber(planned) ?? null,
      confirmed,
      shrinking: shrinking ?? null,
      saved: path ?? null,
      ...(picture === undefined ? {} : { picture }),
    })
    const text = {
      property: target.property.name,
      result,
      explanation,
      excerpt: excerptOf(result, this.#root, this.#style),
      found: foundText(finding),
      inputTitle: inputTitle(finding),
      commands: [
        ...this.#commands(target, path, name),
        ...(picture === undefined ? [] : ([[picture, 'its picture, for a browser']] as const)),
      ],
    }
    this.#say(failureText(text, this.#style))
  }

  #commands({ file }: Target, path: string | undefined, name: ExecutionName | undefined): [string, string][] {
    const commands: [string, string][] =
      path === undefined
        ? []
        : [
            [commandFor('replay', path), 'runs it again'],
            [commandFor('replay', path, '--inspect'), 'with the debugger'],
          ]
    if (name === undefined) return commands
    const { strategy, property, alias } = this.#options
    const named = ['fuzz', file, '--execution', formatName(name)]
    if (strategy !== DEFAULT_STRATEGY) named.push('--strategy', strategy)
    if (property !== undefined) named.push('--property', property)
    for (const [from, to] of alias) named.push('--alias', `${from}=${to}`)
    return [...commands, [commandFor(...named), 'as it was found, without the file']]
  }

  #flaky(target: Target, { foundAt, first, second, divergence }: FlakyFailure): void {
    this.#status.clear()
    this.#emit({
      type: 'flaky',
      property: target.property.name,
      foundAt,
      message: first.failure!.message,
      hashes: [first.traceHash, second.traceHash],
      divergence,
    })
    const message = printableLine(first.failure!.message.split('\n')[0]!)
    const lines = [
      `${this.#style.late('?')} ${printableLine(target.property.name)}: flaky. Execution ${foundAt} failed (${message}), and did not do the same when it was run again: something it depends on is not controlled`,
      ...(divergence === undefined ? [] : divergenceLines(divergence)),
    ]
    this.#say(lines.join('\n'))
  }

  #voided(target: Target, execution: number, report: VoidReport, summary: CampaignSummary): void {
    const { what, frames, divergence } = report
    this.#emit({ type: 'void', property: target.property.name, execution, what, frames, divergence })
    const share = `${summary.voided} of ${summary.executions} executions say nothing`
    this.#say(voidText(target.property.name, report, this.#style, share))
  }

  #leaked({ property }: Target, leaks: readonly { execution: number; report: LeakReport }[]): void {
    for (const { execution, report } of leaks) {
      this.#emit({ type: 'warning', property: property.name, execution, ...report })
    }
    if (leaks.length > 0)
      this.#say(
        leakText(
          property.name,
          leaks.map(({ report }) => report),
          this.#style,
        ),
      )
  }

  /** A budget in runs gives the same lines for the same seed, so what real time had a say in is left to people. */
  #health({ property }: Target, warnings: readonly HealthWarning[]): void {
    const repeatable = this.#options.runs !== undefined && this.#options.time === undefined
    for (const { timed, ...warning } of warnings) {
      if (!timed || !repeatable) this.#emit({ type: 'health', property: property.name, ...warning })
    }
    if (warnings.length > 0) this.#say(healthText(property.name, warnings, this.#style))
  }

  /** A search of so many runs is to be a function of its seed, not of what earlier ones left. */
  get #usesCorpus(): boolean {
    const { corpus, runs, workers } = this.#options
    return corpus ?? (runs === undefined || workers > 1)
  }

  /** Something about the search itself, not about the program. */
  #remark(property: ListedProperty, text: string): void {
    this.#emit({ type: 'warning', property: property.name, kind: 'search', what: text })
    this.#say(`${this.#style.late('!')} ${printableLine(property.name)}: ${printableLine(text)}`)
  }

  #summary(target: Target, summary: CampaignSummary, timeMs: number): void {
    const { property, file } = target
    const { keepGoing } = this.#options
    const faultsAllowed = (property.options.faults?.fs ?? 0) > 0
    const stop = readStop(summary.stop, { ...summary, faultsAllowed })
    this.#emit({ type: 'summary', file, property: property.name, seed: this.#seed, ...summary, stop, timeMs })
    const text = summaryText(
      { property: printableLine(property.name), summary, seed: this.#seed, timeMs, keepGoing, faultsAllowed },
      this.#style,
    )
    const counted = this.#counted(target, summary)
    const name = printableLine(property.name)
    const whole = summary.distinctFailures > 0 ? text : withStop(text, name, stop, this.#style, counted)
    if (whole !== undefined) this.#say(whole)
    if (summary.frames !== undefined) this.#say(framesText(name, summary.frames, this.#style))
  }

  /** What estimates of what is still to be seen count. */
  #counted({ property: { kind } }: Target, { guided }: CampaignSummary): Counted {
    if (kind === 'cluster') return (guided?.states ?? 0) > 0 ? 'states' : 'events'
    const { edges, compare } = this.#guide
    return edges || compare ? 'orders and branches' : 'orders'
  }

  #say(text: string): void {
    if (!this.#options.json) console.log(`${text}\n`)
  }

  #emit(line: Record<string, unknown>): void {
    if (this.#options.json) console.log(JSON.stringify(line))
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

/** `norn fuzz FILES…`: hunts every property of the files, one after the other. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { CampaignSummary, FoundFailure } from '../explore/campaign.ts'
import type { ExecutionResult, InputPlan, VoidReport } from '../explore/execution.ts'
import { type SavedFailure, saveFailure } from '../property/failure-file.ts'
import { type Finding, hunt } from '../property/hunt.ts'
import type { ListedProperty } from '../property/protocol.ts'
import { Worker, type WorkerOptions } from '../property/worker.ts'
import { failureText } from '../report/failure.ts'
import { statusLine } from '../report/status.ts'
import { terminalStyle } from '../report/style.ts'
import { NO_ESTIMATES } from '../schedule/strategy.ts'
import { isNatural } from '../tape/choice.ts'
import { type ExecutionName, formatName } from '../tape/name.ts'
import { type ExitStatus, STATUS, UsageError, worst } from './exit-status.ts'
import { commandFor } from './invocation.ts'
import { version } from './version.ts'

export interface FuzzCommandOptions {
  readonly time?: number
  readonly runs?: number
  readonly seed?: number
  readonly strategy: string
  readonly property?: string
  readonly execution?: ExecutionName
  readonly alias: readonly (readonly [string, string])[]
  readonly keepGoing: boolean
  readonly shrink: boolean
  readonly json: boolean
}

const DEFAULT_TIME_MS = 30_000

interface Target {
  readonly start: WorkerOptions
  readonly file: string
  readonly property: ListedProperty
}

export async function fuzzCommand(files: readonly string[], options: FuzzCommandOptions): Promise<ExitStatus> {
  const root = process.cwd()
  const targets = await collectTargets(files, root, options)
  const call = new Call(root, options)
  const statuses: ExitStatus[] = []
  for (const [index, target] of targets.entries()) statuses.push(await call.run(target, targets.length - index))
  return call.end(statuses)
}

/** Reads the files and picks the properties to run. */
async function collectTargets(files: readonly string[], root: string, options: FuzzCommandOptions): Promise<Target[]> {
  const all: Target[] = []
  for (const file of files) {
    const path = resolve(root, file)
    if (!existsSync(path)) throw new UsageError(`there is no file ${file}`)
    const start: WorkerOptions = { file: path, root, aliases: resolveAliases(options.alias, root) }
    const worker = new Worker(start)
    try {
      for (const property of await worker.list()) all.push({ start, file: relative(root, path), property })
    } finally {
      worker.close()
    }
  }
  const only = all.some(({ property }) => property.mode === 'only')
  return all.filter(
    ({ property }) =>
      property.mode === (only ? 'only' : 'run') &&
      (options.property === undefined || property.name.includes(options.property)),
  )
}

/** A target of an alias that is a path is one from the working directory. */
export function resolveAliases(aliases: FuzzCommandOptions['alias'], root: string): [string, string][] {
  return aliases.map(([from, to]) => [from, to.startsWith('.') || isAbsolute(to) ? resolve(root, to) : to])
}

/** One call of the command: its budget, and what it says. */
class Call {
  readonly #root: string
  readonly #options: FuzzCommandOptions
  readonly #seed: number
  readonly #started = performance.now()
  readonly #style = terminalStyle()
  readonly #status = statusLine(process.stderr)
  readonly #commit: string | undefined

  constructor(root: string, options: FuzzCommandOptions) {
    this.#root = root
    this.#options = options
    this.#seed = options.seed ?? (process.env.CI ? 1 : Math.floor(Math.random() * 0x1_0000_0000))
    this.#commit = currentCommit(root)
  }

  /** Hunts one property; `left` properties share what is left of the time. */
  async run(target: Target, left: number): Promise<ExitStatus> {
    const { property, start } = target
    if (this.#options.execution !== undefined) return this.#runNamed(target, this.#options.execution)
    const began = performance.now()
    const timeMs = this.#budgetMs(left)
    const settings = {
      seed: this.#seed,
      strategy: this.#options.strategy,
      runs: this.#options.runs ?? Number.MAX_SAFE_INTEGER,
    }
    const { keepGoing, shrink } = this.#options
    const voids: { execution: number; report: VoidReport }[] = []
    let unconfirmed = 0
    const summary = await hunt(
      start,
      property,
      { ...settings, timeMs, keepGoing, shrink, skip: 0 },
      {
        progress: (executions, shrinking) => this.#progress(property, executions, shrinking, began, timeMs),
        found: (failure, input) => {
          this.#save(target, failure, input, false)
        },
        finding: (finding) => {
          if (!finding.confirmed) unconfirmed++
          this.#finding(target, finding)
        },
        flaky: ({ foundAt, first, second }) => this.#flaky(target, foundAt, first, second),
        voided: (execution, report) => {
          voids.push({ execution, report })
        },
      },
    )
    this.#status.clear()
    for (const { execution, report } of voids) this.#voided(target, execution, report, summary)
    this.#summary(target, summary, performance.now() - began)
    if (summary.distinctFailures > unconfirmed) return STATUS.failed
    const undecided = summary.flaky > 0 || unconfirmed > 0 || summary.voided > 0 || summary.executions === 0
    return undecided ? STATUS.undecided : STATUS.passed
  }

  end(statuses: readonly ExitStatus[]): ExitStatus {
    const status = statuses.length === 0 ? STATUS.undecided : worst(statuses)
    if (statuses.length === 0) this.#say('no property was run: none is declared, or none matches')
    this.#emit({ type: 'end', status, properties: statuses.length, timeMs: performance.now() - this.#started })
    return status
  }

  /** Runs the one execution that a number names. */
  async #runNamed(target: Target, name: ExecutionName): Promise<ExitStatus> {
    const worker = new Worker(target.start)
    try {
      const { strategy } = this.#options
      const { result, explanation } = await worker.explain(target.property, {
        input: { from: 'tape' },
        choices: { from: 'strategy', strategy, name, estimates: NO_ESTIMATES },
      })
      this.#emit({ type: 'execution', property: target.property.name, name: formatName(name), ...resultFields(result) })
      if (result.verdict === 'passed') {
        this.#say(`${this.#style.good('✓')} ${target.property.name}: execution ${formatName(name)} passes`)
        return STATUS.passed
      }
      if (result.verdict === 'void') {
        this.#say(voidText(target.property.name, result.voided!, this.#style))
        return STATUS.undecided
      }
      const found = `execution ${formatName(name)}, as it was drawn`
      this.#say(failureText({ property: target.property.name, result, explanation, found, commands: [] }, this.#style))
      return STATUS.failed
    } finally {
      worker.close()
    }
  }

  #budgetMs(left: number): number {
    const { time, runs } = this.#options
    if (time === undefined && runs !== undefined) return Number.MAX_SAFE_INTEGER
    const total = time ?? DEFAULT_TIME_MS
    return Math.max(0, total - (performance.now() - this.#started)) / left
  }

  #save({ file, property, start }: Target, failure: FoundFailure, input: InputPlan, shrunk: boolean): string {
    const saved: SavedFailure = {
      property: property.name,
      file,
      identity: failure.identity,
      failure: failure.result.failure!,
      input: input.from === 'saved' ? input.input : undefined,
      inputText: failure.result.inputText ?? '',
      choices: failure.result.choices!,
      traceHash: failure.result.traceHash!,
      aliases: start.aliases,
      found: { seed: this.#seed, execution: failure.foundAt, strategy: failure.strategy, name: failure.name },
      shrunk,
      environment: { node: process.versions.node, norn: version(), commit: this.#commit },
    }
    return relative(this.#root, saveFailure(this.#root, saved))
  }

  #finding(target: Target, { found, plan, explanation, confirmed }: Finding): void {
    this.#status.clear()
    const { result, foundAt, strategy, name, shrinking } = found
    const path = this.#save(target, found, plan.input, shrinking !== undefined)
    this.#emit({
      type: 'failure',
      file: target.file,
      property: target.property.name,
      ...resultFields(result),
      foundAt,
      strategy,
      seed: this.#seed,
      name: name === undefined ? null : formatName(name),
      confirmed,
      shrinking: shrinking ?? null,
      saved: path,
    })
    const shrunk = shrinking === undefined ? '' : `, shrunk in ${shrinking.executions} more`
    const commands: [string, string][] = [
      [commandFor('replay', path), 'runs it again'],
      [commandFor('replay', path, '--inspect'), 'with the debugger'],
    ]
    if (name !== undefined && found.result.choices !== undefined) {
      commands.push([
        commandFor('fuzz', target.file, '--execution', formatName(name)),
        'as it was found, without the file',
      ])
    }
    this.#say(
      failureText(
        {
          property: target.property.name,
          result,
          explanation,
          found: `found in execution ${foundAt} by ${strategy}, seed ${this.#seed}${shrunk}${confirmed ? '' : '; NOT CONFIRMED: a fresh process did not show it again'}`,
          commands,
        },
        this.#style,
      ),
    )
  }

  #flaky(target: Target, foundAt: number, first: ExecutionResult, second: ExecutionResult): void {
    this.#status.clear()
    this.#emit({
      type: 'flaky',
      property: target.property.name,
      foundAt,
      message: first.failure!.message,
      hashes: [first.traceHash, second.traceHash],
    })
    this.#say(
      `${this.#style.late('?')} ${target.property.name}: flaky. Execution ${foundAt} failed (${first.failure!.message.split('\n')[0]}), and did not do the same when it was run again: something it depends on is not controlled`,
    )
  }

  #voided(target: Target, execution: number, report: VoidReport, summary: CampaignSummary): void {
    const { what, frames } = report
    this.#emit({ type: 'void', property: target.property.name, execution, what, frames })
    this.#say(
      voidText(target.property.name, report, this.#style, `${summary.voided} of ${summary.executions} executions`),
    )
  }

  #progress(property: ListedProperty, executions: number, shrinking: boolean, began: number, timeMs: number): void {
    const elapsedMs = performance.now() - began
    const rate = Math.round(executions / (elapsedMs / 1000))
    const left =
      timeMs > 1e9 ? `of ${this.#options.runs}` : `${Math.max(0, Math.ceil((timeMs - elapsedMs) / 1000))} s left`
    const doing = shrinking ? 'found a failure, shrinking it' : left
    this.#status.update(`${property.name}: ${executions} executions, ${rate}/s, ${doing}`)
  }

  #summary(target: Target, summary: CampaignSummary, timeMs: number): void {
    this.#emit({
      type: 'summary',
      file: target.file,
      property: target.property.name,
      seed: this.#seed,
      ...summary,
      timeMs,
    })
    const { executions, distinctFailures, voided } = summary
    if (distinctFailures > 0) return
    const mark = voided > 0 || executions === 0 ? this.#style.late('?') : this.#style.good('✓')
    const schedule = summary.maxPoints === 0 ? 'no schedule point' : `up to ${summary.maxPoints} schedule points`
    this.#say(
      `${mark} ${target.property.name}: ${executions} executions in ${(timeMs / 1000).toFixed(1)} s, no failure (${schedule}, seed ${this.#seed})`,
    )
  }

  #say(text: string): void {
    if (!this.#options.json) console.log(`${text}\n`)
  }

  #emit(line: Record<string, unknown>): void {
    if (this.#options.json) console.log(JSON.stringify(line))
  }
}

/** What of a result stands in JSON lines. */
export function resultFields(result: ExecutionResult): Record<string, unknown> {
  const { verdict, failure, inputText, traceHash, choices, points } = result
  const late = (choices?.schedule ?? []).filter((choice) => !isNatural(choice))
  return {
    verdict,
    kind: failure?.kind ?? null,
    error: failure === undefined ? null : failure.errorName,
    message: failure?.message ?? null,
    frames: failure?.frames ?? [],
    input: inputText ?? null,
    schedule: late.map(({ label, value }) => ({ label, latencyUs: Number(value) })),
    points,
    traceHash: traceHash ?? null,
  }
}

export function voidText(
  property: string,
  { what, frames, stack }: VoidReport,
  style: ReturnType<typeof terminalStyle>,
  share = 'the execution',
): string {
  const where =
    frames.length > 0 ? frames.map((f) => `    at ${f.functionName} (${f.file}:${f.line}:${f.column})`) : [stack]
  return [
    `${style.late('?')} ${style.bold(property)}: control was lost, ${share} say nothing`,
    `  ${what} is not controlled`,
    ...where.filter((line) => line !== ''),
  ].join('\n')
}

function currentCommit(root: string): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

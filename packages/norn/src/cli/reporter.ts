/** Reports a call of `norn fuzz`: on the terminal, or as JSON lines. */

import { stripVTControlCharacters } from 'node:util'
import { print, printError } from '#shared/print'
import { statusLine } from '#shared/status-line'
import type { CampaignSummary } from '../contract/campaign-summary.ts'
import type {
  FlakyFailure,
  FoundFailure,
  HealthWarning,
  OnlyExecution,
  SearchResult,
  SessionEvent,
} from '../contract/events.ts'
import { type ExecutionResult, placesOf } from '../contract/execution.ts'
import { describeReason, type InconclusiveReport } from '../contract/inconclusive.ts'
import type { ExecutionName } from '../contract/plan.ts'
import { guideText } from '../options/guide.ts'
import type { SearchFlags } from '../options/table.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { excerptOf } from '../report/excerpt.ts'
import { type FailureText, failureText } from '../report/failure.ts'
import { exampleNumber, failsAgainText, foundText, inputTitle, shrinkCommands } from '../report/finding.ts'
import { framesText } from '../report/frames.ts'
import { healthText, notRunText } from '../report/health.ts'
import { divergenceLines, inconclusiveText } from '../report/inconclusive.ts'
import { commandFor } from '../report/invocation.ts'
import { inconclusiveFields, resultFields } from '../report/json.ts'
import { leakText } from '../report/leak.ts'
import { replayPurpose } from '../report/locals.ts'
import { printableLine, printableLines } from '../report/printable.ts'
import { progressOf, progressText } from '../report/progress.ts'
import { residualRisk } from '../report/residual-risk.ts'
import { PLAIN, type Style, terminalStyle } from '../report/style.ts'
import { countsText, summaryText } from '../report/summary.ts'
import { DEFAULT_STRATEGY } from '../schedule/portfolio.ts'
import type { CallEnd, PlannedCall, Reporter, Searched } from '../session/reporter.ts'
import type { Target, UnloadedFile } from '../session/targets.ts'
import { formatName } from '../tape/name.ts'
import { repeatedFlags } from './flags.ts'
import { drawBeside } from './picture.ts'
import type { Results } from './results.ts'

/** A file that loads for so long is said to, also where no status line is shown, in seconds. */
const SLOW_LOADING_S = 10

/** Reports one call of the command. */
export class TerminalReporter implements Reporter {
  /** The last line of the terminal during a search. */
  readonly #status = statusLine(process.stderr)
  readonly #root: string
  readonly #options: SearchFlags
  readonly #results: Results
  readonly #style = terminalStyle()
  #loading: NodeJS.Timeout | undefined

  constructor(root: string, options: SearchFlags, results: Results) {
    this.#root = root
    this.#options = options
    this.#results = results
  }

  /** Shows which file is loading and for how long, until all are loaded. */
  loading(file: string): void {
    clearInterval(this.#loading)
    const name = printableLine(file)
    const began = performance.now()
    if (!this.#options.json) this.#status.update(`loading ${name}`)
    this.#loading = setInterval(() => {
      const seconds = Math.round((performance.now() - began) / 1000)
      if (!this.#options.json) this.#status.update(`loading ${name}, ${seconds} s`)
      // A call that shows no status line gives a sign of life.
      if (seconds === SLOW_LOADING_S && !process.stderr.isTTY) printError(`norn: still loading ${name}`)
    }, 1000)
    this.#loading.unref()
  }

  loaded(): void {
    clearInterval(this.#loading)
    this.#status.clear()
  }

  begin({ notRun, unloaded }: PlannedCall): void {
    for (const file of unloaded) this.#unloaded(file)
    this.#notRun(notRun)
  }

  report(event: SessionEvent, from: Searched): void {
    const { target } = from
    switch (event.type) {
      case 'tried':
        this.#tried(target, event)
        break
      case 'searching':
        this.#status.update(`${printableLine(target.property.name)}: starting`)
        break
      case 'progress':
        this.#status.update(progressText(printableLine(target.property.name), progressOf(event, from)))
        break
      case 'confirmed':
        this.#finding(from, event.failure)
        break
      case 'flaky':
        this.#flaky(target, event.failure)
        break
      case 'remark':
        this.#remark(target.property, event.text)
        break
      case 'searched':
        this.#searched(from, event.search)
        break
      case 'only':
        this.#only(target, event.only)
    }
  }

  /** Reports a file that does not load, where other errors of the call are reported. */
  #unloaded({ file, error: { message } }: UnloadedFile): void {
    this.#emit({ type: 'unloaded', file, why: message })
    printError(`norn: ${message}`)
    this.#results.unloaded(file, message)
  }

  /** Reports the tests that norn does not run. */
  #notRun(targets: readonly Target[]): void {
    for (const target of targets) {
      const { file, property } = target
      this.#emit({ type: 'not run', file, property: property.name, why: property.notRun })
      this.#results.skipped(target, property.notRun ?? '')
    }
    if (targets.length > 0) this.#say(notRunText(targets.map(({ property }) => property)))
  }

  /** Reports a search that ended. */
  #searched(from: Searched, result: SearchResult): void {
    const { target } = from
    const { summary, inconclusive, leaks, warnings } = result
    this.#status.clear()
    for (const { execution, report } of inconclusive) this.#inconclusive(target, execution, report, summary)
    this.#leaked(target, leaks)
    this.#summary(from, result)
    this.#unchecked(target, result)
    this.#health(from, warnings)
  }

  /** Reports the saved failures that were run first. */
  #tried(target: Target, { tried, problems }: Extract<SessionEvent, { type: 'tried' }>): void {
    const { file, property } = target
    this.#status.clear()
    for (const problem of problems) {
      this.#emit({ type: 'warning', property: property.name, kind: 'saved failure', what: problem })
      this.#say(`${this.#style.warning('!')} ${printableLine(problem)}`)
    }
    for (const each of tried) {
      const { path, saved, result, explanation, exact, reproduced } = each
      const again = reproduced === undefined ? {} : { reproduced }
      const fields = { file, property: property.name, saved: path, exact, ...again, ...resultFields(result) }
      if (result.verdict !== 'failed') {
        this.#emit({ type: 'saved', ...fields })
        if (result.voided !== undefined) this.#undecided(target, result.voided, `replaying ${path}`)
        else
          this.#say(
            reproduced !== undefined
              ? `${this.#style.warning('?')} ${printableLine(property.name)}: ${failsAgainText(each)}`
              : `${this.#style.good('✓')} ${printableLine(property.name)}: the failure saved in ${path} no longer fails`,
          )
        continue
      }
      this.#emit({ type: 'failure', savedEarlier: true, ...fields })
      const found = failsAgainText(each)
      const inputTitle = saved.shrunk ? 'smallest input' : 'input'
      const commands = this.#commands(path, result)
      this.#failed(target, { property: property.name, result, explanation, found, inputTitle, commands })
    }
  }

  /** Reports the execution that `--execution` or `--bytes` names. */
  #only(target: Target, { result, explanation, found, what, fields }: OnlyExecution): void {
    const { property } = target
    this.#emit({ type: 'execution', property: property.name, ...fields, ...resultFields(result) })
    if (result.verdict === 'passed') this.#say(`${this.#style.good('✓')} ${property.name}: ${what} passes`)
    else if (result.voided !== undefined) this.#undecided(target, result.voided)
    else
      this.#failed(target, { property: property.name, result, explanation, found, inputTitle: 'input', commands: [] })
  }

  #failed(target: Target, text: FailureText, confirmed = true): void {
    this.#say(failureText({ ...text, excerpt: excerptOf(text.result, this.#root, this.#style) }, this.#style))
    this.#results.failed(target, text, confirmed)
  }

  /** @param scope the executions that are inconclusive */
  #undecided(target: Target, report: InconclusiveReport, scope?: string): void {
    const text = (style: Style) => inconclusiveText(target.property.name, report, style, scope)
    this.#say(text(this.#style))
    this.#results.inconclusive(target, describeReason(report.reason), report.frames, text(PLAIN))
  }

  /** Reports a failure in its final form; draws that of a cluster, or over connections. */
  #finding(from: Searched, failure: FoundFailure): void {
    this.#status.clear()
    const { target } = from
    const { result, foundAt, seed, strategy, name, planned, shrinking } = failure
    const { explanation, confirmed, reproduced } = failure.confirmation!
    const { path } = failure.file!
    const picture = drawBeside(this.#root, path, { property: target.property.name, result, explanation })
    this.#emit({
      type: 'failure',
      file: target.file,
      property: target.property.name,
      ...resultFields(result),
      foundAt,
      strategy,
      seed,
      name: name === undefined ? null : formatName(name),
      example: exampleNumber(planned) ?? null,
      confirmed,
      ...(reproduced === undefined ? {} : { reproduced }),
      shrinking: shrinking ?? null,
      saved: path ?? null,
      ...(picture === undefined ? {} : { picture }),
    })
    const text = {
      property: target.property.name,
      result,
      explanation,
      found: foundText(failure),
      inputTitle: inputTitle(failure),
      commands: [
        ...this.#commands(path, result),
        ...shrinkCommands(path, shrinking).map(([args, purpose]): [string, string] => [
          commandFor(...args, ...repeatedFlags(this.#options, 'replay')),
          purpose,
        ]),
        ...(name === undefined || reproduced !== undefined ? [] : [this.#asFound(from, name)]),
        ...(path === undefined && (name === undefined || reproduced !== undefined)
          ? [this.#searchAgain(from, failure)]
          : []),
        ...(picture === undefined ? [] : ([[picture, 'diagram, for a browser']] as const)),
      ],
    }
    this.#failed(target, text, confirmed || reproduced !== undefined)
  }

  #commands(path: string | undefined, { failure }: ExecutionResult): [string, string][] {
    if (path === undefined) return []
    const flags = repeatedFlags(this.#options, 'replay')
    return [
      [commandFor('replay', path, ...flags), replayPurpose(failure!)],
      [commandFor('replay', path, '--inspect', ...flags), 'replay in the debugger'],
    ]
  }

  #asFound({ target: { file }, strategy }: Searched, name: ExecutionName): [string, string] {
    const { property } = this.#options
    const named = ['fuzz', file, '--execution', formatName(name)]
    if (strategy !== DEFAULT_STRATEGY) named.push('--strategy', strategy)
    if (property !== undefined) named.push('--property', property)
    return [commandFor(...named, ...repeatedFlags(this.#options, 'search')), 'replay without the file, not shrunk']
  }

  /** An execution that guidance planned has no name, but is a function of the seed. */
  #searchAgain({ target, strategy, guide }: Searched, { seed, foundAt }: FoundFailure): [string, string] {
    const { file, property } = target
    const args = ['fuzz', file, '--property', property.name, '--seed', `${seed}`, '--runs', `${foundAt}`]
    if (strategy !== DEFAULT_STRATEGY) args.push('--strategy', strategy)
    if (this.#options.guide !== undefined) args.push('--guide', guideText(guide))
    return [
      commandFor(...args, ...repeatedFlags(this.#options, 'search')),
      'search again without the file, if there was no corpus',
    ]
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
    // The output of a program that died stands below the first line of the message.
    const [head = '', ...details] = printableLines(first.failure!.message.trimEnd())
    const message = printableLine(head)
    const lines = [
      `${this.#style.warning('?')} ${printableLine(target.property.name)}: flaky. Execution ${foundAt} failed (${message}), but its replay differed: uncontrolled nondeterminism`,
      ...details.map((line) => `  ${line}`.trimEnd()),
      ...(divergence === undefined ? [] : divergenceLines(divergence).map((line) => `  ${line}`)),
    ]
    this.#say(lines.join('\n'))
    const text = stripVTControlCharacters(lines.join('\n'))
    this.#results.inconclusive(target, `flaky: ${message}`, placesOf(first.failure!), text)
  }

  #inconclusive(target: Target, execution: number, report: InconclusiveReport, summary: CampaignSummary): void {
    this.#emit({ type: 'void', property: target.property.name, execution, ...inconclusiveFields(report) })
    const share = `${summary.voided} of ${summary.executions} executions`
    this.#undecided(target, report, share)
  }

  #leaked({ property }: Target, leaks: SearchResult['leaks']): void {
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

  /** With runs alone JSON lines are a function of the seed, so warnings about real time are left out. */
  #health({ target: { property }, isTimed }: Searched, warnings: readonly HealthWarning[]): void {
    for (const { timed, ...warning } of warnings) {
      if (!timed || isTimed) this.#emit({ type: 'health', property: property.name, ...warning })
    }
    if (warnings.length > 0) this.#say(healthText(property.name, warnings, this.#style))
  }

  /** Reports a remark about the search itself. */
  #remark(property: ListedProperty, text: string): void {
    this.#emit({ type: 'warning', property: property.name, kind: 'search', what: text })
    this.#say(`${this.#style.warning('!')} ${printableLine(property.name)}: ${printableLine(text)}`)
  }

  #summary({ target, seed, guide }: Searched, { summary, timeMs, doubts }: SearchResult): void {
    const { property, file } = target
    const { keepGoing = false } = this.#options
    const { faultsAllowed, risk, basis } = residualRisk(target, summary, guide)
    const { stop: _, ...counts } = summary
    this.#emit({ type: 'summary', file, property: property.name, seed, ...counts, ...basis, timeMs })
    const name = printableLine(property.name)
    const isInterrupted = doubts.includes('interrupted')
    const told = { property: name, summary, isInterrupted, seed, timeMs, keepGoing, faultsAllowed, risk }
    const text = summaryText(told, this.#style)
    if (text !== undefined) this.#say(text)
    if (summary.frames !== undefined) this.#say(framesText(name, summary.frames, this.#style))
  }

  /** Why a search without a failure is no pass, beside inconclusive executions. */
  #unchecked(target: Target, { summary: { passed, failed, voided, missed, frames = [] }, doubts }: SearchResult): void {
    if (failed > 0) return
    for (const label of missed) this.#results.inconclusive(target, `required note never reached: '${label}'`)
    if (passed + voided === 0) this.#results.inconclusive(target, 'nothing was checked: no execution passed')
    if (doubts.includes('unreached')) {
      const name = printableLine(target.property.name)
      this.#results.inconclusive(target, 'key frames were not reached', [], framesText(name, frames, PLAIN))
    }
  }

  end({ status, verdicts, properties, why, unloaded, interrupted, timeMs }: CallEnd): void {
    this.#emit({
      type: 'end',
      status,
      properties: verdicts.length,
      ...(properties === 0 ? { why } : {}),
      ...(interrupted ? { interrupted } : {}),
      timeMs,
    })
    if (properties > 0 && unloaded.length > 0)
      this.#say(
        `${this.#style.warning('!')} not run, because it does not load: ${unloaded.map(({ file }) => file).join(', ')}`,
      )
    if (properties === 0) {
      // The reason has been told.
      if (unloaded.length === 0) this.#say(`${this.#style.warning('?')} no property was run: ${why}`)
    } else if (interrupted) {
      const left = properties - verdicts.length
      this.#say(`interrupted${left === 0 ? '' : `: ${left} of ${properties} properties were not run`}`)
    } else if (properties > 1) {
      this.#say(`${verdicts.length} properties: ${countsText(verdicts)}`)
    }
  }

  #say(text: string): void {
    if (!this.#options.json) print(`${text}\n`)
  }

  #emit(line: Record<string, unknown>): void {
    if (this.#options.json) print(JSON.stringify(line))
  }
}

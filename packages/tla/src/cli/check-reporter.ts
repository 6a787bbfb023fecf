/** The output of `check`: text or JSON lines on standard output. */

import { type ExitStatus, STATUS } from '#shared/cli/exit-status'
import { print, printError } from '#shared/print'
import { type Style, terminalStyle } from '#shared/terminal-style'
import { numberText, plural } from '#shared/text'
import { partText } from '../check/behaviour-text.ts'
import type { Coverage } from '../check/coverage.ts'
import type { Outcome } from '../check/outcome.ts'
import { outcomeText } from '../check/outcome-text.ts'
import { checkResult, errorFields, roundedSeconds, uncheckedNames } from '../check/result.ts'
import { excerpt, place, TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'

const STATUSES: Readonly<Record<Outcome['kind'], ExitStatus>> = {
  passed: STATUS.passed,
  invariant: STATUS.failed,
  property: STATUS.failed,
  deadlock: STATUS.failed,
  assumption: STATUS.failed,
  postcondition: STATUS.failed,
  error: STATUS.failed,
  incomplete: STATUS.undecided,
  bound: STATUS.undecided,
  interrupted: STATUS.undecided,
  'no initial state': STATUS.undecided,
}

const MAX_WARNINGS = 10

export interface ReporterOptions {
  readonly json: boolean
  readonly coverage: boolean
}

/** Reports one call. */
export class CheckReporter {
  readonly #program: string
  readonly #options: ReporterOptions
  readonly #seconds: () => number
  readonly #style: Style

  /** @param seconds since the call began */
  constructor(program: string, options: ReporterOptions, seconds: () => number) {
    this.#program = program
    this.#options = options
    this.#seconds = seconds
    this.#style = terminalStyle(options.json ? false : undefined)
  }

  /** A line that the specification prints. */
  printed(line: string): void {
    if (this.#options.json) printError(line)
    else print(line)
  }

  /** Prints warnings about legal constructs that are probably mistakes. */
  warn({ warnings }: Machine): void {
    for (const { message, at } of warnings.slice(0, MAX_WARNINGS)) {
      printError([`${place(at)}: warning: ${message}`, ...excerpt(at)].join('\n'))
    }
    const more = warnings.length - MAX_WARNINGS
    if (more > 0) printError(`${plural(more, 'more warning')} like these`)
  }

  /** Reports that the specification, its configuration or the call is wrong. */
  refused(error: Error): ExitStatus {
    const text =
      error instanceof TlaError && error.at !== undefined ? error.describe() : `${this.#program}: ${error.message}`
    printError(text)
    // An expression that fails is a finding, also while constants are computed.
    const isFinding = error instanceof TlaError && error.kind === 'evaluation'
    this.#emit({
      type: 'result',
      result: isFinding ? 'error' : 'refused',
      generated: 0,
      distinct: 0,
      depth: 0,
      seconds: roundedSeconds(this.#seconds()),
      error: errorFields(error),
    })
    return isFinding ? STATUS.failed : STATUS.usage
  }

  /** Reports how the check ended. */
  end(machine: Machine, outcome: Outcome, coverage: Coverage): ExitStatus {
    const status = STATUSES[outcome.kind]
    if (this.#options.json)
      this.#emit({
        type: 'result',
        ...checkResult(machine, outcome, coverage, this.#seconds(), this.#options.coverage),
      })
    else print(this.#text(machine, outcome, coverage, status))
    return status
  }

  #text(machine: Machine, outcome: Outcome, coverage: Coverage, status: ExitStatus): string {
    const { progress } = machine.surroundings
    const counts = [
      ...(progress.traces > 0 ? [plural(progress.traces, 'random behaviour')] : []),
      `${plural(progress.distinct, 'distinct state')}`,
      `${numberText(progress.generated)} generated`,
      `depth ${progress.diameter}`,
    ].join(', ')
    const seconds = `${secondsText(this.#seconds())} s`
    const said = outcomeText(outcome, machine)
    const lines: string[] = []
    if (said === undefined) {
      const what = machine.variables.length === 0 ? assumptionsText(machine) : `${counts}, no error`
      lines.push(`${this.#style.good('✓')} ${what} (${seconds})`)
    } else {
      const mark = status === STATUS.failed ? this.#style.bad('✗') : this.#style.warning('?')
      lines.push(`${mark} ${this.#style.bold(said.headline)}`, ...said.details.map((line) => `  ${line}`.trimEnd()))
      if (said.behaviour !== undefined) {
        lines.push('', this.#style.dim('The behaviour up to this point (after the first state, only changes):'))
        lines.push('', said.behaviour)
      }
      const left = progress.queue > 0 ? `, ${numberText(progress.queue)} in the queue` : ''
      lines.push('', `${counts}${left} (${seconds})`)
    }
    lines.push(...this.#remarks(machine, outcome, coverage).map((line) => `  ${line}`))
    if (this.#options.coverage) lines.push('', ...this.#coverageText(coverage))
    return lines.join('\n')
  }

  #remarks(machine: Machine, outcome: Outcome, coverage: Coverage): readonly string[] {
    const mark = this.#style.warning('!')
    const isComplete = outcome.kind === 'passed' || outcome.kind === 'incomplete'
    const unchecked = outcome.kind === 'incomplete' ? [] : uncheckedNames(machine)
    return [
      ...unchecked.map((name) => `${mark} not checked (temporal): ${name}`),
      ...machine.fairness.map((condition) => `${mark} fairness without effect on safety: ${condition}`),
      ...(isComplete ? coverage.neverEnabled() : []).map((part) => `${mark} never enabled: ${partText(part)}`),
    ]
  }

  #coverageText(coverage: Coverage): readonly string[] {
    const rows = coverage.parts().map(({ part, enabled, taken, found }) => ({
      name: partText(part),
      counts: [taken, found, enabled].map(numberText),
      isNever: taken === 0,
    }))
    const titles = ['taken', 'new states', 'enabled in']
    const widths = titles.map((title, column) =>
      Math.max(title.length, ...rows.map(({ counts }) => counts[column]!.length)),
    )
    const line = (cells: readonly string[], name: string) =>
      `  ${cells.map((cell, column) => cell.padStart(widths[column]!)).join('  ')}  ${name}`
    return [
      this.#style.bold('How often each action was taken, gave a new state, and in how many states it was enabled:'),
      this.#style.dim(line(titles, 'action')),
      ...rows.map(({ name, counts, isNever }) =>
        isNever ? this.#style.warning(`${line(counts, name)}: never enabled`) : line(counts, name),
      ),
    ]
  }

  #emit(line: Record<string, unknown>): void {
    if (this.#options.json) print(JSON.stringify(line))
  }
}

/** Of a module without variables. */
function assumptionsText({ assumptions }: Machine): string {
  return assumptions.length === 0
    ? 'no variables and no assumptions: nothing to check'
    : `${plural(assumptions.length, 'assumption')} true; no variables, so there are no states`
}

function secondsText(seconds: number): string {
  return seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)
}

/** How an oracle ends an execution: a violation fails it, an undecided history makes it inconclusive. */
import type { History } from 'norn-history'
import { activeExecution } from '../property/current.ts'
import { callSites } from '../world/realm/stack.ts'

/** What a check found. */
export type Finding =
  | { readonly verdict: 'ok' }
  /** The title says what kind of violation it is, the same for all values. */
  | { readonly verdict: 'illegal'; readonly title: string; readonly lines: readonly string[] }
  | { readonly verdict: 'unknown'; readonly why: string }

/**
 * A history that the consistency asked for does not allow.
 *
 * @public
 */
export class HistoryViolation extends Error {
  override readonly name = 'HistoryViolation'
  /** As far as it was recorded. */
  readonly history: History

  constructor(message: string, history: History) {
    super(message)
    this.history = history
  }
}

/**
 * A history whose check ended at a bound, outside of an execution of norn.
 *
 * @public
 */
export class UndecidedHistory extends Error {
  override readonly name = 'UndecidedHistory'
}

/**
 * Throws unless the finding is that the history is right.
 *
 * @param createdAt where the oracle was created: shown if no line of the program called the check
 */
export function conclude(finding: Finding, history: History, createdAt: Error): void {
  if (finding.verdict === 'illegal') throw violation(finding, history, createdAt)
  if (finding.verdict === 'unknown') refuse(finding.why)
}

/** As `conclude`, but the program cannot catch it: for checks that run while operations end. */
export function concludeAtOnce(finding: Finding, history: History, createdAt: Error): void {
  if (finding.verdict === 'unknown') refuse(finding.why)
  if (finding.verdict !== 'illegal') return
  const error = violation(finding, history, createdAt)
  // Which call ended the execution depends on the schedule.
  error.stack = stackOf(error, createdAt)
  activeExecution()?.fail(error)
  throw error
}

function refuse(why: string): never {
  activeExecution()?.refuse({ kind: 'undecided history', why })
  throw new UndecidedHistory(`the history could not be decided: ${why}`)
}

function violation(
  { title, lines }: Extract<Finding, { readonly verdict: 'illegal' }>,
  history: History,
  createdAt: Error,
): HistoryViolation {
  const error = new HistoryViolation([`${title}:`, ...lines].join('\n'), history)
  if (callSites(error.stack ?? '').length === 0) error.stack = stackOf(error, createdAt)
  return error
}

/** The stack of an error as if it had been thrown where another was made. */
function stackOf({ name, message }: Error, { stack = '' }: Error): string {
  const at = stack.search(/^\s+at /m)
  return `${name}: ${message}${at < 0 ? '' : `\n${stack.slice(at)}`}`
}

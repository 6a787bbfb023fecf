/** `check FILE --isolation W`: whether the transactions of a history are as isolated as they should be. */

import { UsageError } from '#shared/cli/exit-status'
import { numberText, plural } from '#shared/text'
import type { Transaction } from '../history/transaction.ts'
import type { Anomaly } from '../isolation/anomaly.ts'
import { checkIsolation, type IsolationResult } from '../isolation/check.ts'
import { CONSISTENCIES, type Consistency } from '../isolation/consistency.ts'
import { microOperations, type Workload } from '../isolation/workload.ts'
import { readHistoryFile } from '../node/read-file.ts'
import { historyPage } from '../picture/history-page.ts'
import { transactionReading } from '../read/transactions.ts'
import { type Bounds, type CheckCommandOptions, type Report, readingBounds, shownFile } from './report.ts'

const DEFAULT: Consistency = 'serializable'

/** Anomalies of a type that are shown; the others are counted. */
const MAX_SHOWN = 2
/** Bound on the lines of one: a cycle may have thousands of transactions. */
const MAX_LINES = 40

/** @throws UsageError, HistoryError, HistoryLimitError */
export async function checkIsolated(
  file: string,
  workload: Workload,
  options: CheckCommandOptions,
  bounds: Bounds,
): Promise<Report> {
  const consistency = consistencyNamed(options.consistency ?? DEFAULT)
  const { sequentialKeys, linearizableKeys, initial } = options
  const history = await readHistoryFile(file, transactionReading, readingBounds(options, bounds))
  const transactions = history.operations
  const result = checkIsolation(transactions, {
    workload,
    consistency,
    sequentialKeys,
    linearizableKeys,
    initial,
    memoryMb: bounds.memoryLeftMb(),
    budgetMs: bounds.budgetMs(),
  })
  const { verdict, reason } = result
  const isPromiseBroken = verdict === 'illegal' && !result.impossible.includes(consistency)
  const keys = linearizableKeys ? 'linearizable' : 'sequentially consistent'
  const promise = isPromiseBroken ? ` with ${keys} keys` : ''
  const size = sizeText(transactions, result.keys)
  return {
    verdict,
    headline:
      reason === undefined
        ? `${judged(verdict, consistency)}${promise}: ${size}`
        : `unknown whether ${consistency}: ${reason}`,
    details: [
      ...(reason === undefined ? [] : [size]),
      ...anomalyLines(result, consistency),
      ...modelLines(result),
      ...(verdict === 'ok' && workload === 'rw-register' && !linearizableKeys ? [PARTIAL] : []),
    ],
    json: {
      consistency,
      workload,
      operations: transactions.length,
      ...(reason !== undefined && { reason }),
      ...resultJson(result, transactions),
    },
    page: () => historyPage(result, history, { title: shownFile(file), asked: consistency + promise }),
  }
}

const PARTIAL =
  'The order of writes is known only where a transaction reads one and makes the next: anomalies may be missed; ' +
  '--linearizable-keys and --sequential-keys order more'

function consistencyNamed(name: string): Consistency {
  // Elle has both names.
  const canonical = name === 'strong-serializable' ? 'strict-serializable' : name
  const consistency = CONSISTENCIES.find((each) => each === canonical)
  if (consistency !== undefined) return consistency
  throw new UsageError(`--consistency ${name}: with --isolation expected ${CONSISTENCIES.join(', ')}`)
}

/** `not serializable`, `violates snapshot-isolation`. */
function judged(verdict: IsolationResult['verdict'], consistency: Consistency): string {
  if (consistency.endsWith('serializable')) return `${verdict === 'ok' ? '' : 'not '}${consistency}`
  return `${verdict === 'ok' ? 'satisfies' : 'violates'} ${consistency}`
}

/** `1,000 transactions (990 ok, 7 failed, 3 unknown) by 10 processes, 20 keys`. */
function sizeText(transactions: readonly Transaction[], keys: number | undefined): string {
  const outcomes = { ok: 0, fail: 0, unknown: 0 }
  const processes = new Set<unknown>()
  for (const transaction of transactions) {
    outcomes[transaction.outcome]++
    processes.add(transaction.process)
  }
  const { ok, fail, unknown } = outcomes
  const parts = [`${numberText(ok)} ok`]
  if (fail > 0) parts.push(`${numberText(fail)} failed`)
  if (unknown > 0) parts.push(`${numberText(unknown)} unknown`)
  const shown = parts.length === 1 && ok > 0 ? '' : ` (${parts.join(', ')})`
  return `${plural(transactions.length, 'transaction')}${shown} by ${plural(processes.size, 'process', 'processes')}${keys === undefined ? '' : `, ${plural(keys, 'key')}`}`
}

function anomalyLines({ verdict, anomalies, counts }: IsolationResult, consistency: Consistency): readonly string[] {
  const lines: string[] = []
  let isTold = false
  for (const type of new Set(anomalies.map((each) => each.type))) {
    const ofType = anomalies.filter((each) => each.type === type)
    const { isForbidden } = ofType[0]!
    if (!isForbidden && !isTold) {
      isTold = true
      lines.push('', verdict === 'unknown' ? 'Found:' : `Found, but ${consistency} allows it:`)
    }
    const shown = ofType.slice(0, isForbidden ? MAX_SHOWN : 1)
    for (const { explanation } of shown) lines.push('', ...cut(explanation.split('\n')))
    const more = counts[type]! - shown.length
    if (more > 0) lines.push('', `and ${numberText(more)} more ${type}`)
  }
  return lines
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES), `... ${plural(lines.length - MAX_LINES, 'more line')} (--json has all)`]
}

/** Which models are ruled out, and which hold. */
function modelLines({ impossible, weakest, strongest }: IsolationResult): readonly string[] {
  const ruledOut = [`Ruled out: ${impossible.join(', ')}`, `Weakest ruled out: ${weakest.join(', ')}`]
  return [
    '',
    ...(impossible.length === 0 ? [] : ruledOut),
    ...(strongest.length === 0 ? [] : [`Strongest not ruled out: ${strongest.join(', ')}`]),
  ]
}

function resultJson(
  { anomalies, counts, impossible, weakest, strongest }: IsolationResult,
  transactions: readonly Transaction[],
) {
  return {
    ruledOut: impossible,
    weakestRuledOut: weakest,
    strongestNotRuledOut: strongest,
    counts,
    anomalies: anomalies.map((anomaly) => anomalyJson(anomaly, transactions)),
  }
}

function anomalyJson(
  { type, isForbidden, transactions: involved, cycle, explanation }: Anomaly,
  all: readonly Transaction[],
) {
  return {
    type,
    forbidden: isForbidden,
    explanation,
    transactions: involved.map((index) => {
      const { process, line, returnLine, outcome } = all[index]!
      return { process, line, returnLine, outcome, steps: microOperations(all[index]!) }
    }),
    ...(cycle && {
      cycle: cycle.map(({ transaction, edge, key, value, because }) => ({
        line: all[transaction]!.line,
        edge,
        ...(key !== undefined && { key, value }),
        because,
      })),
    }),
  }
}

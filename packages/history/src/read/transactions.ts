/** Reads transactions: `:f :txn, :value [[:append 9 2] [:r 9 nil]]`. */
import type { HistoryEvent } from '../history/event.ts'
import type { Reading } from '../history/history-builder.ts'
import { HistoryError } from '../history/history-error.ts'
import type { MicroOperation } from '../history/transaction.ts'

const STEPS: ReadonlySet<unknown> = new Set<MicroOperation[0]>(['r', 'w', 'append'])

/**
 * Reads transactions from the events of a file. The input of a transaction has its steps as called,
 * the output as they ended.
 *
 * @throws HistoryError with the line
 * @public
 */
export const transactionReading: Reading<readonly MicroOperation[], readonly MicroOperation[]> = (call, end) => {
  const input = stepsOf(call)
  if (end?.type !== 'ok') return { input }
  const output = stepsOf(end)
  if (output.length !== input.length) throw new HistoryError(mismatch(call), end.line)
  for (let index = 0; index < input.length; index++) {
    const called = input[index]!
    const ended = output[index]!
    if (called[0] !== ended[0] || called[1] !== ended[1]) throw new HistoryError(mismatch(call), end.line)
    if (called[0] === 'r') continue
    // Most steps return as they were called: one object serves both.
    if (called[2] === ended[2]) input[index] = ended
    else if (JSON.stringify(called[2]) !== JSON.stringify(ended[2])) throw new HistoryError(mismatch(call), end.line)
  }
  return { input, output }
}

/** The steps of an event, in place of its value. */
function stepsOf({ f, key: object, value, line }: HistoryEvent): MicroOperation[] {
  if (!Array.isArray(value))
    throw new HistoryError(`${f} is not a transaction: expected a value such as [[:append 9 2] [:r 9 nil]]`, line)
  for (const step of value as unknown[]) {
    if (!Array.isArray(step) || step.length < 2 || step.length > 3 || !STEPS.has(step[0]))
      throw new HistoryError(
        `a transaction has the step ${shown(step)}: expected [:r key value], [:w key value] or [:append key value]`,
        line,
      )
    if (step[0] !== 'r' && (step[2] === null || step[2] === undefined))
      throw new HistoryError(`the step ${shown(step)} writes no value`, line)
    if (step.length === 2) step.push(null)
    const key = step[1]
    if (typeof key !== 'string' && typeof key !== 'number') step[1] = JSON.stringify(key)
    // Transactions of independent objects: each has its own keys.
    if (object !== undefined) step[1] = `${JSON.stringify(object)} ${step[1]}`
  }
  return value as MicroOperation[]
}

function mismatch(call: HistoryEvent): string {
  return `the transaction returns other steps than it was called with${call.line === undefined ? '' : ` in line ${call.line}`}`
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}

/**
 * Operations as bars over time, as plain text:
 *
 * ```text
 *   process 0  ├─ write(1) ─────────────┤
 *   process 1     ├─ write(2) ╌╌╌╌╌╌╌╌╌╌╌╌╌
 *   process 2                  ├─ read() = null ─┤
 * ```
 *
 * Columns keep the order of the calls and returns, not how much time is between them.
 */
import type { History, Operation } from '../history/operation.ts'
import { callText } from '../linearizability/explanation.ts'
import type { IllegalResult } from '../linearizability/result.ts'
import type { ObjectModel } from '../models/model.ts'

/** The text of an operation, and its process, may take so much room. */
const MAX_LABEL = 40
/** A history of so many operations is shown as a whole. */
const MAX_WHOLE = 8
/** Columns between a process and its bars, from an event to the next, and around a label. */
const [GAP, STEP, BRACKETS] = [2, 3, 5]

/**
 * The operations that cannot be ordered, or the history as a whole if it is short.
 *
 * @public
 */
export function windowText({ operations }: History, { window }: IllegalResult, model: ObjectModel): string[] {
  const shown = operations.length <= MAX_WHOLE ? operations : window.operations.map((index) => operations[index]!)
  return timelineText(shown, (operation) => callText(operation, model))
}

/**
 * @public
 * @param operations in the order of their calls
 * @param label of an operation, such as `write(1)`
 * @returns no lines if they would be longer than `width`
 */
export function timelineText(
  operations: readonly Operation[],
  label: (operation: Operation) => string,
  width = 100,
): string[] {
  const labels = operations.map((operation) => cut(label(operation)))
  const { from, to } = columnsOf(operations, labels)
  const processes = [...new Set(operations.map(({ process }) => process))]
  const titles = processes.map((process) => cut(`process ${process}`))
  const titleWidth = Math.max(...titles.map((title) => title.length)) + GAP
  const lines = processes.map((process, row) => {
    let line = titles[row]!
    for (const [index, operation] of operations.entries()) {
      if (operation.process !== process) continue
      const text = `├─ ${labels[index]} `
      const rest = to[index]! - from[index]! - text.length
      const end = operation.outcome === 'unknown' ? '╌'.repeat(rest + 1) : `${'─'.repeat(rest)}┤`
      line = line.padEnd(titleWidth + from[index]!) + text + end
    }
    return line
  })
  return lines.some((line) => line.length > width) ? [] : lines
}

/** Where bars begin and end: as far to the left as the order of time and their labels allow. */
function columnsOf(operations: readonly Operation[], labels: readonly string[]) {
  const events = operations.flatMap(({ call, return: end }, index) => [
    { at: call, isCall: true, index },
    { at: end, isCall: false, index },
  ])
  // Intervals are closed: at equal times calls come first.
  events.sort((a, b) => (a.at === b.at ? Number(b.isCall) - Number(a.isCall) || a.index - b.index : a.at - b.at))
  const from: number[] = []
  const to: number[] = []
  let next = 0
  for (const { isCall, index } of events) {
    if (isCall) from[index] = next
    else to[index] = next = Math.max(next, from[index]! + labels[index]!.length + BRACKETS)
    next += STEP
  }
  return { from, to }
}

function cut(text: string): string {
  return text.length <= MAX_LABEL ? text : `${text.slice(0, MAX_LABEL - 1)}…`
}

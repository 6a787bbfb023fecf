/** Writes histories as JSON lines, which `norn-history check` and `parseHistory` read. */
import type { HistoryEvent } from './event.ts'
import type { History, Operation } from './operation.ts'

/**
 * The events of a history as JSON lines, ordered by their times.
 *
 * An input is that of a built-in model (`{ f, key, value }`, `{ f: 'cas', from, to }`) or the steps
 * of a transaction.
 *
 * @public
 */
export function historyLines({ operations }: History): string {
  const events = operations.flatMap((operation) => {
    const { outcome, call } = operation
    const ended = outcome === 'unknown' ? [] : [{ at: operation.return, isCall: false, operation }]
    return [{ at: call, isCall: true, operation }, ...ended]
  })
  // Intervals are closed: at equal times calls come first.
  events.sort((a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall))
  const open = new Map<Operation['process'], Operation>()
  const lines: string[] = []
  const write = (operation: Operation, type: HistoryEvent['type']) =>
    lines.push(`${JSON.stringify(eventOf(operation, type))}\n`)
  for (const { operation, isCall } of events) {
    const { process, outcome } = operation
    const before = open.get(process)
    // A process goes on after a call of which nobody knows how it ended.
    if (isCall && before !== undefined) write(before, 'info')
    if (isCall) open.set(process, operation)
    else open.delete(process)
    write(operation, isCall ? 'invoke' : outcome === 'ok' ? 'ok' : 'fail')
  }
  return lines.join('')
}

function eventOf({ process, input, output }: Operation, type: HistoryEvent['type']): HistoryEvent {
  if (Array.isArray(input)) return { process, type, f: 'txn', value: type === 'ok' ? output : input }
  const { f, key, value, from, to } = input as Readonly<Record<string, unknown>>
  const called = f === 'cas' ? [from, to] : (value ?? null)
  return {
    process,
    type,
    f: String(f),
    ...(key !== undefined && { key }),
    value: type === 'ok' && output !== undefined ? output : called,
  }
}

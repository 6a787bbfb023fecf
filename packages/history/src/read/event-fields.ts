/** The fields that an event is made of. */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'

/** Of one map; a field that is missing is undefined. */
export interface EventFields {
  process: unknown
  type: unknown
  f: unknown
  key: unknown
  value: unknown
}

const TYPES: ReadonlySet<unknown> = new Set<HistoryEvent['type']>(['invoke', 'ok', 'fail', 'info'])

/**
 * The event of the fields; undefined for one of the nemesis, which injects faults and is no client.
 *
 * A transaction needs neither process nor function, as in examples of Elle: those without a process are
 * of one process.
 *
 * @throws HistoryError if a field is missing or has no meaning
 */
export function eventOf(fields: EventFields, line: number): HistoryEvent | undefined {
  const { type, key, value } = fields
  const isIncomplete = fields.process === undefined || fields.f === undefined
  const isTransaction = isIncomplete && type !== undefined && isList(value) && value.every(isList)
  const { process = isTransaction ? 'nil' : undefined, f = isTransaction ? 'txn' : undefined } = fields
  if (process === 'nemesis') return undefined
  if (process === undefined && type === undefined)
    throw new HistoryError('not an event: expected the fields process, type, f and value', line)
  if (typeof process !== 'number' && (typeof process !== 'string' || process === ''))
    throw new HistoryError(`${missing('process', process)}: expected a number or a name`, line)
  if (!TYPES.has(type)) throw new HistoryError(`${missing('type', type)}: expected invoke, ok, fail or info`, line)
  if (typeof f !== 'string' || f === '')
    throw new HistoryError(`${missing('f', f)}: expected the name of an operation, such as read`, line)
  return { type: type as HistoryEvent['type'], process, f, key, value: value === undefined ? null : value, line }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

function missing(field: string, value: unknown): string {
  if (value === undefined) return `an event without the field ${field}`
  return `the field ${field} is ${JSON.stringify(value)?.slice(0, 60)}`
}

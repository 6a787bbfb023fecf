/**
 * The subject of a latency or a fault: the fields of its label. `0/0.1:2 unlink effect` is the
 * effect of an unlink that is step 2 of chain `0/0.1`.
 *
 * Code decides by these fields. The label is their stored form; only `subjectOf` parses it, for
 * choices that come from a file.
 */

/** What a latency delays. */
export const SCHEDULE_POINTS = [
  /** An operation of the thread pool takes effect. */
  'effect',
  /** The callback of an operation runs. */
  'callback',
  /** The loop wakes for a timer. */
  'timer',
  /** The loop begins, after the main script. */
  'start',
  /** The second half of a transfer of many pages takes effect. */
  'tear',
  /** The program stalls within a step, or between two rounds of immediates. */
  'stall',
  /** Code takes time between two reads of a clock in one step; drawn rarely, see `Tape.drawRarely`. */
  'pause',
] as const

export type SchedulePointKind = (typeof SCHEDULE_POINTS)[number]

export interface Subject {
  /** The causal chain of the step. */
  readonly chain: string
  /** The label of the step: `chain:index`. */
  readonly step: string
  /** The kind of operation; of a fault, its system call too: `unlink`, `copyfile open`. */
  readonly operation: string
  /** Undefined for a fault. */
  readonly point?: SchedulePointKind
  /** The number of earlier choices about the same. */
  readonly ordinal: number
}

export function labelOf({ step, operation, point, ordinal }: Subject): string {
  const label = point === undefined ? `${step} ${operation}` : `${step} ${operation} ${point}`
  return ordinal === 0 ? label : `${label}#${ordinal}`
}

const LABEL = {
  latency: new RegExp(`^((\\S+):\\d+) (.*) (${SCHEDULE_POINTS.join('|')})(?:#(\\d+))?$`),
  fault: /^((\S+):\d+) (.*?)()(?:#(\d+))?$/,
}

/** The inverse of `labelOf`; undefined for a label that it did not make. */
export function subjectOf(kind: 'latency' | 'fault', label: string): Subject | undefined {
  const match = LABEL[kind].exec(label)
  if (match === null) return undefined
  const [, step, chain, operation, point, ordinal = 0] = match
  const subject = { chain: chain!, step: step!, operation: operation!, ordinal: Number(ordinal) }
  return kind === 'fault' ? subject : { ...subject, point: point as SchedulePointKind }
}

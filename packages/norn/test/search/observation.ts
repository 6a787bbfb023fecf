/**
 * Observations, records and entries made by hand: what is not said is as in an execution that did
 * nothing.
 */

import type { Choice } from '../../src/contract/choice.ts'
import { type TapeRecord, UNBOUNDED } from '../../src/contract/choices.ts'
import type { ComparisonKind, ComparisonLog, Moment, Observation, Operand } from '../../src/contract/observation.ts'
import { labelOf, subjectOf } from '../../src/contract/subject.ts'
import type { Entry } from '../../src/domains/latency/corpus.ts'
import { Timeline } from '../../src/domains/latency/timeline.ts'
import type { Tape } from '../../src/tape/tape.ts'

export type Compared = readonly [site: number, left: Operand, right: Operand, kind?: ComparisonKind]

export const EMPTY_RECORD: TapeRecord = { input: [], schedule: [], fault: [], spans: [], length: UNBOUNDED }

export function recordOf(more: Partial<TapeRecord>): TapeRecord {
  return { ...EMPTY_RECORD, ...more }
}

export interface ObservationParts extends Partial<Omit<Observation, 'comparisons' | 'timeline' | 'choices'>> {
  readonly compared?: readonly Compared[]
  readonly moments?: readonly Moment[]
  readonly record?: TapeRecord
}

export function observationOf({
  compared,
  moments = [],
  record = EMPTY_RECORD,
  ...more
}: ObservationParts): Observation {
  return {
    counters: [],
    order: [],
    happensBefore: 0,
    notes: new Map(),
    targets: new Map(),
    products: [],
    comparisons: compared && logOf(compared),
    timeline: () => moments,
    choices: () => record,
    ...more,
  }
}

function logOf(compared: readonly Compared[]): ComparisonLog {
  return {
    length: compared.length,
    site: (index) => compared[index]![0],
    left: (index) => compared[index]![1],
    right: (index) => compared[index]![2],
    kind: (index) => compared[index]![3] ?? 'equal',
    isConstant: () => false,
  }
}

/** The n-th choice of an input. */
export function number(value: number, max = 1000, label = 'x'): Choice<number> {
  return { kind: 'value', label, min: 0, max, value }
}

/** How late the effect of the n-th operation of the first chain is. */
export function late(step: number, value: number, max = 20_000): Choice<number> {
  const subject = { chain: '0', step: `0:${step}`, operation: 'write', point: 'effect', ordinal: 0 } as const
  return { kind: 'latency', label: labelOf(subject), min: 0, max, value, subject }
}

export function entryOf(record: TapeRecord, more: Partial<Entry> = {}): Entry {
  return {
    id: 0,
    input: { from: 'tape' },
    record,
    fresh: [],
    owned: new Set(),
    work: 1,
    place: undefined,
    products: [],
    timeline: new Timeline([]),
    operands: [],
    picks: 0,
    trimmed: false,
    ...more,
  }
}

/** Draws a latency whose label says what it is about. */
export function drawLatency(tape: Tape, label: string, max: number): number {
  return tape.draw('schedule', label, 0, max, { subject: subjectOf('latency', label) })
}

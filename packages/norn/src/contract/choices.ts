/** The choices of one execution, lane by lane, and the spans that group them. Plain data. */
import { type Choice, isSimplest, type Lane } from './choice.ts'

/** What is replayed: the choices of each lane, and after how many draws the tape runs out. */
export interface Choices extends Readonly<Record<Lane, readonly Choice[]>> {
  readonly length: number
}

/**
 * A run of choices of one lane that belong together: one generated element, one operation, one
 * fault. The spans of a record are in the order in which they began; two spans are nested or
 * disjoint.
 */
export interface Span {
  readonly lane: Lane
  readonly label: string
  /** Index of its first choice in the lane, and one past its last. */
  readonly start: number
  end: number
}

/** A comparable value that a generator made of a run of choices of the input lane. */
export interface Product {
  /** Index of its first choice, and one past its last. */
  readonly start: number
  readonly end: number
  readonly value: string | number | bigint
}

/** All that a finished tape holds. */
export interface TapeRecord extends Choices {
  readonly spans: readonly Span[]
}

/**
 * The length of a tape that does not run out: 2^32-1, the largest that the name of an execution can
 * hold.
 */
export const UNBOUNDED = 0xffff_ffff

/** The zero input under the default schedule: a record without choices. */
export const NO_CHOICES: Choices = { input: [], schedule: [], fault: [], length: UNBOUNDED }

/**
 * Drops the simplest choices of the lanes that replay by label; the input replays by position, so
 * it stays whole.
 */
export function essential(record: Choices): Choices {
  return {
    input: record.input,
    schedule: record.schedule.filter((choice) => !isSimplest(choice)),
    fault: record.fault.filter((choice) => !isSimplest(choice)),
    length: record.length,
  }
}

/** The choices of one execution, lane by lane, and the spans that group them. Plain data. */
import { type Choice, isSimplest, type Lane } from './choice.ts'

/** A choice sequence: the choices of each lane, and the number of draws until the tape ends. */
export interface Choices extends Readonly<Record<Lane, readonly Choice[]>> {
  readonly length: number
}

/**
 * Consecutive choices of one lane that belong together, such as those of one generated element.
 * Spans are ordered by their start; two spans are nested or disjoint.
 */
export interface Span {
  readonly lane: Lane
  readonly label: string
  /** Index of its first choice in the lane; `end` is one past the last. */
  readonly start: number
  end: number
}

/** A comparable value that a generator made from consecutive choices of the input lane. */
export interface Product {
  /** Index of its first choice; `end` is one past the last. */
  readonly start: number
  readonly end: number
  readonly value: string | number | bigint
}

export interface TapeRecord extends Choices {
  readonly spans: readonly Span[]
}

/** The length of a tape without an end: the largest that the name of an execution can hold. */
export const UNBOUNDED = 0xffff_ffff

/** The zero input under the default schedule: a record without choices. */
export const NO_CHOICES: Choices = { input: [], schedule: [], fault: [], length: UNBOUNDED }

/**
 * Drops the simplest choices of the lanes that replay by label. The input lane replays by position,
 * so it stays whole.
 */
export function essential(record: Choices): Choices {
  return {
    input: record.input,
    schedule: record.schedule.filter((choice) => !isSimplest(choice)),
    fault: record.fault.filter((choice) => !isSimplest(choice)),
    length: record.length,
  }
}

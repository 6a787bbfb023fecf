/** Where two runs of one plan differ, and the places in the user's source that are shown of it. */

/** One frame of a stack, in the user's source. */
export interface Frame {
  /** Relative to the project's root. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly functionName: string
}

/** The first step at which two runs of one plan part. */
export interface Divergence {
  /** The place of the step in the trace, counted from 1. */
  readonly step: number
  readonly first: DivergentStep
  readonly second: DivergentStep
}

/** What one of the two runs did there. */
export interface DivergentStep {
  /** As a person reads it. */
  readonly text: string
  /** Where the step was started, if it was started by a line of the program. */
  readonly frame?: Frame
}

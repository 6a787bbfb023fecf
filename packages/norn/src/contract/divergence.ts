/** A stack frame in the user's source. */
export interface Frame {
  /** Relative to the project's root. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly functionName: string
}

/** The first step at which two runs of one plan differ. */
export interface Divergence {
  /** Its position in the trace, counted from 1. */
  readonly step: number
  readonly first: DivergentStep
  readonly second: DivergentStep
}

export interface DivergentStep {
  readonly text: string
  /** Where the program started the step, if it did. */
  readonly frame?: Frame
}

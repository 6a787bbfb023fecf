/** What every technique gives back for each of its trials. */

/** What a trial may spend; it ends with its first failure. */
export interface Budget {
  /** Real time, in milliseconds. */
  readonly timeMs: number
  /** Executions; infinite if only time counts. */
  readonly runs: number
}

export interface Trial {
  readonly seed: number
  readonly found: boolean
  /** Executions until it was found, the failing one included; all that there were, if it was not. */
  readonly runs: number
  /** Real time until then, in milliseconds; starting the process and shrinking apart. */
  readonly ms: number
}

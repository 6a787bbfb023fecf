/** The budget of a trial, which ends with its first failure. */
export interface Budget {
  /** Wall time, in milliseconds. */
  readonly timeMs: number
  /** Executions; infinite if only time counts. */
  readonly runs: number
}

export interface Trial {
  readonly seed: number
  readonly found: boolean
  /** Executions until the failure, the failing one included; all executions without a failure. */
  readonly runs: number
  /** Wall time of these, in milliseconds, without start-up and shrinking. */
  readonly ms: number
}

/** Whether a trial ended at its time limit, not at its failure or its last execution. */
export function endedAtLimit({ found, runs }: Trial, budget: Budget): boolean {
  return !found && runs < budget.runs
}

/** A trial: one search of a subject from one seed. */
import type { FoundFailure } from '../engine.ts'
import { median } from '../statistics/summary.ts'

export interface Budget {
  /** Wall time, in milliseconds. */
  readonly timeMs: number
  /** Executions; infinite if only time counts. */
  readonly runs: number
}

export interface Trial {
  readonly seed: number
  readonly found: boolean
  /** Executions until the first failure, that one included; all executions without a failure. */
  readonly runs: number
  /** Wall time of these, in milliseconds, without start-up and shrinking. */
  readonly ms: number
  /** Executions that failed; 1 at most where the first failure ends the trial. */
  readonly failures: number
  /** What was found, once shrunk, if that was asked for. */
  readonly shrunk?: FoundFailure
}

/** What a row says of the trials that found the bug. */
export interface Found {
  readonly trials: number
  readonly found: number
  readonly medianRuns: number | null
  readonly medianMs: number | null
}

export function foundIn(trials: readonly Trial[]): Found {
  const found = trials.filter((trial) => trial.found)
  const of = (values: readonly number[]) => (values.length === 0 ? null : median(values))
  const medianMs = of(found.map(({ ms }) => ms))
  return {
    trials: trials.length,
    found: found.length,
    medianRuns: of(found.map(({ runs }) => runs)),
    medianMs: medianMs === null ? null : Math.round(medianMs),
  }
}

/** Whether a trial ended at its time limit, not at its failure or its last execution. */
export function endedAtLimit({ found, runs }: Trial, budget: Budget): boolean {
  return !found && runs < budget.runs
}

/** The seeds 1 to `count`. */
export function seedsUpTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

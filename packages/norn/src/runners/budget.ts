/**
 * What a property gets in a run of tests: little, as it stands beside tests that take milliseconds,
 * and more where the environment, the property or the configuration says so.
 *
 * Pure: the levels are given.
 */
import { chooseLimits, type Levels } from '../options/values.ts'

export interface Budget {
  /** Real time of the search of one property, in milliseconds. */
  readonly timeMs: number
  /** Executions of one property, at most. */
  readonly runs: number
  /** Executions below which the property does not pass. */
  readonly minRuns: number
  readonly seed: number
  /** Real time that shrinking has at least. */
  readonly shrinkMs: number
}

/** Of one property, unless a level says otherwise. */
const DEFAULT_TIME_MS = 500

/**
 * A busy machine makes few executions in half a second: fewer than these say too little. Where
 * bodies take long, a property says so by `runs`.
 */
const MIN_RUNS = 100

/** A failure is worth a wait: a small one is understood sooner. */
const SHRINK_MS = 2000

/** No limit of time: where a level names runs alone, the count decides. */
const UNLIMITED_MS = Number.MAX_SAFE_INTEGER

/** Real time beside the search, on a busy machine: starting, confirming, explaining, lost processes. */
const ALLOWANCE_MS = 120_000

/** Properties that may wait for each other in the process of their file. */
const TURNS = 5

/** The longest timer of Node, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** @param defaultSeed the seed where no level names one */
export function budgetOf(levels: Omit<Levels, 'flags'>, defaultSeed: () => number): Budget {
  const { runs, timeMs, seed } = chooseLimits(levels)
  return {
    timeMs: timeMs ?? (runs === undefined ? DEFAULT_TIME_MS : UNLIMITED_MS),
    runs: runs ?? Number.MAX_SAFE_INTEGER,
    minRuns: Math.min(runs ?? MIN_RUNS, MIN_RUNS),
    seed: seed ?? defaultSeed(),
    shrinkMs: SHRINK_MS,
  }
}

/**
 * How long the runner has to wait for a property before something is wrong with norn itself, in
 * milliseconds.
 */
export function timeoutOf({ timeMs }: Budget, hangMs = 0): number {
  return Math.min(LONGEST_TIMER_MS, ALLOWANCE_MS + TURNS * (timeMs + hangMs))
}

/**
 * What a property gets in a run of tests: little, as it stands beside tests that take milliseconds,
 * and more where the environment says so, as CI may.
 *
 * Pure: the variables are given. Each wrong one is an error; a run that ignored it would search
 * less than it was told.
 */
import { UsageError } from '../session/errors.ts'
import { parseCount, parseDuration, parseSeed } from '../session/values.ts'

export interface Budget {
  /** Real time of the search of one property, in milliseconds. */
  readonly timeMs: number
  /** Executions of one property, at most. */
  readonly runs: number
  readonly seed: number
  /** Real time that one execution may take, in milliseconds; the worker's own unless set. */
  readonly hangMs: number | undefined
  /** Real time that shrinking gets on top, where something was found. */
  readonly shrinkMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Of one property, unless NORN_TIME says otherwise. */
const DEFAULT_TIME_MS = 500

/** A failure is worth a wait: a small one is understood sooner. */
const SHRINK_MS = 2000

/** No limit of time: with NORN_RUNS alone the count decides. */
const UNLIMITED_MS = Number.MAX_SAFE_INTEGER

/**
 * What starting, confirming and explaining may take beside the search, on a busy machine; hangs and
 * deaths too.
 */
const ALLOWANCE_MS = 120_000

/** How many properties may wait for each other's turn in the process of their file. */
const TURNS = 5

/** The longest timer of Node, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * @param environment NORN_TIME (a duration for each property), NORN_RUNS (executions of each, at
 *   most), NORN_SEED,
 *   NORN_HANG (real time of one execution), CI
 * @param randomSeed what chance begins with where nothing says it
 * @throws an error that names the variable, what it holds and what was expected
 */
export function budgetOf(environment: Environment, randomSeed: () => number): Budget {
  const read = <Value>(name: string, parse: (text: string) => Value): Value | undefined => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return undefined
    try {
      return parse(text)
    } catch (error) {
      throw new UsageError(`${name}=${text}: ${(error as Error).message}`)
    }
  }
  const runs = read('NORN_RUNS', parseCount)
  return {
    timeMs: read('NORN_TIME', parseDuration) ?? (runs === undefined ? DEFAULT_TIME_MS : UNLIMITED_MS),
    runs: runs ?? Number.MAX_SAFE_INTEGER,
    seed: read('NORN_SEED', parseSeed) ?? (environment.CI ? 1 : randomSeed()),
    hangMs: read('NORN_HANG', parseDuration),
    shrinkMs: SHRINK_MS,
  }
}

/**
 * How long the runner has to wait for a property before something is wrong with norn itself, in
 * milliseconds.
 */
export function timeoutOf({ timeMs, hangMs = 0 }: Budget): number {
  return Math.min(LONGEST_TIMER_MS, ALLOWANCE_MS + TURNS * (timeMs + hangMs))
}

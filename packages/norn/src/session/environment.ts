/** The variables that stand for options: NORN_TIME, NORN_RUNS, NORN_SEED, NORN_HANG. Pure. */
import type { SearchLimits } from '../property/search-options.ts'
import { UsageError } from './errors.ts'
import { parseCount, parseDuration, parseSeed } from './values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvironmentOptions extends SearchLimits {
  /** Processor time that one execution may take, in milliseconds. */
  readonly hangMs?: number
}

/**
 * The options that variables name.
 *
 * @throws UsageError that names the variable, its value and what was expected: a run that ignored a
 *   wrong one would search less than it was told
 */
export function environmentOptions(environment: Environment): EnvironmentOptions {
  const read = (name: string, parse: (text: string) => number): number | undefined => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return undefined
    try {
      return parse(text)
    } catch (error) {
      throw new UsageError(`${name}=${text}: ${(error as Error).message}`)
    }
  }
  return {
    runs: read('NORN_RUNS', parseCount),
    timeMs: read('NORN_TIME', parseDuration),
    seed: read('NORN_SEED', parseSeed),
    hangMs: read('NORN_HANG', parseDuration),
  }
}

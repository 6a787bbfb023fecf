/** The options of a property, or of a cluster, that say how long it is searched. */

/**
 * How long a property is searched, and from which seed. Flags and NORN_* variables come before
 * these, the configuration file after.
 *
 * @public
 */
export interface SearchLimits {
  /** Executions, at most. Default: unlimited. */
  readonly runs?: number
  /**
   * Real time of the search, in milliseconds. Default: unlimited if `runs` is set; else 30,000 for
   * all properties of a `norn fuzz` together, and 500 for each in a test runner.
   */
  readonly timeMs?: number
  /** Seed of all chance, 32 bits. Default: random; 1 if the variable CI is set. */
  readonly seed?: number
}

/** The longest that a timer of Node can take is some 596 hours. */
export const MAX_TIME_MS = 500 * 3_600_000

const MAX_SEED = 0xffff_ffff

/** What the value of an option must be, and whether a value is that. */
export type OptionRule = readonly [expected: string, holds: (value: unknown) => boolean]

export function isBetween(least: number, most: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= least && value <= most
}

export function isIntegerBetween(least: number, most: number): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && isBetween(least, most)(value)
}

export const SEARCH_LIMITS: Readonly<Record<keyof SearchLimits, OptionRule>> = {
  runs: ['an integer from 1', isIntegerBetween(1, Number.MAX_SAFE_INTEGER)],
  timeMs: [`a number of milliseconds from 1 to ${MAX_TIME_MS}`, isBetween(1, MAX_TIME_MS)],
  seed: [`an integer from 0 to ${MAX_SEED}`, isIntegerBetween(0, MAX_SEED)],
}

/** @param refuse throws an error with the text */
export function checkSearchLimits(options: SearchLimits, refuse: (why: string) => never): void {
  for (const [option, [expected, holds]] of Object.entries(SEARCH_LIMITS)) {
    const value = options[option as keyof SearchLimits]
    if (value !== undefined && !holds(value)) refuse(`option ${option} must be ${expected}: ${shown(value)}`)
  }
}

/** The search limits among the options of a cluster or a property. */
export function searchLimitsOf({ runs, timeMs, seed }: SearchLimits): SearchLimits {
  return { runs, timeMs, seed }
}

/** A wrong value in a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? 'an array' : String(value)
}

/**
 * The precedence of options: command-line flags, NORN_* variables, the property's own options, the
 * configuration file, defaults. Pure.
 *
 * Runs and time are taken together from the nearest level that names either: a flag `--runs 5` is
 * not cut short by the `timeMs` of a configuration, and a flag `--time` not by its `runs`.
 */
import type { SearchLimits } from '../property/search-options.ts'

/** The limits of a search as each level names them; a level that names none is empty. */
export interface Levels {
  readonly flags?: SearchLimits
  readonly environment: SearchLimits
  readonly property: SearchLimits
  readonly configuration: SearchLimits
}

/** From the nearest. */
const ORDER = ['flags', 'environment', 'property', 'configuration'] as const satisfies (keyof Levels)[]

export interface ChosenLimits {
  readonly runs: number | undefined
  readonly timeMs: number | undefined
  /** The level that names runs or time; undefined if none does. */
  readonly level: (typeof ORDER)[number] | undefined
  readonly seed: number | undefined
}

export function chooseLimits(levels: Levels): ChosenLimits {
  const level = ORDER.find((name) => levels[name]?.runs !== undefined || levels[name]?.timeMs !== undefined)
  const { runs, timeMs } = level === undefined ? {} : levels[level]!
  const seed = ORDER.map((name) => levels[name]?.seed).find((value) => value !== undefined)
  return { runs, timeMs, level, seed }
}

/**
 * The values of options: from a configuration file, from the options of a property, from variables, and
 * chosen among the levels. Pure.
 *
 * The levels are, from the nearest: flags, NORN_* variables, the property's own options, the
 * configuration file.
 */
import { unknownText } from '../contract/known-names.ts'
import { initialOf, type OptionTable, rowsOf, type Scope } from './option.ts'
import { type Refuse, shown } from './refusal.ts'
import {
  type ConfiguredOptions,
  type EnvironmentOptions,
  type ExecutionOptions,
  OPTIONS,
  type Scoped,
  type SearchLimits,
} from './table.ts'

/**
 * Checks what a configuration file holds.
 *
 * @param refuse throws an error with the text
 */
export function checkConfiguration(value: unknown, refuse: Refuse, table: OptionTable = OPTIONS): ConfiguredOptions {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(`expected an object of options, found ${shown(value)}`)
  const known = rowsOf(table, ({ configured }) => configured !== undefined)
  for (const key of Object.keys(value)) if (!Object.hasOwn(known, key)) refuse(unknownText(key, Object.keys(known)))
  checkValues(value, known, refuse)
  return value
}

const LIMITS = rowsOf(OPTIONS, ({ scope }) => scope === 'limit')

/** The names of the limits, which properties and clusters have too. */
export const LIMIT_NAMES: readonly string[] = Object.keys(LIMITS)

/** Checks the limits of a property or a cluster. @param refuse throws an error with the text */
export function checkLimits(options: object, refuse: Refuse): void {
  checkValues(options, LIMITS, refuse)
}

function checkValues(values: object, table: OptionTable, refuse: Refuse): void {
  for (const [name, { kind }] of Object.entries(table)) {
    const value = (values as Readonly<Record<string, unknown>>)[name]
    if (value !== undefined) kind.check!(name, value, refuse)
  }
}

/** The limits among the options of a property or a cluster. */
export function limitsOf(options: SearchLimits): SearchLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, options[name as keyof SearchLimits]]))
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The options that variables name.
 *
 * @param refuse throws an error with the text: a run that ignored a wrong variable would search less
 *   than it was told
 */
export function environmentOptions(
  environment: Environment,
  refuse: Refuse,
  table: OptionTable = OPTIONS,
): EnvironmentOptions {
  const named = Object.entries(table).flatMap(([name, { variable, kind }]) => {
    const text = variable && environment[variable]?.trim()
    if (text === undefined || text === '') return []
    try {
      return [[name, kind.parse!(text)]]
    } catch (error) {
      return refuse(`${variable}=${text}: ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(named)
}

/**
 * The options of a scope: each from the nearest level that names it, or from all levels together.
 *
 * @param levels what each names, the nearest first
 */
export function chosenOf<Name extends Scope>(
  scope: Name,
  levels: readonly object[],
  table: OptionTable = OPTIONS,
): Scoped<Name> {
  const chosen = Object.entries(rowsOf(table, (row) => row.scope === scope)).map(([name, row]) => {
    const values = levels
      .map((level) => (level as Readonly<Record<string, unknown>>)[name])
      .filter((value) => value !== undefined)
    return [name, row.added ? values.reverse().flat() : (values[0] ?? initialOf(row))]
  })
  return Object.fromEntries(chosen) as Scoped<Name>
}

const EXECUTION = rowsOf(OPTIONS, ({ scope }) => scope === 'execution')

/**
 * The options of each execution among those of a property, or of a saved failure: the ones that are
 * not as they are by default.
 */
export function executionOptionsOf(options: ExecutionOptions): ExecutionOptions {
  const named = Object.entries(EXECUTION).map(([name, row]) => {
    const value = options[name as keyof ExecutionOptions]
    return [name, value === initialOf(row) ? undefined : value] as const
  })
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

const DECLARED = rowsOf(EXECUTION, ({ inProperties }) => inProperties === true)

/** Checks the options of executions that a property or a cluster declares. */
export function checkDeclared(given: object, refuse: Refuse): void {
  checkValues(given, DECLARED, refuse)
}

/** The options of executions among those that a cluster declares. */
export function declaredOf({ clock }: Pick<ExecutionOptions, 'clock'>): Pick<ExecutionOptions, 'clock'> {
  return clock === undefined ? {} : { clock }
}

/** Those that a file of a failure holds. @param refuse throws an error with the text */
export function readExecutionOptions(serial: object, refuse: Refuse): ExecutionOptions {
  checkValues(serial, EXECUTION, refuse)
  return executionOptionsOf(serial)
}

/** The limits of a search as each level names them; a level that names none is empty. */
export interface Levels {
  readonly flags?: SearchLimits
  readonly environment: SearchLimits
  readonly property: SearchLimits
  readonly configuration: SearchLimits
}

/** From the nearest. */
const ORDER = ['flags', 'environment', 'property', 'configuration'] as const satisfies (keyof Levels)[]

export interface ChosenLimits extends SearchLimits {
  /** The level that names runs or time; undefined if none does. */
  readonly level: (typeof ORDER)[number] | undefined
}

/**
 * Runs and time are taken together from the nearest level that names either: a flag `--runs 5` is
 * not cut short by the `timeMs` of a configuration, and a flag `--time` not by its `runs`.
 */
export function chooseLimits(levels: Levels): ChosenLimits {
  const level = ORDER.find((name) => levels[name]?.runs !== undefined || levels[name]?.timeMs !== undefined)
  const { runs, timeMs } = level === undefined ? {} : levels[level]!
  const seed = ORDER.map((name) => levels[name]?.seed).find((value) => value !== undefined)
  return { runs, timeMs, level, seed }
}

/** What all properties of a project run with: flags come before NORN_* variables and the configuration. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { kindOf } from '../domains/kinds.ts'
import type { Databases } from '../options/databases.ts'
import { EVERYTHING, type Guide, NOTHING, parseGuide } from '../options/guide.ts'
import type {
  ConfiguredOptions,
  EnvironmentOptions,
  ProcessOptions,
  PropertySearchOptions,
  RunFlags,
  Scoped,
} from '../options/table.ts'
import { chosenOf, environmentOptions } from '../options/values.ts'
import type { WorkerOptions } from '../process/worker.ts'
import type { Property } from '../property/property.ts'
import { DEFAULT_STRATEGY, needsLatencies } from '../schedule/portfolio.ts'
import { resolveAliases } from './aliases.ts'
import { loadConfiguration } from './configuration.ts'
import { UsageError } from './errors.ts'
import { openAddresses } from './open-addresses.ts'

/** What variables of this process name. @throws UsageError */
export function ownEnvironment(): EnvironmentOptions {
  return environmentOptions(process.env, (why) => {
    throw new UsageError(why)
  })
}

/**
 * What the processes that run executions are started with.
 *
 * @param folder where the configuration is looked for
 * @throws UsageError for a wrong variable or configuration
 */
export function processOptions(flags: RunFlags = {}, folder = process.cwd()): ProcessOptions {
  const { file, folder: place, options } = loadConfiguration(folder)
  const chosen = chosenOf('process', [flags, ownEnvironment(), options])
  return {
    ...chosen,
    databases: databasesFrom(chosen.databases, place, file),
    setup: chosen.setup.map((path) => setupPath(path, place, `${file}: setup`)),
  }
}

/** Paths of databases begin at the folder of the configuration. */
function databasesFrom(databases: Databases | undefined, folder: string, file: string): Databases | undefined {
  if (databases === undefined) return undefined
  const resolved = Object.entries(databases).map(([name, options]) => {
    if (!('schema' in options) || options.schema === undefined) return [name, options]
    return [name, { ...options, schema: setupPath(options.schema, folder, `${file}: databases.${name}.schema`) }]
  })
  return Object.fromEntries(resolved)
}

function setupPath(path: string, folder: string, where: string): string {
  const found = resolve(folder, path)
  if (!existsSync(found)) throw new UsageError(`${where}: no such file: ${path}`)
  return found
}

/** The modules that replace others, with absolute paths; those of flags come before the configuration's. */
export function projectAliases(root: string, flags: RunFlags['alias'] = {}): [string, string][] {
  const { file, folder, options } = loadConfiguration()
  const configured = resolveAliases(Object.entries(options.alias ?? {}), folder, `${file}: alias`)
  return [...new Map([...configured, ...resolveAliases(Object.entries(flags), root)])]
}

/** The addresses that the configuration opens, which are of this machine. */
export function projectOpen(): Pick<WorkerOptions, 'open'> {
  const { file, options } = loadConfiguration()
  return { open: options.open && openAddresses(options.open, `${file}: open`) }
}

export interface ChosenSearch extends Omit<Scoped<'search'>, 'strategy' | 'guide'> {
  /** As a flag or the configuration names it. */
  readonly named: string
  /** As the search of the property takes it. */
  readonly strategy: string
  readonly guide: Guide
}

/**
 * What a property is searched with. A strategy that is asked for runs alone, unless a guide is asked
 * for with it. Of the configuration, clusters take no strategy that needs latencies.
 *
 * @throws RangeError if a flag names a strategy that the kind of the property does not have
 */
export function chooseSearch(
  kind: Property['kind'] | undefined,
  flags: PropertySearchOptions,
  configuration: ConfiguredOptions,
): ChosenSearch {
  const { hasSteps, strategyOf } = kindOf(kind)
  const { strategy: configured = DEFAULT_STRATEGY } = configuration
  const named = flags.strategy ?? (hasSteps && needsLatencies(configured) ? DEFAULT_STRATEGY : configured)
  const guide = flags.guide ?? (flags.strategy === undefined ? configuration.guide : undefined)
  return {
    ...chosenOf('search', [flags, configuration]),
    named,
    strategy: strategyOf(named),
    guide: guide === undefined ? (named === DEFAULT_STRATEGY ? EVERYTHING : NOTHING) : parseGuide(guide),
  }
}

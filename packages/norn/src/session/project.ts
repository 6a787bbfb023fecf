/** What all properties of a project run with: flags come before NORN_* variables and the configuration. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { clusterStrategy } from '../domains/cluster/search/cluster-strategy.ts'
import { EVERYTHING, type Guide, NOTHING, parseGuide } from '../options/guide.ts'
import type { WorkerOptions } from '../process/worker.ts'
import { DEFAULT_STRATEGY } from '../search/options.ts'
import { type Alias, resolveAliases } from './aliases.ts'
import { loadConfiguration } from './configuration.ts'
import type { NornConfiguration } from './define-config.ts'
import { environmentOptions } from './environment.ts'
import { UsageError } from './errors.ts'
import { openAddresses } from './open-addresses.ts'

export type ExecutionLimits = Pick<WorkerOptions, 'hangMs' | 'memoryMb' | 'network' | 'allowedAddons' | 'setup'>

/**
 * The limits of one execution, its network, the addons it may load, and what runs before each file.
 *
 * @param folder where the configuration is looked for
 * @throws UsageError for a wrong variable or configuration
 */
export function executionLimits(
  flags: { readonly hang?: number; readonly memory?: number; readonly allowAddon?: readonly string[] } = {},
  folder = process.cwd(),
): ExecutionLimits {
  const { file, folder: place, options } = loadConfiguration(folder)
  const { hangMs } = environmentOptions(process.env)
  return {
    hangMs: flags.hang ?? hangMs ?? options.hangMs,
    memoryMb: flags.memory ?? options.memoryMb,
    allowedAddons: [...(options.allowedAddons ?? []), ...(flags.allowAddon ?? [])],
    setup: (options.setup ?? []).map((path) => setupPath(path, place, `${file}: setup`)),
    ...(options.network === undefined ? {} : { network: options.network }),
  }
}

function setupPath(path: string, folder: string, where: string): string {
  const found = resolve(folder, path)
  if (!existsSync(found)) throw new UsageError(`${where}: no such file: ${path}`)
  return found
}

/** The modules that replace others, with absolute paths; those of flags come before the configuration's. */
export function projectAliases(root: string, flags: readonly Alias[] = []): [string, string][] {
  const { file, folder, options } = loadConfiguration()
  const configured = resolveAliases(Object.entries(options.alias ?? {}), folder, `${file}: alias`)
  return [...new Map([...configured, ...resolveAliases(flags, root)])]
}

/** The addresses that the configuration opens, which are of this machine. */
export function projectOpen(): Pick<WorkerOptions, 'open'> {
  const { file, options } = loadConfiguration()
  return options.open === undefined ? {} : { open: openAddresses(options.open, `${file}: open`) }
}

export interface ChosenSearch {
  /** As a flag or the configuration names it. */
  readonly named: string
  /** As the search of the property takes it. */
  readonly strategy: string
  readonly guide: Guide
}

/**
 * What proposes and what guides. A strategy that is asked for runs alone, unless a guide is asked
 * for with it. Clusters have no PCT: one of the configuration is not for them.
 *
 * @throws RangeError if a flag names a strategy that the kind of the property does not have
 */
export function chooseSearch(
  kind: 'cluster' | undefined,
  flags: { readonly strategy?: string; readonly guide?: Guide },
  configuration: NornConfiguration,
): ChosenSearch {
  const isForKind = kind === undefined || !configuration.strategy?.startsWith('pct')
  const named = flags.strategy ?? (isForKind ? configuration.strategy : undefined) ?? DEFAULT_STRATEGY
  const text = flags.strategy === undefined ? configuration.guide : undefined
  const guide = flags.guide ?? (text === undefined ? undefined : parseGuide(text))
  return {
    named,
    strategy: kind === 'cluster' ? clusterStrategy(named) : named,
    guide: guide ?? (named === DEFAULT_STRATEGY ? EVERYTHING : NOTHING),
  }
}

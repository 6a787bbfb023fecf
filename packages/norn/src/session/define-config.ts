/** The options of a configuration file. */

import type { NetworkOptions } from '../options/latency-ranges.ts'
import type { SearchLimits } from '../property/search-options.ts'

/**
 * Defaults for a project. Command-line flags, NORN_* variables and a property's own options come
 * before them.
 *
 * @public
 */
export interface NornConfiguration extends SearchLimits {
  /** Processor time that one execution may take, in milliseconds. Default: 10,000. */
  readonly hangMs?: number
  /** Memory that one execution may use, in MB. Default: 1024. */
  readonly memoryMb?: number
  /**
   * What proposes choices where chance decides: `portfolio`, `natural`, `random`, `pct`, or
   * `pct:DEPTH`. Clusters have no `pct` and keep the portfolio. Default: `portfolio`.
   */
  readonly strategy?: string
  /**
   * What guides the search: some of `edges,order,compare,trace,model`, or `all`, or `none`.
   * Default: `all`; `none` if a strategy is set.
   */
  readonly guide?: string
  /** Packages to observe beside your own code. Default: none. */
  readonly cover?: readonly string[]
  /**
   * Modules that replace others, by module specifier; a path begins at the folder of the
   * configuration. Default: none.
   */
  readonly alias?: Readonly<Record<string, string>>
  /**
   * Addresses of this machine, such as `127.0.0.1:5432`, to which real sockets are let through (open
   * mode). Default: none.
   */
  readonly open?: readonly string[]
  /**
   * Native addons that load, by package, or by their path relative to the working directory: those that do all their
   * work before their functions return. Default: none.
   */
  readonly allowedAddons?: readonly string[]
  /**
   * Modules that run before each file of properties, in each execution; a path begins at the folder of the
   * configuration. Default: none.
   */
  readonly setup?: readonly string[]
  /** Latencies of the network, as the option of a property. Default: `local`. */
  readonly network?: NetworkOptions
  /** Processes that search, 1 to 256; `norn fuzz` only. Default: 1. */
  readonly workers?: number
  /**
   * Whether to use and extend `.norn/corpus/`; `norn fuzz` only. Default: true, but false if `runs`
   * is set and one worker searches.
   */
  readonly corpus?: boolean
}

/**
 * Types the configuration of `norn.config.ts`; returns it unchanged.
 *
 * @public
 */
export function defineConfig(configuration: NornConfiguration): NornConfiguration {
  return configuration
}

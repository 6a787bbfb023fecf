/**
 * All options of searches, and of the processes that run executions. An option is a row here, and the
 * code that uses its value.
 */
import { DEFAULT_STRATEGY, STRATEGY_FORMS } from '../schedule/portfolio.ts'
import { STRATEGIES } from '../schedule/table.ts'
import * as kinds from './kinds.ts'
import type { Chosen, Named, OptionTable, Scope } from './option.ts'

/** What one execution may use of memory unless said otherwise, in MB. */
export const DEFAULT_MEMORY_MB = 1024

/** With less memory, norn itself does not start; more no machine has. */
const MEMORY_MB = [64, 1_000_000] as const

/** More than any machine has processors. */
const MAX_WORKERS = 256

/** The strategies that clusters do not have. */
const FOR_LATENCIES = STRATEGIES.flatMap(({ name, needsLatencies }) => (needsLatencies ? [name] : []))

/** Names in Markdown. */
const asCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

export const OPTIONS = {
  /**
   * Real time of the search, in milliseconds. Default: unlimited if `runs` is set; else 30,000 for
   * all properties of a `norn fuzz` together, and 500 for each in a test runner.
   */
  timeMs: {
    kind: kinds.duration,
    scope: 'limit',
    flag: '--time <duration>',
    variable: 'NORN_TIME',
    help: 'budget of the whole call, shared by its properties: 500ms, 30s, 5m; 30s by default without --runs',
    meaning: 'real time of the whole call, loading included, shared among the properties',
    configured: 'search time of each property; `--time` is the time of the whole call',
    default: '30s a call, 500ms a test; unlimited with `runs`',
  },
  /** Executions, at most. Default: unlimited. */
  runs: {
    kind: kinds.count,
    scope: 'limit',
    flag: '--runs <count>',
    variable: 'NORN_RUNS',
    help: 'maximum number of executions of each property',
    meaning: 'executions of each property, at most; shared among the workers',
    configured: true,
    default: 'unlimited',
  },
  /** Seed of all chance, 32 bits. Default: random; 1 if the variable CI is set. */
  seed: {
    kind: kinds.seed,
    scope: 'limit',
    flag: '--seed <number>',
    variable: 'NORN_SEED',
    help: 'seed of the search (32 bits); by default random, in CI 1',
    meaning: 'seed of all chance',
    configured: true,
    default: 'random; 1 if `CI` is set',
  },
  /**
   * What proposes choices where chance decides: `portfolio`, or one strategy, such as `random` or
   * `pct:DEPTH`. Clusters have no `pct` and keep the portfolio. Default: `portfolio`.
   */
  strategy: {
    kind: kinds.strategy,
    scope: 'search',
    flag: '--strategy <name>',
    help: `schedule strategy: ${kinds.STRATEGY_NAMES} (clusters have no ${FOR_LATENCIES.join(', ')})`,
    meaning: `[who proposes](schedules-and-latency.md#strategies) where chance decides: ${asCode(STRATEGY_FORMS)}; no ${asCode(FOR_LATENCIES)} for clusters`,
    configured: `who proposes where chance decides; clusters ignore ${asCode(FOR_LATENCIES)} here`,
    fallback: DEFAULT_STRATEGY,
  },
  /**
   * What guides the search: some of `edges,order,compare,trace,model`, or `all`, or `none`.
   * Default: `all`; `none` if a strategy is set.
   */
  guide: {
    kind: kinds.guide,
    scope: 'search',
    flag: '--guide <what>',
    help: 'feedback that guides the search: a list of edges,order,compare,trace,model; or all; or none',
    meaning:
      '[what guides the search](how-it-works.md#the-guided-search): some of `edges,order,compare`, of clusters `edges,order,trace,model`; `all` or `none`',
    configured: 'what guides the search, as text',
    default: '`all`; `none` if a strategy is set',
  },
  /** Packages to observe beside your own code. Default: none. */
  cover: {
    kind: kinds.names('an array of package names'),
    scope: 'search',
    flag: '--cover <package>',
    help: 'also count the coverage of this package',
    configured: 'packages to observe, beside your own code; those of flags are added',
    added: true,
  },
  /** Processes that search, 1 to 256; `norn fuzz` only. Default: 1. */
  workers: {
    kind: kinds.integer(1, MAX_WORKERS),
    flag: '--workers <count>',
    help: 'number of search processes, which share one corpus',
    meaning: `processes that search, 1 to ${MAX_WORKERS}`,
    configured: 'processes that search; `norn fuzz` only',
    fallback: '1',
  },
  /**
   * Whether to use and extend `.norn/corpus/`; `norn fuzz` only. Default: true, but false if `runs`
   * is set and one worker searches.
   */
  corpus: {
    kind: kinds.yesOrNo,
    flag: '--corpus',
    help: 'load and save the corpus in .norn/corpus; the default unless --runs is given',
    negated: 'neither load nor save the corpus',
    meaning: 'use and extend `.norn/corpus/`, or not',
    configured: 'whether to use `.norn/corpus/`; `norn fuzz` only',
    default: 'on; off with `runs` and one worker',
  },
  property: {
    kind: kinds.text,
    flag: '--property <text>',
    help: 'run only properties whose name contains this',
    default: 'all',
  },
  /**
   * Modules that replace others, by module specifier; a path begins at the folder of the
   * configuration. Default: none.
   */
  alias: {
    kind: kinds.aliases,
    takenBy: 'every command',
    flag: '--alias <from=to>',
    repeatedBy: 'search',
    help: 'replace a module by another',
    configured:
      "modules by the modules they replace, `{ from: to }`; paths begin at the configuration's folder; flags are added",
  },
  /**
   * Addresses of this machine, such as `127.0.0.1:5432`, to which real sockets are let through (open
   * mode). Default: none.
   */
  open: {
    kind: kinds.names('an array of addresses HOST:PORT or paths of Unix sockets'),
    flag: '--open <address>',
    repeatedBy: 'search',
    help: 'let real sockets to HOST:PORT or to a Unix socket through, e.g. to a database; replays are then not exact',
    meaning: '[let real sockets](open-mode.md) to HOST:PORT or to a Unix socket through',
    configured: 'addresses of this machine that [real sockets](open-mode.md) may reach; a flag replaces them',
  },
  openAnywhere: {
    kind: kinds.yesOrNo,
    flag: '--open-anywhere',
    repeatedBy: 'search',
    help: 'allow --open to name other machines',
    meaning: 'allow `--open` to name other machines',
    default: 'this machine only',
  },
  /** Real servers that take part in executions, by name. Default: none. */
  databases: {
    kind: kinds.databases,
    scope: 'process',
    configured: '[databases](databases.md) that take part in executions, by name: `{ main: postgres({ schema }) }`',
  },
  postgres: {
    kind: kinds.postgres,
    scope: 'process',
    takenBy: 'every command',
    flag: '--postgres <url>',
    repeatedBy: 'search and replay',
    help: 'a PostgreSQL server that takes part in executions, by copies of the database named; or SQL for a private one',
    meaning:
      'a [PostgreSQL server](databases.md) that takes part in executions, by copies of the database that the URL names; or a file of SQL for a private one',
    default: 'the configuration says',
  },
  mariadb: {
    kind: kinds.mariadb,
    scope: 'process',
    takenBy: 'every command',
    flag: '--mariadb <url>',
    repeatedBy: 'search and replay',
    help: 'a MariaDB that takes part in executions, with a copy of the database named (of MariaDB or MySQL); or SQL for it',
    meaning:
      'a [MariaDB](databases.md) of norn that takes part in executions, which begin with a copy of the database (of MariaDB or MySQL) that the URL names; or a file of SQL that makes it',
    default: 'the configuration says',
  },
  redis: {
    kind: kinds.redis,
    scope: 'process',
    takenBy: 'every command',
    flag: '--redis [url]',
    repeatedBy: 'search and replay',
    help: 'a Redis that takes part in executions, which begin with a copy of what the server named holds',
    meaning:
      'a [Redis](databases.md) of norn that takes part in executions, which begin with a copy of what the server named holds, or empty',
    default: 'the configuration says',
  },
  /** Processor time that one execution may take, in milliseconds. Default: 10,000. */
  hangMs: {
    kind: kinds.duration,
    scope: 'process',
    takenBy: 'every command',
    flag: '--hang <duration>',
    variable: 'NORN_HANG',
    help: 'processor time limit of one execution',
    configured: true,
    fallback: '10s',
  },
  /** Memory that one execution may use, in MB. Default: 1024. */
  memoryMb: {
    kind: kinds.integer(...MEMORY_MB, 'MB'),
    scope: 'process',
    takenBy: 'every command',
    flag: '--memory <MB>',
    help: 'memory limit of one execution',
    configured: true,
    fallback: `${DEFAULT_MEMORY_MB}`,
  },
  /**
   * Native addons that load, by package, or by their path relative to the working directory: those
   * that do all their work before their functions return. Default: none.
   */
  allowedAddons: {
    kind: kinds.names('an array of package names or paths'),
    scope: 'process',
    takenBy: 'every command',
    flag: '--allow-addon <name>',
    repeatedBy: 'search and replay',
    help: 'load this native addon, by its package; it must do all its work before its functions return',
    meaning: 'load this [native addon](what-is-controlled.md#not-controlled), by its package',
    configured: '[native addons](what-is-controlled.md#not-controlled) that load, by package or path; flags are added',
    added: true,
  },
  /** Whether transformed modules are kept on disk, for the next start. Default: true. */
  cache: {
    kind: kinds.onOrOff,
    scope: 'process',
    takenBy: 'every command',
    flag: '--cache',
    variable: 'NORN_CACHE',
    help: 'keep transformed modules for the next start; the default',
    negated: 'transform all modules again, and keep none for the next start',
    meaning:
      '[keep transformed modules](how-it-works.md#the-next-start) for the next start; the variable is `on` or `off`',
    configured: true,
    default: 'on',
  },
  untilFrames: {
    kind: kinds.optionalText,
    flag: '--until-frames [folder]',
    help: 'search until clusters reach their key frames, and those of this folder',
    meaning: 'of clusters: search until executions passed the [key frames](clusters.md#key-frames)',
  },
  conformance: {
    kind: kinds.toggle,
    scope: 'execution',
    flag: '--conformance',
    repeatedBy: 'search',
    help: 'fail where a cluster diverges from its model',
    meaning:
      'fail where a cluster diverges from its [model](models.md#conformance): a disabled action, or a difference of the states',
    default: 'as each cluster says',
  },
  /** In which ways the clock of an execution may vary. Default: as each property says; in none. */
  clock: {
    kind: kinds.clock,
    scope: 'execution',
    flag: '--clock <what>',
    repeatedBy: 'search',
    inProperties: true,
    help: 'vary the clock: a list of start,pauses,corrections; or all; or none',
    meaning:
      '[vary the clock](schedules-and-latency.md#the-clock): some of `start,pauses,corrections`; `all` or `none`',
    default: 'as each property says',
  },
  /** The longest delay of an operation, in milliseconds. Default: as each property says; 20 ms. */
  maxLatencyMs: {
    kind: kinds.duration,
    scope: 'execution',
    flag: '--max-latency <duration>',
    repeatedBy: 'search',
    help: 'the longest delay of an operation, and pause of the program',
    meaning:
      'the longest [delay](schedules-and-latency.md#where-norn-chooses) of an operation, and pause of the program: `100ms`',
    default: 'as each property says; 20 ms',
  },
  /** The ordinary tests that an execution runs, in the order of their file; unset for a property. */
  testNames: {
    kind: kinds.optionalNames('an array of names of tests'),
    scope: 'execution',
  },
  /**
   * What is written to a connection of this machine arrives whole, where Linux delivers it whole; unset for a
   * property, whose program may run on several machines.
   */
  wholeWrites: {
    kind: kinds.yesOrNo,
    scope: 'execution',
  },
  keepGoing: {
    kind: kinds.toggle,
    scope: 'search',
    flag: '--keep-going',
    help: 'continue after the first failure of a property',
  },
  saved: {
    kind: kinds.toggle,
    scope: 'search',
    flag: '--no-saved',
    help: 'do not run saved failures first',
    initial: true,
  },
  shrink: {
    kind: kinds.toggle,
    scope: 'search',
    flag: '--no-shrink',
    help: 'do not shrink failures',
    initial: true,
  },
  json: {
    kind: kinds.toggle,
    flag: '--json',
    help: 'print JSON lines',
    meaning: 'print [JSON lines](#json-lines)',
    default: 'text',
  },
  execution: {
    kind: kinds.execution,
    takenBy: 'fuzz',
    flag: '--execution <number>',
    help: 'run only the execution with this 64-bit number, as printed by norn',
  },
  bytes: {
    kind: kinds.text,
    takenBy: 'fuzz',
    flag: '--bytes <file>',
    help: 'run only the execution that the bytes of this file encode (for other fuzzers); - reads stdin',
    meaning:
      'run only the [execution that these bytes encode](replay-and-shrink.md#executions-of-other-fuzzers); `-` reads stdin',
  },
  watch: {
    kind: kinds.toggle,
    takenBy: 'fuzz',
    flag: '--watch',
    help: 'search again when a file changes',
    meaning: 'search again when a file below the working directory changes, the saved failures first; Ctrl-C ends',
  },
  /**
   * Modules that run before each file of properties, in each execution; a path begins at the folder of
   * the configuration. Default: none.
   */
  setup: {
    kind: kinds.names('an array of paths'),
    scope: 'process',
    configured:
      "modules that run before each file of properties, in each execution; paths begin at the configuration's folder",
  },
  /** Whether each execution evaluates all modules, also those whose state norn can put back. Default: no. */
  freshModules: {
    kind: kinds.yesOrNo,
    scope: 'process',
    takenBy: 'every command',
    flag: '--fresh-modules',
    help: 'evaluate all modules in each execution, which is slower',
    meaning: 'evaluate all modules in each execution, also those whose state norn can put back',
    configured: true,
    default: 'no',
  },
  /** Latencies of the network, as the option of a property. Default: `local`. */
  network: {
    kind: kinds.network,
    scope: 'process',
    configured: '[latencies of the network](network.md#the-network)',
    inProperties: true,
    default: "`{ latency: 'local' }`",
  },
} as const satisfies OptionTable

type Options = typeof OPTIONS

/** The options that a configuration file may name. */
export type ConfiguredOptions = Named<Options, { readonly configured: unknown }>

/** What variables name. */
export type EnvironmentOptions = Named<Options, { readonly variable: string }>

/** Flags of `norn fuzz`. */
export type SearchFlags = Named<Options, { readonly flag: string }>

/** Flags of every command that runs code of the project. */
export type RunFlags = Named<Options, { readonly takenBy: 'every command' }>

/** What processes that run executions are started with. */
export type ProcessOptions = Named<Options, { readonly scope: 'process' }>

/** What each execution runs with; saved with its failure, and replayed with it. */
export type ExecutionOptions = Named<Options, { readonly scope: 'execution' }>

declare module '../contract/saved-failure.ts' {
  interface SavedFailure extends ExecutionOptions {}
}

/** What the search of a property runs with, but for its limits. */
export type PropertySearchOptions = Named<Options, { readonly scope: 'search' }>

/**
 * How long a property is searched, and from which seed. Flags and NORN_* variables come before
 * these, the configuration file after.
 *
 * @public
 */
export type SearchLimits = Named<Options, { readonly scope: 'limit' }>

/** The options of a scope after all levels. */
export type Scoped<Name extends Scope> = Chosen<Options, { readonly scope: Name }>

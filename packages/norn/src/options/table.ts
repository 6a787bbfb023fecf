/**
 * All options of searches, and of the processes that run executions. An option is a row here, and the
 * code that uses its value.
 */
import * as kinds from './kinds.ts'
import type { Chosen, Named, Option, Scope } from './option.ts'

/** What one execution may use of memory unless said otherwise, in MB. */
export const DEFAULT_MEMORY_MB = 1024

/** With less memory, norn itself does not start; more no machine has. */
const MEMORY_MB = [64, 1_000_000] as const

/** More than any machine has processors. */
const MAX_WORKERS = 256

export const DEFAULT_STRATEGY = 'portfolio'

export const OPTIONS = {
  /**
   * Real time of the search, in milliseconds. Default: unlimited if `runs` is set; else 30,000 for
   * all properties of a `norn fuzz` together, and 500 for each in a test runner.
   */
  timeMs: {
    kind: kinds.duration,
    scope: 'limit',
    takenBy: 'search',
    flag: '--time <duration>',
    variable: 'NORN_TIME',
    help: 'budget of the whole call, shared by its properties: 500ms, 30s, 5m; 30s by default without --runs',
    meaning: 'real time of the whole call, shared among the properties',
    default: '30s; unlimited if `--runs` is set',
    configured: {
      meaning: 'search time of each property; `--time` is the time of the whole call',
      default: '30 s a call, 500 ms a test; unlimited with `runs`',
    },
  },
  /** Executions, at most. Default: unlimited. */
  runs: {
    kind: kinds.count,
    scope: 'limit',
    takenBy: 'search',
    flag: '--runs <count>',
    variable: 'NORN_RUNS',
    help: 'maximum number of executions of each property',
    meaning: 'executions of each property, at most; shared among the workers',
    default: 'unlimited',
    configured: { meaning: 'executions of each property, at most' },
  },
  /** Seed of all chance, 32 bits. Default: random; 1 if the variable CI is set. */
  seed: {
    kind: kinds.seed,
    scope: 'limit',
    takenBy: 'search',
    flag: '--seed <number>',
    variable: 'NORN_SEED',
    help: 'seed of the search (32 bits); by default random, in CI 1',
    meaning: 'seed of all chance',
    default: 'random; 1 if `CI` is set',
    configured: {},
  },
  /**
   * What proposes choices where chance decides: `portfolio`, `natural`, `random`, `pct`, or
   * `pct:DEPTH`. Clusters have no `pct` and keep the portfolio. Default: `portfolio`.
   */
  strategy: {
    kind: kinds.strategy,
    scope: 'search',
    takenBy: 'search',
    flag: '--strategy <name>',
    help: `schedule strategy: portfolio, natural, random, pct or pct:DEPTH (clusters have no pct); ${DEFAULT_STRATEGY} by default`,
    meaning:
      '[who proposes](schedules-and-latency.md#strategies) where chance decides: `portfolio`, `natural`, `random`, `pct`, `pct:DEPTH`; no `pct` for clusters',
    default: `\`${DEFAULT_STRATEGY}\``,
    configured: {
      meaning: 'who proposes where chance decides; clusters ignore `pct` here',
      default: `\`'${DEFAULT_STRATEGY}'\``,
    },
  },
  /**
   * What guides the search: some of `edges,order,compare,trace,model`, or `all`, or `none`.
   * Default: `all`; `none` if a strategy is set.
   */
  guide: {
    kind: kinds.guide,
    scope: 'search',
    takenBy: 'search',
    flag: '--guide <what>',
    help: 'feedback that guides the search: a list of edges,order,compare,trace,model; or all; or none',
    meaning:
      '[what guides the search](how-it-works.md#the-guided-search): some of `edges,order,compare`, of clusters `edges,order,trace,model`; `all` or `none`',
    default: '`all`; `none` if `--strategy` is set',
    configured: { meaning: 'what guides the search, as text', default: "`'all'`; `'none'` with `strategy`" },
  },
  /** Packages to observe beside your own code. Default: none. */
  cover: {
    kind: kinds.names('an array of package names'),
    scope: 'search',
    takenBy: 'search',
    flag: '--cover <package>',
    help: 'also count the coverage of this package (may be repeated)',
    meaning: 'observe this package too, beside your own code; may be repeated',
    default: 'none',
    configured: { meaning: 'packages to observe; those of flags are added' },
    added: true,
    initial: [],
  },
  /** Processes that search, 1 to 256; `norn fuzz` only. Default: 1. */
  workers: {
    kind: kinds.integer(1, MAX_WORKERS),
    scope: 'call',
    takenBy: 'search',
    flag: '--workers <count>',
    help: 'number of search processes, which share one corpus; 1 by default',
    meaning: `processes that search, 1 to ${MAX_WORKERS}`,
    default: '1',
    configured: { meaning: 'processes that search; `norn fuzz` only' },
  },
  /**
   * Whether to use and extend `.norn/corpus/`; `norn fuzz` only. Default: true, but false if `runs`
   * is set and one worker searches.
   */
  corpus: {
    kind: kinds.toggle,
    scope: 'call',
    takenBy: 'search',
    flag: '--corpus',
    help: 'load and save the corpus in .norn/corpus; the default unless --runs is given',
    negated: 'neither load nor save the corpus',
    meaning: 'use and extend `.norn/corpus/`, or not',
    default: 'on; off with `--runs` and one worker',
    configured: {
      meaning: 'whether to use `.norn/corpus/`; `norn fuzz` only',
      default: 'on; off with `runs` and one worker',
    },
  },
  property: {
    kind: kinds.text,
    scope: 'call',
    takenBy: 'search',
    flag: '--property <text>',
    help: 'run only properties whose name contains this',
    meaning: 'only properties whose name contains this text',
    default: 'all',
  },
  /**
   * Modules that replace others, by module specifier; a path begins at the folder of the
   * configuration. Default: none.
   */
  alias: {
    kind: kinds.aliases,
    scope: 'call',
    takenBy: 'every command',
    flag: '--alias <from=to>',
    repeatedBy: 'search',
    help: 'replace a module by another (may be repeated)',
    meaning: 'replace a module by another; may be repeated',
    default: 'none',
    configured: {
      meaning:
        "modules by the modules they replace, `{ from: to }`; paths begin at the configuration's folder; flags are added",
    },
    initial: {},
  },
  /**
   * Addresses of this machine, such as `127.0.0.1:5432`, to which real sockets are let through (open
   * mode). Default: none.
   */
  open: {
    kind: kinds.names('an array of addresses HOST:PORT or paths of Unix sockets'),
    scope: 'call',
    takenBy: 'search',
    flag: '--open <address>',
    repeatedBy: 'search',
    help: 'let real sockets to HOST:PORT or to a Unix socket through, e.g. to a database; replays are then not exact (may be repeated)',
    meaning: '[let real sockets](open-mode.md) to HOST:PORT or to a Unix socket through; may be repeated',
    default: 'none',
    configured: {
      meaning: 'addresses of this machine that [real sockets](open-mode.md) may reach; a flag replaces them',
    },
    initial: [],
  },
  openAnywhere: {
    kind: kinds.toggle,
    scope: 'call',
    takenBy: 'search',
    flag: '--open-anywhere',
    repeatedBy: 'search',
    help: 'allow --open to name other machines',
    meaning: 'allow `--open` to name other machines',
    default: 'this machine only',
  },
  /** Processor time that one execution may take, in milliseconds. Default: 10,000. */
  hangMs: {
    kind: kinds.duration,
    scope: 'process',
    takenBy: 'every command',
    flag: '--hang <duration>',
    variable: 'NORN_HANG',
    help: 'processor time limit of one execution; 10s by default',
    meaning: 'processor time that one execution may take',
    default: '10s',
    configured: { default: '10,000' },
  },
  /** Memory that one execution may use, in MB. Default: 1024. */
  memoryMb: {
    kind: kinds.integer(...MEMORY_MB, 'MB'),
    scope: 'process',
    takenBy: 'every command',
    flag: '--memory <MB>',
    help: `memory limit of one execution; ${DEFAULT_MEMORY_MB} by default`,
    meaning: 'memory that one execution may use, MB',
    default: `${DEFAULT_MEMORY_MB}`,
    configured: {},
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
    help: 'load this native addon, by its package; it must do all its work before its functions return (may be repeated)',
    meaning: 'load this [native addon](what-is-controlled.md#not-controlled), by its package; may be repeated',
    default: 'none',
    configured: {
      meaning: '[native addons](what-is-controlled.md#not-controlled) that load, by package or path; flags are added',
    },
    added: true,
    initial: [],
  },
  untilFrames: {
    kind: kinds.optionalText,
    scope: 'call',
    takenBy: 'search',
    flag: '--until-frames [folder]',
    help: 'search until clusters reach their key frames, and those of this folder',
    meaning: 'of clusters: search until executions passed the [key frames](clusters.md#key-frames)',
  },
  conformance: {
    kind: kinds.toggle,
    scope: 'execution',
    takenBy: 'search',
    flag: '--conformance',
    repeatedBy: 'search',
    help: 'fail where a cluster diverges from its model',
    meaning:
      'fail where a cluster diverges from its [model](models.md#conformance): a disabled action, or a difference of the states',
    default: 'as each cluster says',
    initial: false,
  },
  keepGoing: {
    kind: kinds.toggle,
    scope: 'search',
    takenBy: 'search',
    flag: '--keep-going',
    help: 'continue after the first failure of a property',
    meaning: 'look for more failures of a property after the first',
    default: 'stop at the first',
    initial: false,
  },
  /** Whether saved failures run first. */
  saved: {
    kind: kinds.toggle,
    scope: 'search',
    takenBy: 'search',
    flag: '--no-saved',
    help: 'do not run saved failures first',
    meaning: 'skip the saved failures',
    default: 'try them first',
    initial: true,
  },
  shrink: {
    kind: kinds.toggle,
    scope: 'search',
    takenBy: 'search',
    flag: '--no-shrink',
    help: 'do not shrink failures',
    meaning: 'report failures as found',
    default: 'shrink',
    initial: true,
  },
  junit: {
    kind: kinds.text,
    scope: 'call',
    takenBy: 'search',
    flag: '--junit <file>',
    help: 'write the verdict of each property to this file, as JUnit XML',
    meaning: 'write the verdict of each property as [JUnit XML](ci.md#junit-xml-and-sarif)',
  },
  sarif: {
    kind: kinds.text,
    scope: 'call',
    takenBy: 'search',
    flag: '--sarif <file>',
    help: 'write failures and inconclusive properties to this file, as SARIF 2.1.0',
    meaning: 'write failures and inconclusive properties as [SARIF 2.1.0](ci.md#junit-xml-and-sarif)',
  },
  json: {
    kind: kinds.toggle,
    scope: 'call',
    takenBy: 'search',
    flag: '--json',
    help: 'print JSON lines',
    meaning: 'print [JSON lines](#json-lines)',
    default: 'text',
    initial: false,
  },
  execution: {
    kind: kinds.execution,
    scope: 'call',
    takenBy: 'fuzz',
    flag: '--execution <number>',
    help: 'run only the execution with this 64-bit number, as printed by norn',
    meaning: 'only the execution with this 64-bit number',
  },
  /** A file of bytes that encode one execution; `-` is stdin. */
  bytes: {
    kind: kinds.text,
    scope: 'call',
    takenBy: 'fuzz',
    flag: '--bytes <file>',
    help: 'run only the execution that the bytes of this file encode (for other fuzzers); - reads stdin',
    meaning:
      'only the [execution that these bytes make](replay-and-shrink.md#executions-of-other-fuzzers); `-` is stdin',
  },
  watch: {
    kind: kinds.toggle,
    scope: 'call',
    takenBy: 'fuzz',
    flag: '--watch',
    help: 'search again when a file changes',
    meaning: 'search again when a file below the working directory changes, the saved failures first; Ctrl-C ends',
    initial: false,
  },
  /**
   * Modules that run before each file of properties, in each execution; a path begins at the folder of
   * the configuration. Default: none.
   */
  setup: {
    kind: kinds.names('an array of paths'),
    scope: 'process',
    meaning:
      "modules that run before each file of properties, in each execution; paths begin at the configuration's folder",
    default: 'none',
    configured: {},
    initial: [],
  },
  /** Latencies of the network, as the option of a property. Default: `local`. */
  network: {
    kind: kinds.network,
    scope: 'process',
    meaning: '[latencies of the network](network.md#the-network)',
    default: "`{ latency: 'local' }`",
    configured: {},
    inProperties: true,
  },
} as const satisfies Readonly<Record<string, Option>>

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

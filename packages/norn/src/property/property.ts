/**
 * A property: a name, arbitraries for its inputs, and a body that must not fail for any input under
 * any schedule.
 *
 * Evaluating a property file declares its properties; `collectProperties` collects them.
 */
import type fc from 'fast-check'
import type { ClockKind } from '../contract/wall-clock.ts'
import type { NetworkOptions, SlowOperations } from '../options/latency-ranges.ts'
import type { SearchLimits } from '../options/table.ts'
import type { FaultBudgets } from '../world/loop/faults.ts'
import type { Hosts } from '../world/network/host-records.ts'
import type { Commands } from '../world/processes/commands.ts'
import { fullTitle, hasHooks, modeOf, type Suite, SuiteCollection, type Test, withHooks } from './suites.ts'

/**
 * fast-check arbitraries by the name of the input.
 *
 * @public
 */
export type Arbitraries<Inputs> = { readonly [Name in keyof Inputs]: fc.Arbitrary<Inputs[Name]> }

/**
 * The body of a property; its promise is awaited.
 *
 * @public
 */
export type Body<Inputs> = (inputs: Inputs) => unknown

/**
 * The options of a property.
 *
 * @public
 */
export interface PropertyOptions<Inputs = Record<string, unknown>> extends SearchLimits {
  /** Inputs that run before any generated one, each under several schedules. Default: none. */
  readonly examples?: readonly Inputs[]
  /** The largest delay of an operation, in milliseconds of virtual time. Default: 20. */
  readonly maxLatencyMs?: number
  /**
   * Steps of the event loop after which the execution fails as making no progress. Default: 20,000.
   */
  readonly maxSteps?: number
  /**
   * Virtual time after which the execution fails as making no progress, in milliseconds. Default:
   * one day.
   */
  readonly maxVirtualMs?: number
  /**
   * The largest number of injected faults in an execution, by kind: `{ fs: 2 }` allows two file
   * system faults (EIO, ENOSPC, EMFILE, EACCES, short reads and short writes, as on Linux). Of the
   * network: `refusals` (ECONNREFUSED, ETIMEDOUT), `resets` and `hangups` of connections, at any
   * byte; `datagrams` (lost, duplicated, overtaken); `lookups` (EAI_AGAIN). Of databases:
   * `databaseErrors`, `databaseRestarts`, `databaseFailovers`. Default: none.
   */
  readonly faults?: FaultBudgets
  /**
   * In which ways the clock varies: `['start']` starts the wall clock of some executions at other
   * instants, such as shortly before midnight, and between two milliseconds of timers; `'pauses'`
   * lets code take time between two reads of a clock; `'corrections'` sets the wall clock back.
   * Default: none; it starts at 2026-01-01T00:00:00Z.
   */
  readonly clock?: readonly ClockKind[]
  /**
   * Latencies of the network, for one way: `{ latency: 'mobile' }`, `{ latency: '5ms..50ms' }`, or
   * by host `{ hosts: { 'db.internal:5432': 'datacenter' } }`. Default: `local`, nothing but
   * delays of up to `maxLatencyMs`.
   */
  readonly network?: NetworkOptions
  /**
   * How long operations take: `{ 'GET /seats': '200ms..2s', 'lookup *': '1s..5s' }`. A pattern is a
   * kind of operation, a kind and a resource as reports show them, or the first line of an HTTP
   * message without its version; `*` stands for any text. Default: none.
   */
  readonly slow?: SlowOperations
  /**
   * Host names that `dns` knows, and with it every connection: `{ 'db.internal': '10.0.0.5' }`. The
   * value is an address, an array of addresses, or DNS records by type in the form in which
   * `dns.resolve` returns them. Default: `localhost` and the name of the machine only; other names
   * fail with ENOTFOUND.
   */
  readonly hosts?: Hosts
  /**
   * Stand-ins for programs that `child_process` runs, by name: `{ git: (args, stdin) => 'main' }`.
   * A stand-in returns the standard output, or `{ stdout, stderr, code, signal }`, or a promise; it
   * throws for exit code 1. `null` is a program that is not installed. Default: none; running a
   * program without a stand-in is inconclusive.
   */
  readonly commands?: Commands
  /**
   * Labels of `note`s that some execution must reach; otherwise the property is inconclusive.
   * Default: none.
   */
  readonly required?: readonly string[]
}

export interface Property {
  readonly name: string
  readonly inputs: Arbitraries<Record<string, unknown>>
  readonly body: Body<Record<string, unknown>>
  readonly options: PropertyOptions
  readonly mode: 'run' | 'skip' | 'only'
  /** The framework's test behind it. */
  readonly test?: Test
  /** Set if it was declared by asserting a property of fast-check, which then has the examples. */
  readonly asserted?: true
  /** Set if it simulates a cluster: its schedule consists of named steps. */
  readonly kind?: 'cluster'
  /** Set if its executions are followed in a model. */
  readonly hasModel?: true
}

/** The declarations of one evaluation of a file. */
export interface Collection {
  readonly properties: Property[]
  /** The suite around each property. */
  readonly around: Suite[]
  readonly suites: SuiteCollection
  /** Properties asserted outside of any test. */
  asserted: number
  /** Whether an earlier evaluation of the same file checked the declarations. */
  readonly isChecked: boolean
}

let collecting: Collection | undefined
let evaluations = 0

/** Counts the evaluations in this process: identifies the current set of fresh modules. */
export function evaluation(): number {
  return evaluations
}

/** The collection of the current evaluation; undefined while a body runs. */
export function currentCollection(): Collection | undefined {
  return collecting
}

/**
 * Whether declarations must be checked: each evaluation of a file declares the same, and checking
 * takes as long as the rest of a small execution's load.
 */
export function mustCheck(): boolean {
  return collecting?.isChecked !== true
}

/**
 * Begins collecting declarations. `finish` returns the properties declared since, then the tests of
 * frameworks; await `settled` before it, in case a suite declares its tests asynchronously.
 *
 * @param isChecked whether an earlier evaluation of the same file checked them
 * @param keepsPlaces whether to keep where each test is declared
 */
export function collectProperties(
  isChecked = false,
  keepsPlaces = false,
): {
  settled(file: string): Promise<unknown> | undefined
  finish(): readonly Property[]
} {
  const mine: Collection = {
    properties: [],
    around: [],
    suites: new SuiteCollection(keepsPlaces),
    asserted: 0,
    isChecked,
  }
  collecting = mine
  evaluations++
  return {
    settled: (file) => mine.suites.settled(file),
    finish() {
      if (collecting === mine) collecting = undefined
      const declared = mine.properties.map((each, index) => inSuite(each, mine.around[index]!))
      return [...declared, ...mine.suites.tests.map(asProperty)]
    },
  }
}

function asProperty(test: Test): Property {
  const mode = modeOf(test)
  return {
    name: test.name,
    inputs: {},
    body: () => withHooks(test.suite, test.body),
    options: {},
    mode: mode === 'todo' ? 'skip' : mode,
    test,
  }
}

/** A property with the hooks and the mode of the suites around it. */
function inSuite(property: Property, suite: Suite): Property {
  // The usual case in property files, on the path of every execution.
  const hooked = hasHooks(suite)
  if (suite.parent === undefined && !hooked) return property
  const mode = modeOf({ mode: property.mode, suite })
  const { body } = property
  return {
    ...property,
    mode: mode === 'todo' ? 'skip' : mode,
    body: hooked ? (inputs) => withHooks(suite, () => body(inputs)) : body,
  }
}

export function declare(declared: Property): void {
  if (collecting === undefined) {
    const form = declared.kind ?? 'fuzz'
    throw new Error(
      `${form}('${declared.name}') was called outside a property file. Run the file with \`npx norn fuzz FILE\`, or import ${form} from 'norn/vitest' or 'norn/node-test' in a test file`,
    )
  }
  const { properties, around, suites } = collecting
  const property = { ...declared, name: fullTitle(suites.current, declared.name) }
  if (properties.some((other) => other.name === property.name)) {
    throw new Error(`duplicate property name: '${property.name}'. Choose a name that is unique in its file`)
  }
  properties.push(property)
  around.push(suites.current)
}

/**
 * `fast-check` as a property file imports it: fast-check itself, except for the functions that run
 * properties.
 *
 * - `assert` runs its property once, with values from the tape (see `assertion.ts`). At the top
 *   level of a file it declares
 *   a property instead.
 * - `check`, `sample` and `statistics` run as in fast-check; their seed is a choice of the tape, so
 *   that they replay.
 * - `scheduler` draws its picks from the schedule lane (see `scheduler.ts`).
 * - Global configuration is reset when the modules are evaluated again.
 */
import fc from 'fast-check'
import { activeExecution } from '../current.ts'
import { countFilters } from '../input/filters.ts'
import { currentCollection, declare, evaluation } from '../property.ts'
import { fullTitle } from '../suites.ts'
import { type AssertParameters, type Plugin, type RunnableProperty, runOnce, withParts } from './assertion.ts'
import { tapedScheduler } from './scheduler.ts'

type Parameters_ = AssertParameters & fc.Parameters<unknown>

/** Global plugins, and the evaluation that installed them. */
let installed: Plugin[] = []
let seen = 0

/** Resets the global configuration once in each evaluation. */
function renew(): void {
  if (seen === evaluation()) return
  seen = evaluation()
  installed = []
  fc.resetConfigureGlobal()
}

/** The parameters of a call, with the global ones as defaults. */
function withGlobals(parameters: Parameters_ | undefined): Parameters_ {
  return { ...(fc.readConfigureGlobal() as Parameters_), ...parameters }
}

export function assert(property: RunnableProperty, parameters?: Parameters_): unknown {
  renew()
  if (typeof property?.generate !== 'function' || typeof property.run !== 'function') {
    throw new TypeError('fc.assert(property): property must be made by fc.property or fc.asyncProperty')
  }
  const given = withGlobals(parameters)
  const plugins = installed
  const collection = currentCollection()
  if (activeExecution() !== undefined || collection === undefined) return runOnce(property, given, plugins)
  // Named by number, not by line: a saved failure must find it after the file was edited.
  const ordinal = ++collection.asserted
  declare({
    name: fullTitle(collection.suites.current, ordinal === 1 ? 'fc.assert' : `fc.assert ${ordinal}`),
    inputs: {},
    body: () => runOnce(property, given, plugins),
    options: { examples: (given.examples ?? []).map(() => ({})) },
    mode: 'run',
    test: { excluded: undefined, text: '' },
    asserted: true,
  })
  return property.isAsync() ? Promise.resolve() : undefined
}

/**
 * The seed of a function with a random source of its own: a choice of the tape in a body, otherwise
 * 0.
 */
function seedFor(caller: string): number {
  return activeExecution()?.seed(`seed of ${caller}`) ?? 0
}

function seeded<Rest extends unknown[]>(caller: string, parameters: unknown, call: (full: Parameters_) => Rest): Rest {
  renew()
  const given = typeof parameters === 'number' ? { numRuns: parameters } : (parameters as Parameters_ | undefined)
  const full = withGlobals(given)
  return call({ ...full, seed: full.seed ?? seedFor(caller) })
}

function check(property: never, parameters?: Parameters_): unknown {
  const [details] = seeded('fc.check', parameters, (full) => {
    activeExecution()?.assert(0)
    const plugins = [...installed, ...(full.plugins ?? [])]
    const given = (installed.length > 0 ? { ...full, plugins } : full) as fc.Parameters<unknown>
    return [fc.check(property, given) as unknown]
  })
  return details
}

const sample = (generator: never, parameters?: unknown): unknown[] =>
  seeded('fc.sample', parameters, (full) => fc.sample(generator, full as never))

function statistics(generator: never, classify: never, parameters?: unknown): void {
  seeded('fc.statistics', parameters, (full) => {
    fc.statistics(generator, classify, full as never)
    return []
  })
}

type Making = (...args: unknown[]) => object

const replaced = {
  assert,
  check,
  sample,
  statistics,
  scheduler: tapedScheduler,
  // Not needed: norn replays commands from the tape.
  commands: (commands: never, constraints: object = {}) =>
    fc.commands(commands, { ...constraints, disableReplayLog: true }),
  property: (...args: unknown[]) => {
    renew()
    return withParts((fc.property as unknown as Making)(...args), args)
  },
  asyncProperty: (...args: unknown[]) => {
    renew()
    return withParts((fc.asyncProperty as unknown as Making)(...args), args)
  },
  configureGlobal: (parameters: never) => {
    renew()
    fc.configureGlobal(parameters)
  },
  readConfigureGlobal: () => {
    renew()
    return fc.readConfigureGlobal()
  },
  resetConfigureGlobal: () => {
    renew()
    fc.resetConfigureGlobal()
  },
  installGlobalPlugin: (plugin: Plugin) => {
    renew()
    installed.push(plugin)
  },
}

/** The exports that replace `fast-check`; made once in a process, before any file is evaluated. */
export function fastCheckModule(): Record<string, unknown> {
  countFilters()
  const { default: _, ...exports } = { ...fc, ...replaced } as Record<string, unknown>
  return { ...exports, default: exports }
}

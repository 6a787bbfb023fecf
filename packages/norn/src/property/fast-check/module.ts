/**
 * `fast-check` as a file under norn gets it: fast-check itself, but for what runs properties.
 *
 * - `assert` runs its property once, with values from the tape (see `assertion.ts`). Outside of any test, while the file is
 *   evaluated, it declares a property instead, and the file goes on as though it had passed.
 * - `check`, whose caller looks at the outcome, runs as it does in fast-check; so do `sample` and `statistics`. Their seed is
 *   a choice of the tape, for they have no other source of chance that a replay could follow.
 * - `scheduler` draws its picks from the schedule lane (see `scheduler.ts`).
 * - What is configured for all properties holds until the modules are evaluated anew.
 */
import fc from 'fast-check'
import { activeExecution } from '../current.ts'
import { countFilters } from '../input/filters.ts'
import { currentCollection, declare, evaluation } from '../property.ts'
import { fullTitle } from '../suites.ts'
import { type AssertParameters, type Plugin, type RunnableProperty, runOnce, withParts } from './assertion.ts'
import { tapedScheduler } from './scheduler.ts'

type Parameters_ = AssertParameters & fc.Parameters<unknown>

/** Plugins installed for all properties, and the evaluation of the file that installed them. */
let installed: Plugin[] = []
let seen = 0

/** A file evaluated anew has configured nothing yet. */
function renew(): void {
  if (seen === evaluation()) return
  seen = evaluation()
  installed = []
  fc.resetConfigureGlobal()
}

/** The parameters of a call over those configured for all. */
function withGlobals(parameters: Parameters_ | undefined): Parameters_ {
  return { ...(fc.readConfigureGlobal() as Parameters_), ...parameters }
}

export function assert(property: RunnableProperty, parameters?: Parameters_): unknown {
  renew()
  if (typeof property?.generate !== 'function' || typeof property.run !== 'function') {
    throw new TypeError('fc.assert(property): expected a property, as fc.property or fc.asyncProperty make them')
  }
  const given = withGlobals(parameters)
  const plugins = installed
  const collection = currentCollection()
  if (activeExecution() !== undefined || collection === undefined) return runOnce(property, given, plugins)
  // Numbered, not placed by line: a saved failure has to find it after the file was edited.
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

/** A seed for what draws random numbers of its own: a choice of the tape in a body, else always the same. */
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
  // Its log of what was run is for a replay that norn does from the tape.
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

/** The exports of `fast-check` in their place; made once in a process, before any file is evaluated. */
export function fastCheckModule(): Record<string, unknown> {
  countFilters()
  const { default: _, ...exports } = { ...fc, ...replaced } as Record<string, unknown>
  return { ...exports, default: exports }
}

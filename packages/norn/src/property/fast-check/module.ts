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
 *
 * Invariant: each copy of fast-check (see `copies.ts`) has one replacement in a process.
 */
import own from 'fast-check'
import { activeExecution } from '../current.ts'
import { countFilters } from '../input/filters.ts'
import { markClasses } from '../input/spans.ts'
import { currentCollection, declare, evaluation } from '../property.ts'
import { fullTitle } from '../suites.ts'
import { type AssertParameters, type Plugin, type RunnableProperty, runOnce, withParts } from './assertion.ts'
import { addCopy, type FastCheck } from './copies.ts'
import { tapedScheduler } from './scheduler.ts'

type Parameters_ = AssertParameters & Parameters<FastCheck['assert']>[1]

type Making = (...args: unknown[]) => object

/** What a property file imports; `default` holds the same exports. */
export type FastCheckModule = FastCheck & { readonly default: FastCheck }

const modules = new Map<FastCheck, FastCheckModule>()

/** The exports that replace a copy of fast-check. */
export function fastCheckModule(copy: FastCheck = own): FastCheckModule {
  let made = modules.get(copy)
  if (made === undefined) {
    if (addCopy(copy)) markClasses(copy)
    countFilters(copy)
    // What a version lacks, it lacks here, too.
    const replaced = Object.entries(replacements(copy)).filter(([name]) => name in copy)
    const { default: _, ...exports } = { ...copy, ...Object.fromEntries(replaced) } as FastCheckModule
    made = { ...exports, default: exports } as unknown as FastCheckModule
    modules.set(copy, made)
  }
  return made
}

function replacements(copy: FastCheck) {
  /** Global plugins, and the evaluation that installed them. */
  let installed: Plugin[] = []
  let seen = 0

  /** Resets the global configuration once in each evaluation. */
  const renew = (): void => {
    if (seen === evaluation()) return
    seen = evaluation()
    installed = []
    copy.resetConfigureGlobal()
  }

  /** The parameters of a call, with the global ones as defaults. */
  const withGlobals = (parameters: Parameters_ | undefined): Parameters_ => ({
    ...(copy.readConfigureGlobal() as Parameters_),
    ...parameters,
  })

  const seeded = <Result>(caller: string, parameters: unknown, call: (full: Parameters_) => Result): Result => {
    renew()
    const given = typeof parameters === 'number' ? { numRuns: parameters } : (parameters as Parameters_ | undefined)
    const full = withGlobals(given)
    return call({ ...full, seed: full.seed ?? seedFor(caller) })
  }

  return {
    assert(property: RunnableProperty, parameters?: Parameters_): unknown {
      renew()
      if (typeof property?.generate !== 'function' || typeof property.run !== 'function') {
        throw new TypeError('fc.assert(property): property must be made by fc.property or fc.asyncProperty')
      }
      return assertOrDeclare(property, withGlobals(parameters), installed)
    },
    check: (property: never, parameters?: Parameters_) =>
      seeded('fc.check', parameters, (full) => {
        activeExecution()?.assert(0)
        const plugins = [...installed, ...(full.plugins ?? [])]
        return copy.check(property, (installed.length > 0 ? { ...full, plugins } : full) as never) as unknown
      }),
    sample: (generator: never, parameters?: unknown) =>
      seeded('fc.sample', parameters, (full) => copy.sample(generator, full as never)),
    statistics: (generator: never, classify: never, parameters?: unknown) =>
      seeded('fc.statistics', parameters, (full) => copy.statistics(generator, classify, full as never)),
    scheduler: tapedScheduler(copy),
    // Not needed: norn replays commands from the tape.
    commands: (commands: never, constraints: object = {}) =>
      copy.commands(commands, { ...constraints, disableReplayLog: true }),
    property: (...args: unknown[]) => {
      renew()
      return withParts(copy.property as unknown as Making, args)
    },
    asyncProperty: (...args: unknown[]) => {
      renew()
      return withParts(copy.asyncProperty as unknown as Making, args)
    },
    configureGlobal: (parameters: never) => {
      renew()
      copy.configureGlobal(parameters)
    },
    readConfigureGlobal: () => {
      renew()
      return copy.readConfigureGlobal()
    },
    resetConfigureGlobal: () => {
      renew()
      copy.resetConfigureGlobal()
    },
    installGlobalPlugin: (plugin: Plugin) => {
      renew()
      installed.push(plugin)
    },
  }
}

/** Runs a property, or declares it where no body runs. */
function assertOrDeclare(property: RunnableProperty, given: Parameters_, plugins: readonly Plugin[]): unknown {
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

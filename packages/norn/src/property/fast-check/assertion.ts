/**
 * `fc.assert` in an execution: runs the property's predicate once, with values from the tape.
 *
 * The campaign repeats the whole test around it, with other values. A test may assert several
 * properties; each draws values of its own.
 *
 * The parameters `examples` and `plugins` have their meaning in fast-check; those for fast-check's
 * search and report (`numRuns`, `seed`, `path`, `verbose`, `reporter`, time limits) are ignored.
 * Errors of a predicate are thrown unchanged, without fast-check's report. Follows the runner of
 * fast-check 4.10; properties of fast-check 2 run their hooks themselves, and keep only the text of an
 * error.
 */
import { types } from 'node:util'
import type fc from 'fast-check'
import { type CurrentExecution, currentExecution } from '../current.ts'
import { isThenable, whenDone } from '../suites.ts'
import { isPreconditionFailure } from './copies.ts'
import { parameterNames } from './parameters.ts'

/** A property as fast-check's runner sees it. */
export interface RunnableProperty {
  isAsync(): boolean
  generate(random: fc.Random, runId?: number): fc.Value<unknown>
  /** @param withoutHooks of fast-check 3, which else runs them here, too */
  run(value: unknown, withoutHooks?: boolean): unknown
  runBeforeEach?(): unknown
  runAfterEach?(): unknown
}

export interface AssertParameters {
  readonly examples?: readonly unknown[]
  readonly plugins?: readonly Plugin[]
}

export type Plugin = (index: number, store: Map<unknown, unknown>) => PluginInstance

interface PluginInstance {
  readonly decorateGenerate?: (generate: Generate) => Generate
  readonly decorateRun?: (run: Run) => Run
  readonly onAllRunsComplete?: (details: object) => unknown
  readonly afterAll?: () => unknown
}

type Generate = (random: fc.Random, runId?: number) => fc.Value<unknown>
type Run = (value: unknown) => unknown

/** The parts of a property, so that each of its values is generated, named and saved by itself. */
interface Parts {
  readonly names: readonly string[]
  readonly arbitraries: readonly fc.Arbitrary<unknown>[]
  /** Thrown when the predicate returns false; its stack shows where the property was made. */
  readonly returnedFalse: Error
  readonly outcome: Outcome
}

/** How the latest run of a predicate ended. */
interface Outcome {
  threw?: { readonly error: unknown } | undefined
  returned?: unknown
}

const partsOf = new WeakMap<object, Parts>()

type Making = (...args: unknown[]) => object

/**
 * Makes a property and records its parts.
 *
 * @param make `fc.property` or `fc.asyncProperty`
 * @param args `(...arbitraries, predicate)`
 */
export function withParts(make: Making, args: readonly unknown[]): object {
  const predicate = args.at(-1)
  if (typeof predicate !== 'function') return make(...args) // Throws fast-check's error.
  const arbitraries = args.slice(0, -1) as fc.Arbitrary<unknown>[]
  const outcome: Outcome = {}
  const property = make(...arbitraries, watched(predicate, outcome))
  const names = parameterNames(predicate, arbitraries.length)
  partsOf.set(property, { names, arbitraries, returnedFalse: falseError(), outcome })
  return property
}

/** The predicate; notes how it ends. */
function watched(predicate: Function, outcome: Outcome): Function {
  const threw = (error: unknown) => {
    outcome.threw = { error }
  }
  const returned = (value: unknown) => {
    outcome.returned = value
  }
  return function (this: unknown, ...values: unknown[]): unknown {
    outcome.threw = outcome.returned = undefined
    try {
      const given: unknown = predicate.apply(this, values)
      returned(given)
      if (types.isPromise(given)) given.then(returned, threw)
      return given
    } catch (error) {
      threw(error)
      throw error
    }
  }
}

const MESSAGE = 'the property returned false'

/** An error with the caller's stack. */
export function falseError(): Error {
  const error = new Error(MESSAGE)
  Error.captureStackTrace(error, falseError)
  return error
}

/**
 * Names the values of a property that `withParts` made.
 *
 * @param named the names, or a function with parameters of these names
 */
export function withNames<Property extends object>(
  property: Property,
  named: readonly string[] | Function,
  returnedFalse: Error,
): Property {
  const parts = partsOf.get(property)!
  const names = typeof named === 'function' ? parameterNames(named, parts.arbitraries.length) : named
  partsOf.set(property, { ...parts, names, returnedFalse })
  return property
}

/**
 * Runs a property once.
 *
 * @returns undefined, or a promise if the property is asynchronous; throws or rejects with the
 *   failure
 */
export function runOnce(property: RunnableProperty, parameters: AssertParameters, plugins: readonly Plugin[]): unknown {
  const execution = currentExecution('fc.assert')
  const parts = partsOf.get(property)
  const store = new Map<unknown, unknown>()
  const active = [...plugins, ...(parameters.plugins ?? [])].map((plugin, index) => plugin(index, store))
  let generate: Generate | undefined
  let run: Run = (value) =>
    whenDone(property.runBeforeEach?.(), () =>
      whenDone(property.run(value, true), (out) => whenDone(property.runAfterEach?.(), () => out)),
    )
  for (const { decorateGenerate, decorateRun } of active.toReversed()) {
    if (decorateGenerate !== undefined) {
      generate = decorateGenerate(generate ?? ((random, runId) => property.generate(random, runId)))
    }
    if (decorateRun !== undefined) run = decorateRun(run)
  }
  const value = valueFor(execution, property, generate, parameters.examples)
  const failure = whenDone(run(value), (out) => judged(out, execution, parts))
  const end = (failure: unknown) => {
    for (const { onAllRunsComplete } of active) onAllRunsComplete?.(detailsOf(value, failure))
    for (const { afterAll } of active.toReversed()) afterAll?.()
    if (failure !== undefined) throw (failure as { error: unknown }).error
  }
  if (property.isAsync()) return Promise.resolve(failure).then(end)
  if (isThenable(failure)) return failure.then(end)
  end(failure)
}

/** The failure in the result of a run: null, a failed precondition, or an error. */
function judged(
  result: unknown,
  execution: CurrentExecution,
  parts: Parts | undefined,
): { error: unknown } | undefined {
  if (result === null || result === undefined) return undefined
  if (isPreconditionFailure(result)) {
    execution.discard()
    return undefined
  }
  const { threw, returned } = parts?.outcome ?? {}
  if (threw !== undefined) return threw
  if (returned !== undefined && returned !== true) return { error: parts!.returnedFalse }
  // Not of the predicate, but of a hook, a plugin, or a class of the project.
  return typeof result === 'string' ? { error: new Error(result) } : { error: (result as { error: unknown }).error }
}

/** The details that fast-check would give of a single run. */
function detailsOf(value: unknown, failure: unknown): object {
  const failed = failure !== undefined
  const error = failed ? (failure as { error: unknown }).error : null
  return {
    failed,
    interrupted: false,
    numRuns: 1,
    numSkips: 0,
    numShrinks: 0,
    seed: 0,
    counterexample: failed ? value : null,
    counterexamplePath: failed ? '0' : null,
    errorInstance: error,
    failures: failed ? [value] : [],
    executionSummary: [],
    verbose: 0,
    runConfiguration: {},
  }
}

function valueFor(
  execution: CurrentExecution,
  property: RunnableProperty,
  generate: Generate | undefined,
  examples: AssertParameters['examples'],
): unknown {
  const example = examples !== undefined && execution.example !== undefined ? examples[execution.example] : undefined
  const ordinal = execution.assert(examples?.length ?? 0)
  const named = (name: string) => (ordinal === 1 ? name : `${name} (${ordinal})`)
  const parts = generate === undefined ? partsOf.get(property) : undefined
  if (parts === undefined) {
    const whole = { generate: (random: fc.Random) => (generate ?? property.generate.bind(property))(random) }
    return execution.generate(whole, named('value'), example === undefined ? undefined : { value: example })
  }
  return parts.arbitraries.map((arbitrary, index) =>
    execution.generate(
      arbitrary,
      named(parts.names[index]!),
      Array.isArray(example) && index < example.length ? { value: example[index] as unknown } : undefined,
    ),
  )
}

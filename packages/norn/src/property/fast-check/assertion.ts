/**
 * `fc.assert` in an execution: runs the property's predicate once, with values from the tape.
 *
 * The campaign repeats the whole test around it, with other values. A test may assert several
 * properties; each draws values of its own.
 *
 * The parameters `examples` and `plugins` have their meaning in fast-check; those for fast-check's
 * search and report (`numRuns`, `seed`, `path`, `verbose`, `reporter`, time limits) are ignored.
 * Errors of a predicate are thrown unchanged, without fast-check's report. Follows the runner of
 * fast-check 4.10.
 */
import fc from 'fast-check'
import { type CurrentExecution, currentExecution } from '../current.ts'
import { isThenable, whenDone } from '../suites.ts'
import { parameterNames } from './parameters.ts'

/** A property as fast-check's runner sees it. */
export interface RunnableProperty {
  isAsync(): boolean
  generate(random: fc.Random, runId?: number): fc.Value<unknown>
  run(value: unknown): unknown
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
}

const partsOf = new WeakMap<object, Parts>()

/** Records the parts of a property: the arguments of `fc.property(...arbitraries, predicate)`. */
export function withParts<Property extends object>(property: Property, args: readonly unknown[]): Property {
  const arbitraries = args.slice(0, -1) as fc.Arbitrary<unknown>[]
  return withNames(property, arbitraries, args.at(-1) as Function, falseError())
}

const MESSAGE = 'the property returned false'

/** An error with the caller's stack. */
export function falseError(): Error {
  const error = new Error(MESSAGE)
  Error.captureStackTrace(error, falseError)
  return error
}

/** @param named the names of the values, or a function with parameters of these names */
export function withNames<Property extends object>(
  property: Property,
  arbitraries: readonly fc.Arbitrary<unknown>[],
  named: readonly string[] | Function,
  returnedFalse: Error,
): Property {
  const names = typeof named === 'function' ? parameterNames(named, arbitraries.length) : named
  partsOf.set(property, { names, arbitraries, returnedFalse })
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
  const returnedFalse = partsOf.get(property)?.returnedFalse ?? falseError()
  const store = new Map<unknown, unknown>()
  const active = [...plugins, ...(parameters.plugins ?? [])].map((plugin, index) => plugin(index, store))
  let generate: Generate | undefined
  let run: Run = (value) =>
    whenDone(property.runBeforeEach?.(), () =>
      whenDone(property.run(value), (out) => whenDone(property.runAfterEach?.(), () => out)),
    )
  for (const { decorateGenerate, decorateRun } of active.toReversed()) {
    if (decorateGenerate !== undefined) {
      generate = decorateGenerate(generate ?? ((random, runId) => property.generate(random, runId)))
    }
    if (decorateRun !== undefined) run = decorateRun(run)
  }
  const value = valueFor(execution, property, generate, parameters.examples)
  const failure = whenDone(run(value), (out) => judged(out, execution, returnedFalse))
  const end = (failure: unknown) => {
    for (const { onAllRunsComplete } of active) onAllRunsComplete?.(detailsOf(value, failure))
    for (const { afterAll } of active.toReversed()) afterAll?.()
    if (failure !== undefined) throw (failure as { error: unknown }).error
  }
  if (property.isAsync()) return Promise.resolve(failure).then(end)
  if (isThenable(failure)) return failure.then(end)
  end(failure)
}

/** The failure in the outcome of a run: null, a failed precondition, or an error. */
function judged(out: unknown, execution: CurrentExecution, returnedFalse: Error): { error: unknown } | undefined {
  if (out === null || out === undefined) return undefined
  if (fc.PreconditionFailure.isFailure(out as Error)) {
    execution.discard()
    return undefined
  }
  const { error } = out as { error: unknown }
  return { error: isReturnedFalse(error) ? returnedFalse : error }
}

/**
 * Whether an error is fast-check's own, for a predicate that returned something other than true or
 * undefined. Fast-check makes a plain Error: nothing but the message distinguishes it.
 */
function isReturnedFalse(error: unknown): boolean {
  return error instanceof Error && error.message === 'Property failed by returning false'
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

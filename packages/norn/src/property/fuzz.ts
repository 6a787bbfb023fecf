/**
 * The public API of property files: `fuzz` declares properties; the other functions are called
 * inside a body.
 */
import fc from 'fast-check'
import { checkOptions } from './check-options.ts'
import { currentExecution } from './current.ts'
import { type RunnableProperty, runOnce } from './fast-check/assertion.ts'
import { type Arbitraries, type Body, declare, mustCheck, type Property, type PropertyOptions } from './property.ts'

/**
 * A property made by `fc.property` or `fc.asyncProperty`.
 *
 * @public
 */
export type FastCheckProperty<Values> = fc.IRawProperty<Values, boolean>

/**
 * Declares an existing fast-check property: its arbitraries, its predicate, its hooks.
 *
 * @public
 */
export interface FuzzProperty {
  /**
   * @param name unique in its file
   * @param property made by `fc.property` or `fc.asyncProperty`; fails if its predicate throws,
   *   rejects or returns false
   * @param options as for `fuzz`; an example is a tuple of the predicate's arguments
   * @throws TypeError or RangeError for an invalid argument; Error for a name that is already
   *   declared
   */
  <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>): void
  /** Declares a property that is not run. */
  skip: <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>) => void
  /** Declares a property such that the file runs only properties declared with `only`. */
  only: <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>) => void
}

/**
 * The type of `fuzz`.
 *
 * @public
 */
export interface Fuzz {
  /**
   * Declares a property.
   *
   * @param name unique in its file; appears in reports and in the name of a saved failure
   * @param inputs fast-check arbitraries by name; `{}` if only the schedule matters
   * @param body called with one value for each name. It fails if it throws, rejects, causes an
   *   uncaught error, or never
   *   settles
   * @param options examples, bounds, faults; see `PropertyOptions`
   * @throws TypeError or RangeError for an invalid argument; Error for a name that is already
   *   declared
   */
  <Inputs>(name: string, inputs: Arbitraries<Inputs>, body: Body<Inputs>, options?: PropertyOptions<Inputs>): void
  /** Declares a property that is not run. */
  skip: <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options?: PropertyOptions<Inputs>,
  ) => void
  /** Declares a property such that the file runs only properties declared with `only`. */
  only: <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options?: PropertyOptions<Inputs>,
  ) => void
  /** Declares an existing fast-check property. */
  property: FuzzProperty
}

function declarer(mode: Property['mode']) {
  return <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options: PropertyOptions<Inputs> = {},
  ): void => {
    if (mustCheck()) checkDeclaration(name, inputs, body, options)
    declare({ name, inputs, body, options, mode } as unknown as Property)
  }
}

/** @throws TypeError or RangeError for an invalid argument of `fuzz` */
function checkDeclaration(name: unknown, inputs: unknown, body: unknown, options: unknown): void {
  if (typeof name !== 'string' || name === '')
    throw new TypeError('fuzz(name, inputs, body): name must be a non-empty string')
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs) || isArbitrary(inputs)) {
    const what = 'an object of arbitraries by name, as in { list: fc.array(fc.nat()) }, or {} for none'
    throw new TypeError(`fuzz('${name}', inputs, body): inputs must be ${what}`)
  }
  for (const [key, arbitrary] of Object.entries(inputs)) {
    if (!isArbitrary(arbitrary)) {
      throw new TypeError(`fuzz('${name}'): input '${key}' is not a fast-check arbitrary`)
    }
  }
  if (typeof body !== 'function') throw new TypeError(`fuzz('${name}', inputs, body): body must be a function`)
  checkOptions(name, options)
}

function isArbitrary(value: unknown): boolean {
  return typeof (value as fc.Arbitrary<unknown> | undefined)?.generate === 'function'
}

function propertyDeclarer(mode: Property['mode']) {
  return <Values>(name: string, property: FastCheckProperty<Values>, options: PropertyOptions<Values> = {}): void => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz.property(name, property): name must be a non-empty string')
    if (typeof property?.generate !== 'function' || typeof property.run !== 'function') {
      throw new TypeError(
        `fuzz.property('${name}', property): property must be made by fc.property or fc.asyncProperty`,
      )
    }
    if (mustCheck()) checkOptions(name, options)
    const body = () => runOnce(property as RunnableProperty, { examples: options.examples ?? [] }, [])
    declare({ name, inputs: {}, body, options: options as PropertyOptions, mode, asserted: true })
  }
}

/**
 * Declares a property: a body that must not fail for any input under any schedule.
 *
 * @public
 */
export const fuzz: Fuzz = Object.assign(declarer('run'), {
  skip: declarer('skip'),
  only: declarer('only'),
  property: Object.assign(propertyDeclarer('run'), {
    skip: propertyDeclarer('skip'),
    only: propertyDeclarer('only'),
  }),
})

/**
 * Draws a value inside a body, for inputs that depend on what happened so far.
 *
 * @public
 * @param label names the draw in reports; the same label may be drawn again
 * @throws Error outside the body of a property
 */
export function draw<Value>(arbitrary: fc.Arbitrary<Value>, label: string): Value {
  return currentExecution('draw').draw(arbitrary, label)
}

/**
 * Whether the tape has run out: every further draw returns the simplest value, so a loop of draws
 * should end.
 *
 * @public
 * @throws Error outside the body of a property
 */
export function outOfEntropy(): boolean {
  return currentExecution('outOfEntropy').outOfEntropy()
}

/**
 * Marks a place in the body. Reaching it for the first time counts as a discovery, and the summary
 * lists the notes that were reached. With the option `required` a note is a "sometimes" assertion:
 * if no execution reaches it, the property is inconclusive.
 *
 * @public
 * @param label names the place, a non-empty string; at most 1000 labels in an execution
 * @throws TypeError or RangeError for an invalid label; Error outside the body of a property
 */
export function note(label: string): void {
  currentExecution('note').note(label)
}

/**
 * Gives the search a number to maximise: it mutates the executions with the largest values.
 *
 * @public
 * @param value any number but NaN; the largest value of an execution counts
 * @param label names the number, a non-empty string; at most 1000 labels in an execution
 * @throws TypeError or RangeError for an invalid argument; Error outside the body of a property
 */
export function target(value: number, label: string): void {
  currentExecution('target').target(value, label)
}

/**
 * Runs a part of a body, such as its set-up or its final check, without injected faults (option
 * `faults`). While the action runs, no operation of the execution meets a fault, not even one of
 * another task.
 *
 * @public
 * @returns the result of `action`; if that is a promise, faults resume when it settles
 * @throws Error outside the body of a property, and whatever `action` throws
 */
export function withoutFaults<Result>(action: () => Result): Result {
  const end = currentExecution('withoutFaults').suspendFaults()
  let result: Result
  try {
    result = action()
  } catch (error) {
    end()
    throw error
  }
  if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function')
    return endWhenSettled(result, end) as Result
  end()
  return result
}

async function endWhenSettled(result: unknown, end: () => void): Promise<unknown> {
  try {
    return await result
  } finally {
    end()
  }
}

export { fc }

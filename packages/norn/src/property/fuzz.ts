/**
 * What a file of properties imports: `fuzz`, and what a body may ask while it runs.
 */
import fc from 'fast-check'
import { currentExecution } from './current.ts'
import { type RunnableProperty, runOnce } from './fast-check/assertion.ts'
import { checkFaults } from './fault-options.ts'
import { type Arbitraries, type Body, declare, type Property, type PropertyOptions } from './property.ts'

/** A property of fast-check: what `fc.property` and `fc.asyncProperty` make. */
export type FastCheckProperty<Values> = fc.IRawProperty<Values, boolean>

/** Declares a property of fast-check as it is: its arbitraries, its predicate, its hooks. */
interface FuzzProperty {
  /**
   * @param name unique in its file
   * @param property as `fc.property` or `fc.asyncProperty` made it. It fails by what its predicate throws, or by false
   * @param options as for `fuzz`; an example is a tuple of the values that the predicate is called with
   */
  <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>): void
  /** The same, not run. */
  skip: <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>) => void
  /** The same; of its file only properties declared so are run. */
  only: <Values>(name: string, property: FastCheckProperty<Values>, options?: PropertyOptions<Values>) => void
}

export interface Fuzz {
  /**
   * Declares a property.
   *
   * @param name unique in its file; stands in reports and in the name of a saved failure
   * @param inputs fast-check arbitraries by name; `{}` if only the schedule matters
   * @param body called with one value for each name. It fails by throwing, by rejecting, by an error that nobody
   *   catches, or by never settling
   */
  <Inputs>(name: string, inputs: Arbitraries<Inputs>, body: Body<Inputs>, options?: PropertyOptions<Inputs>): void
  /** The same, not run. */
  skip: <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options?: PropertyOptions<Inputs>,
  ) => void
  /** The same; of its file only properties declared so are run. */
  only: <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options?: PropertyOptions<Inputs>,
  ) => void
  /** A property written for fast-check, unchanged. */
  property: FuzzProperty
}

function declarer(mode: Property['mode']) {
  return <Inputs>(
    name: string,
    inputs: Arbitraries<Inputs>,
    body: Body<Inputs>,
    options: PropertyOptions<Inputs> = {},
  ): void => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz(name, inputs, body): the name must be a text that is not empty')
    if (typeof inputs !== 'object' || inputs === null) {
      throw new TypeError(
        `fuzz('${name}', inputs, body): inputs must be an object of arbitraries; {} if there are none`,
      )
    }
    for (const [key, arbitrary] of Object.entries(inputs)) {
      if (typeof (arbitrary as fc.Arbitrary<unknown>)?.generate !== 'function') {
        throw new TypeError(`fuzz('${name}'): the input '${key}' is no fast-check arbitrary`)
      }
    }
    if (typeof body !== 'function') throw new TypeError(`fuzz('${name}', inputs, body): the body must be a function`)
    checkFaults(name, options.faults)
    declare({ name, inputs, body, options, mode } as unknown as Property)
  }
}

function propertyDeclarer(mode: Property['mode']) {
  return <Values>(name: string, property: FastCheckProperty<Values>, options: PropertyOptions<Values> = {}): void => {
    if (typeof name !== 'string' || name === '')
      throw new TypeError('fuzz.property(name, property): the name must be a text that is not empty')
    if (typeof property?.generate !== 'function' || typeof property.run !== 'function') {
      throw new TypeError(`fuzz.property('${name}', property): expected what fc.property or fc.asyncProperty gives`)
    }
    checkFaults(name, options.faults)
    const body = () => runOnce(property as RunnableProperty, { examples: options.examples ?? [] }, [])
    const test = { excluded: undefined, text: '' }
    declare({ name, inputs: {}, body, options: options as PropertyOptions, mode, test, asserted: true })
  }
}

export const fuzz: Fuzz = Object.assign(declarer('run'), {
  skip: declarer('skip'),
  only: declarer('only'),
  property: Object.assign(propertyDeclarer('run'), {
    skip: propertyDeclarer('skip'),
    only: propertyDeclarer('only'),
  }),
})

/**
 * Draws a value inside a body: for interactive runs, where what comes next depends on what happened.
 *
 * @param label names the draw; the same label may be drawn again
 */
export function draw<Value>(arbitrary: fc.Arbitrary<Value>, label: string): Value {
  return currentExecution('draw').draw(arbitrary, label)
}

/** Whether the tape has run out: from here on every draw gives the simplest value, and a loop of draws should end. */
export function outOfEntropy(): boolean {
  return currentExecution('outOfEntropy').outOfEntropy()
}

/**
 * Marks a place of the body that is to be reached sometimes: reaching it for the first time counts as a discovery, and
 * which marks were reached is told in the end. One that is named in the option `required` and never reached leaves the
 * property undecided.
 *
 * @param label names the place
 */
export function note(label: string): void {
  currentExecution('note').note(label)
}

/**
 * Gives the search a number to make large: executions with a larger one are built on.
 *
 * @param label names the number; of several values in one execution the largest counts
 */
export function target(value: number, label: string): void {
  currentExecution('target').target(value, label)
}

/**
 * Runs a part of a body in which nothing is to fail: what it sets up, and what it checks in the end. As long as the
 * action runs, no operation of the execution meets an injected fault (option `faults`), not even one of other tasks.
 *
 * @param action its value, or what its promise settles to, is given back
 */
export function withoutFaults<Result>(action: () => Result): Result {
  const end = currentExecution('withoutFaults').calm()
  let result: Result
  try {
    result = action()
  } catch (error) {
    end()
    throw error
  }
  if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') return endsWith(result, end) as Result
  end()
  return result
}

async function endsWith(result: unknown, end: () => void): Promise<unknown> {
  try {
    return await result
  } finally {
    end()
  }
}

export { fc }

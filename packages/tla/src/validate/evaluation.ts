/** Evaluation in the states of a trace's frontier. Evaluations do not affect each other. */
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { DataError } from '../follow/from-data.ts'
import { printValue } from '../values/print.ts'
import type { Tuple, Value } from '../values/value.ts'
import type { Expression } from './expression.ts'

/** The values of the variables. */
export type Values = Pick<Tuple, 'elements'>

/** Makes a state the machine's current one. */
export function enter({ current }: Machine, { elements }: Values): void {
  for (let at = 0; at < elements.length; at++) current[at] = elements[at]!
}

/**
 * Runs `run` from a state. An evaluation error ends the run, but is not thrown.
 *
 * @param failed called with the error and its location; without it the location, which is slow to
 *   find, is not determined
 */
export function attempt(machine: Machine, state: Values, run: () => void, failed?: (error: TlaError) => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof TlaError) || error.kind !== 'evaluation') throw error
    if (failed === undefined) return
    enter(machine, state)
    failed(machine.locate(error, run))
  }
}

/**
 * The conditions that parameters fail in a state, or in the step to `next` if that is given.
 * @throws TlaError, DataError
 */
export function unmetConditions(
  machine: Machine,
  state: Values,
  where: readonly Expression[],
  parameters: readonly Value[],
  next?: Values,
): readonly Expression[] {
  return where.filter((condition) => {
    enter(machine, state)
    if (next !== undefined) {
      for (let at = 0; at < next.elements.length; at++) machine.primed[at] = next.elements[at]!
    }
    const value = condition.evaluate(parameters)
    if (typeof value === 'boolean') return !value
    throw new DataError(`\`where\`: ${condition.text} is ${printValue(value)}, but must be a boolean`)
  })
}

/**
 * Inputs in structured form, so that a failure replays after its arbitraries have changed: the values themselves, by
 * name, and what the body drew, in order.
 *
 * Written by `devalue`: plain data with cycles, dates, maps, sets, bigints, typed arrays and the numbers JSON lacks.
 * What it cannot write (functions, instances of classes) makes the input unsaved; the tape then has to do.
 */
import { parse, stringify } from 'devalue'
import type { SavedInput } from '../../contract/plan.ts'

export interface LiveInput {
  readonly values: Record<string, unknown>
  /** What the body drew, in order; `argument` if it is one that a property asserted in the body was called with. */
  readonly draws: readonly { readonly label: string; readonly value: unknown; readonly argument?: boolean }[]
}

/** The serial form of an input; undefined if some value has none. */
export function saveInput(input: LiveInput): SavedInput | undefined {
  try {
    const draws = input.draws.map(({ label, value }) => ({ label, value: stringify(value) }))
    return { values: stringify(input.values), draws }
  } catch {
    return undefined
  }
}

/** Rebuilds an input; throws an `Error` that says what is wrong with the saved form. */
export function loadInput(saved: SavedInput): LiveInput {
  try {
    const values: unknown = parse(saved.values)
    if (typeof values !== 'object' || values === null) throw new Error('it is not an object')
    const draws = saved.draws.map(({ label, value }) => ({ label, value: parse(value) as unknown }))
    return { values: values as Record<string, unknown>, draws }
  } catch (error) {
    throw new Error(`the saved input cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * The stored form of inputs: the values themselves, so that a failure replays after its arbitraries
 * have changed.
 *
 * Encoded by `devalue`: plain data with cycles, dates, maps, sets, bigints, typed arrays and the
 * numbers that JSON lacks. An input with anything else (functions, instances of classes) is not
 * stored; a replay then generates it from the tape.
 */
import { parse, stringify } from 'devalue'
import type { FromExample, SavedInput } from '../../contract/plan.ts'

export interface LiveInput extends FromExample {
  readonly values: Record<string, unknown>
  /**
   * The draws of the body, in order; `argument` marks the arguments of a property asserted in the
   * body.
   */
  readonly draws: readonly LiveDraw[]
}

interface LiveDraw extends FromExample {
  readonly label: string
  readonly value: unknown
  readonly argument?: boolean
}

/** The stored form of an input; undefined if a value has none. */
export function saveInput(input: LiveInput): SavedInput | undefined {
  try {
    const draws = input.draws.map((draw) => ({ label: draw.label, value: stringify(draw.value), ...markOf(draw) }))
    return { values: stringify(input.values), draws, ...markOf(input) }
  } catch {
    return undefined
  }
}

/** Restores an input; throws an `Error` if the stored form is malformed. */
export function loadInput(saved: SavedInput): LiveInput {
  try {
    const values: unknown = parse(saved.values)
    if (typeof values !== 'object' || values === null) throw new Error('not an object')
    const draws = saved.draws.map((draw) => ({ ...draw, value: parse(draw.value) as unknown }))
    return { values: values as Record<string, unknown>, draws, ...markOf(saved) }
  } catch (error) {
    throw new Error(`malformed saved input: ${(error as Error).message}`, { cause: error })
  }
}

export function markOf({ example }: FromExample): FromExample {
  return example === undefined ? {} : { example }
}

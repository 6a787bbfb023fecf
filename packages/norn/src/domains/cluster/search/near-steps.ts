/**
 * Schedules near a recorded list of steps: where changed code sends one message more or fewer, the
 * same steps fit a little later or earlier.
 *
 * In this order: all steps from one on are shifted together; single steps are moved; single steps are
 * replaced by the default step or deleted.
 */
import { type Choices, UNBOUNDED } from '../../../contract/choices.ts'
import { stepsOf, withSteps } from './step-list.ts'

/** Distances by which steps are moved, in the order of attempts. */
const MOVES = [1, -1, 2, -2, 3, -3, 5, -5]
/** The number of steps that are moved: the first ones. */
const MAX_MOVED = 12

export function nearSteps(recorded: Choices): Choices[] {
  const steps = stepsOf(recorded)
  const places = steps.flatMap((value, place) => (value === 0 ? [] : [place])).slice(0, MAX_MOVED)
  const without = (place: number) => steps.toSpliced(place, 1)
  const variants = [
    ...MOVES.flatMap((by) => places.flatMap((place) => shifted(steps, place, by))),
    ...MOVES.flatMap((by) =>
      places
        .filter((place) => place + by >= 0)
        .map((place) => {
          const rest = without(place)
          while (rest.length < place + by) rest.push(0)
          return rest.toSpliced(place + by, 0, steps[place]!)
        }),
    ),
    ...places.flatMap((place) => [steps.with(place, 0), without(place)]),
  ]
  return variants.map((variant) => ({ ...withSteps(recorded, variant), length: UNBOUNDED }))
}

/** Shifts all steps from a place on; empty if they would overwrite steps before them. */
function shifted(steps: readonly number[], from: number, by: number): (readonly number[])[] {
  if (by > 0) return [steps.toSpliced(from, 0, ...new Array<number>(by).fill(0))]
  const before = steps.slice(Math.max(0, from + by), from)
  return before.length === -by && before.every((value) => value === 0) ? [steps.toSpliced(from + by, -by)] : []
}

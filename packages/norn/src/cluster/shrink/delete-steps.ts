/**
 * Pass: deletes steps of a cluster's schedule, those after them moving up: long runs first, then
 * shorter ones, then single ones (delta debugging). Natural steps go like others: what they did is
 * then done by the natural steps that follow.
 *
 * What is left may be needed only to make time for something: so each single step gives way to
 * several natural ones, and pairs, which may hold each other (a crash and its restart, a request
 * and its loss), go together.
 */

import { deleteRuns } from '../../shrink/delete-runs.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'
import { NATURAL } from '../steps.ts'

/** How many natural steps take the place of one. */
const MANY = [2, 3, 4, 6, 9]
/** Of more steps than these that are not natural no pairs are tried: there are too many. */
const MAX_PAIRED = 16

export async function deleteSteps(shrinker: Shrinker): Promise<void> {
  await deleteStepRuns(shrinker)
  for (const at of placesOf(shrinker)) {
    for (const count of MANY) if (await tries(shrinker, (steps) => steps.toSpliced(at, 1, ...zeros(count)))) break
  }
  if (placesOf(shrinker).length <= MAX_PAIRED) await deletePairs(shrinker)
}

async function deleteStepRuns(shrinker: Shrinker): Promise<void> {
  const deleting = deleteRuns(stepsOf(shrinker.choices), NATURAL)
  let next = deleting.next()
  while (!next.done && !shrinker.exhausted) {
    const isAccepted = await shrinker.accepts(withSteps(shrinker.choices, next.value))
    next = deleting.next(isAccepted ? stepsOf(shrinker.choices) : undefined)
  }
}

async function deletePairs(shrinker: Shrinker): Promise<void> {
  for (let second = placesOf(shrinker).length - 1; second > 0; second--) {
    for (let first = second - 1; first >= 0 && !shrinker.exhausted; first--) {
      const places = placesOf(shrinker)
      const [a, b] = [places[first], places[second]]
      if (a === undefined || b === undefined) continue
      for (const [one, other] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const without = (steps: readonly number[]) =>
          steps.toSpliced(b, 1, ...zeros(other)).toSpliced(a, 1, ...zeros(one))
        if (await tries(shrinker, without)) break
      }
    }
  }
}

/** Where steps stand that are not natural, the last first. */
function placesOf(shrinker: Shrinker): number[] {
  return stepsOf(shrinker.choices)
    .flatMap((value, ordinal) => (value === 0 ? [] : [ordinal]))
    .reverse()
}

function tries(shrinker: Shrinker, change: (steps: readonly number[]) => readonly number[]): Promise<boolean> {
  const { choices } = shrinker
  return shrinker.accepts(withSteps(choices, change(stepsOf(choices))))
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0)
}

/**
 * Pass: deletes steps of a cluster's schedule, shifting later ones: long runs first, then shorter
 * ones, then single steps (delta debugging). Default steps are deleted like others; later default
 * steps then do the same.
 *
 * A step may matter only because it takes time, so single steps are also replaced by several default
 * steps. Pairs that need each other (a crash and its restart) are deleted together.
 */

import { NATURAL } from '../../../cluster/steps.ts'
import { deleteRuns } from '../../../shrink/delete-runs.ts'
import type { Shrinker } from '../../../shrink/shrinker.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'

/** The numbers of default steps that replace one step. */
const REPLACEMENTS = [2, 3, 4, 6, 9]
/** Replacements and pairs are tried only up to this number of steps that are not default steps. */
const MAX_PAIRED = 8

export async function deleteSteps(shrinker: Shrinker): Promise<void> {
  await deleteStepRuns(shrinker)
  if (placesOf(shrinker).length > MAX_PAIRED) return
  for (const at of placesOf(shrinker)) {
    for (const count of REPLACEMENTS)
      if (await tries(shrinker, (steps) => steps.toSpliced(at, 1, ...zeros(count)))) break
  }
  await deletePairs(shrinker)
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

/** The indices of the steps that are not default steps, last first. */
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

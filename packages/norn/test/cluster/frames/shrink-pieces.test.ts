import { expect, test } from 'vitest'
import { piecesOf } from '../../../src/cluster/frames/frame-search.ts'
import { MAX_TRIES, type Pieces, shrinkPieces } from '../../../src/cluster/frames/shrink-pieces.ts'

/** Drives the shrinker; `reach` says at which steps the frames of a schedule are reached. */
function shrink(pieces: Pieces, reach: (steps: readonly number[]) => number[]): { small: Pieces; tries: number } {
  const shrinking = shrinkPieces(pieces)
  let [next, tries] = [shrinking.next(), 0]
  while (!next.done) {
    tries++
    const drawn = next.value
    next = shrinking.next({ at: reach(drawn), drawn })
  }
  return { small: next.value, tries }
}

/** Frames that are reached by steps, each behind the one before. */
const inOrder = (code: readonly number[]) => (steps: readonly number[]) => {
  const at: number[] = []
  for (const [ordinal, step] of steps.entries()) if (step === code[at.length]) at.push(ordinal)
  return at
}

test('of each piece stays the step that its frame needs', () => {
  const pieces = [
    [0, 7, 3, 1],
    [9, 9, 2],
    [0, 0, 4, 3],
  ]
  expect(shrink(pieces, inOrder([1, 2, 3])).small).toEqual([[1], [2], [3]])
})

test('where a step has to be there, but may be any, it becomes natural', () => {
  const fourSteps = (steps: readonly number[]) => (steps.length >= 4 ? [3] : [])
  expect(shrink([[5, 6, 7, 8]], fourSteps).small).toEqual([[0, 0, 0, 0]])
})

test('a step that a later piece needs stays in the earlier one', () => {
  const key = (steps: readonly number[]) => {
    const first = steps.indexOf(1)
    const second = steps.indexOf(2, first + 1)
    if (first < 0) return []
    return second < 0 || !steps.slice(0, first).includes(5) ? [first] : [first, second]
  }
  expect(
    shrink(
      [
        [4, 5, 6, 1],
        [3, 2],
      ],
      key,
    ).small,
  ).toEqual([[5, 1], [2]])
})

test('what is as small as it gets stays, and empty pieces have nothing to lose', () => {
  expect(shrink([[], [1]], (steps) => (steps[0] === 1 ? [-1, 0] : [-1])).small).toEqual([[], [1]])
})

test('it ends, however many steps there are', () => {
  const all = Array.from({ length: 3_000 }, (_, at) => at + 1)
  const exactly = (steps: readonly number[]) => (steps.length === all.length ? [all.length - 1] : [])
  expect(shrink([all], exactly).tries).toBeLessThanOrEqual(MAX_TRIES)
})

test('cutting and joining change nothing', () => {
  const steps = [4, 0, 1, 2]
  expect(piecesOf(steps, [1, 3]).flat()).toEqual(steps)
})

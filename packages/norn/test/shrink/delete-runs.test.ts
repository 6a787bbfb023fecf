/** Delta debugging of lists, driven by predicates on the list. */
import { expect, test } from 'vitest'
import { deleteRuns, minimiseList } from '../../src/shrink/delete-runs.ts'

type Passes = (items: readonly number[]) => boolean

/** Drives a shrinking of numbers, of which 0 is the simplest; `tried` has all candidates. */
function drive(shrinking: ReturnType<typeof deleteRuns<number>>, passes: Passes) {
  const tried: (readonly number[])[] = []
  let next = shrinking.next()
  while (!next.done) {
    tried.push(next.value)
    next = shrinking.next(passes(next.value) ? next.value : undefined)
  }
  return { items: next.value, tried }
}

const minimise = (items: readonly number[], passes: Passes, max = 400) => drive(minimiseList(items, 0, max), passes)

/** Whether the items have a code as a subsequence. */
const inOrder = (code: readonly number[]) => (items: readonly number[]) => {
  let at = 0
  for (const item of items) if (item === code[at]) at++
  return at === code.length
}

test('one pass tries long runs first, deleted and then simplified', () => {
  expect(drive(deleteRuns([5, 6], 0), () => false)).toEqual({
    items: [5, 6],
    tried: [[], [0, 0], [5], [5, 0], [6], [0, 6]],
  })
})

test('only the items that are needed stay', () => {
  expect(minimise([0, 7, 3, 1, 9, 9, 2, 0, 0, 4, 3], inOrder([1, 2, 3])).items).toEqual([1, 2, 3])
})

test('an item that is needed for its place alone becomes the simplest one', () => {
  expect(minimise([5, 6, 7, 8], (items) => items.length >= 4 && items[3] === 8).items).toEqual([0, 0, 0, 8])
})

test('simplest items at the end are implied', () => {
  expect(minimise([5, 0, 0], (items) => items[0] === 5)).toEqual({ items: [5], tried: [[]] })
  expect(minimise([0, 0], () => true)).toEqual({ items: [], tried: [] })
})

test('no candidate is tried twice, and passes go on until one accepts nothing', () => {
  // 4 goes only once 1 is gone, which stands before it.
  const { items, tried } = minimise([1, 2, 4, 3], (list) => list.includes(3) && (list.includes(4) || !list.includes(1)))
  expect(items).toEqual([3])
  expect(new Set(tried.map(String)).size).toBe(tried.length)
})

test('it goes on from the list that an accepted candidate led to', () => {
  const shrinking = minimiseList([1, 2, 3], 0, 400)
  expect(shrinking.next().value).toEqual([])
  expect(shrinking.next([9, 3]).value).toEqual([9])
})

test('it ends at its bound, however long the list', () => {
  const all = Array.from({ length: 3_000 }, (_, at) => at + 1)
  expect(minimise(all, (items) => items.length === all.length && !items.includes(0)).tried.length).toBe(400)
})

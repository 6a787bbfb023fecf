import { expect, test } from 'vitest'
import { Subsets } from '../../src/library/natives/k-subsets.ts'
import { Arena } from '../../src/values/arena.ts'
import { printValue } from '../../src/values/print.ts'

function subsets(size: number, count: number): string[] {
  const arena = new Arena()
  return [...new Subsets(arena, arena.interval(1, size), count).elements()].map(printValue)
}

test('subsets of one size come by their last elements, as from TLC', () => {
  expect(subsets(4, 2)).toEqual(['{1, 2}', '{1, 3}', '{2, 3}', '{1, 4}', '{2, 4}', '{3, 4}'])
  expect(subsets(3, 3)).toEqual(['{1, 2, 3}'])
  expect(subsets(3, 0)).toEqual(['{}'])
  expect(subsets(6, 3)).toHaveLength(20)
})

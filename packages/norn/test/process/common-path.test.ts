import { expect, test } from 'vitest'
import type { Frame } from '../../src/contract/execution.ts'
import { commonPath } from '../../src/process/common-path.ts'

const frame = (functionName: string, line: number): Frame => ({ file: 'a.ts', line, column: 1, functionName })
const body = frame('', 9)
const loop = (line: number) => frame('loop', line)

test('where a program is busy: down to the innermost function that all stacks are in, at its most frequent place', () => {
  const stacks = [
    [frame('read', 1), loop(5), body],
    [loop(6), body],
    [frame('write', 3), loop(5), body],
  ]
  expect(commonPath(stacks)).toEqual([loop(5), body])
})

test('of a recursion: as many of its calls as all stacks have', () => {
  const stacks = [2, 3, 4].map((depth) => [...Array.from({ length: depth }, () => frame('visit', 4)), body])
  expect(commonPath(stacks)).toEqual([frame('visit', 4), frame('visit', 4), body])
})

test('nothing is said where stacks are of code that is not the program', () => {
  expect(commonPath([])).toEqual([])
  expect(commonPath([[], []])).toEqual([])
  expect(commonPath([[loop(5), body], []])).toEqual([loop(5), body])
})

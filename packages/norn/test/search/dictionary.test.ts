import { expect, test } from 'vitest'
import { Dictionary, type Word } from '../../src/search/dictionary.ts'
import { number } from './observation.ts'

/** A dictionary that has seen one product of some choices. */
function learnt(...words: (readonly [values: readonly number[], word: Word, max?: number])[]): Dictionary {
  const dictionary = new Dictionary()
  for (const [values, value, max] of words) {
    dictionary.learn(
      values.map((each) => number(each, max)),
      [{ start: 0, end: values.length, value }],
    )
  }
  return dictionary
}

const valuesOf = (choices: ReturnType<Dictionary['spell']>) => choices?.map(({ value }) => value)

test('what made a word once makes it again, where choices of the same ranges stand', () => {
  const dictionary = learnt([[3, 4], 'ab'], [[5, 6], 'cd'])
  expect(valuesOf(dictionary.spell('cd', [number(0), number(9)]))).toEqual([5, 6])
  expect(dictionary.spell('cd', [number(0)])).toBeUndefined()
  expect(dictionary.spell('cd', [number(0), number(0, 99)])).toBeUndefined()
  expect(dictionary.spell('xy', [number(0), number(0)])).toBeUndefined()
})

test('words of two types are two words', () => {
  const dictionary = learnt([[1], 1], [[2], '1'], [[3], 1n])
  expect([1, '1', 1n].map((word) => valuesOf(dictionary.spell(word, [number(0)])))).toEqual([[1], [2], [3]])
})

test('the first spelling stays', () => {
  expect(valuesOf(learnt([[1], 'a'], [[2], 'a']).spell('a', [number(0)]))).toEqual([1])
})

test('words of many choices are not learnt, nor words without end', () => {
  const long = Array.from({ length: 100 }, (_, at) => at)
  expect(
    learnt([long, 'long']).spell(
      'long',
      long.map((at) => number(at)),
    ),
  ).toBeUndefined()
  const dictionary = learnt(...Array.from({ length: 20_000 }, (_, at) => [[at % 1000], `${at}`] as const))
  expect(dictionary.spell('0', [number(0)])).toBeDefined()
  expect(dictionary.spell('19999', [number(0)])).toBeUndefined()
})

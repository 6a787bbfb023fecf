/** The names under which a report shows what a predicate was called with. */
import { expect, it } from 'vitest'
import { parameterNames } from '../../../src/property/fast-check/parameters.ts'

const object = {
  method(first: number, second: number) {
    return first + second
  },
}

it.each<[string, Function, string[]]>([
  ['an arrow function', (text: string, count: number) => text.repeat(count), ['text', 'count']],
  ['one without brackets', new Function('return async text => text')() as Function, ['text']],
  [
    'a function',
    function named(a: number, b = 2) {
      return a + b
    },
    ['a', 'b'],
  ],
  ['a method', object.method, ['first', 'second']],
])('%s has those it declares', (_, called, names) => {
  expect(parameterNames(called, names.length)).toEqual(names)
})

it('what is taken apart, missing or unreadable is named by its place', () => {
  expect(parameterNames(({ a }: { a: number }, b: number) => a + b, 3)).toEqual(['value 1', 'b', 'value 3'])
  expect(parameterNames(Math.max, 2)).toEqual(['value 1', 'value 2'])
  expect(parameterNames(() => {}, 1)).toEqual(['value'])
})

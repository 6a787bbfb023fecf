import { expect, test } from 'vitest'
import { firstDifference } from '../../src/model/difference.ts'

test.each([
  [1, 1],
  [
    { a: 1, b: [2, { c: 3 }] },
    { b: [2, { c: 3 }], a: 1 },
  ],
  [{ a: undefined }, {}],
  [{}, { a: undefined }],
])('%j and %j are equal', (left, right) => expect(firstDifference(left, right)).toBeUndefined())

test.each([
  [1, 2, '', 1, 2],
  [{ votes: { b: [1, 2] } }, { votes: { b: [1, 3] } }, '.votes.b[1]', 2, 3],
  [{ a: [1] }, { a: [1, 2] }, '.a[1]', undefined, 2],
  [{ a: [1, undefined] }, { a: [1] }, '.a.length', 2, 1],
  [{ a: 1 }, {}, '.a', 1, undefined],
  [{}, { a: 1 }, '.a', undefined, 1],
  [{ a: [] }, { a: {} }, '.a', [], {}],
  [{ a: null }, { a: {} }, '.a', null, {}],
])('%j and %j differ', (one, other, path, left, right) => {
  expect(firstDifference(one, other)).toEqual({ path, left, right })
})

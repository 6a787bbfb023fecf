import { expect, test } from 'vitest'
import { maelstromEnd, maelstromInput } from '../../src/index.ts'

test.each([
  [
    { type: 'read', key: 1 },
    { f: 'read', key: 1 },
  ],
  [
    { type: 'write', key: 1, value: 3 },
    { f: 'write', key: 1, value: 3 },
  ],
  [
    { type: 'cas', key: 1, from: 3, to: 4 },
    { f: 'cas', key: 1, from: 3, to: 4 },
  ],
  [
    { type: 'add', element: 5 },
    { f: 'add', value: 5 },
  ],
  [
    { type: 'add', delta: -2 },
    { f: 'add', value: -2 },
  ],
  [
    { type: 'broadcast', message: 7 },
    { f: 'add', value: 7 },
  ],
  [{ type: 'txn', txn: [['append', 1, 2]] }, [['append', 1, 2]]],
])('the request %j is the operation %j', (body, input) => {
  expect(maelstromInput(body)).toEqual(input)
})

test.each([
  [
    { type: 'read_ok', value: 3 },
    { outcome: 'ok', output: 3 },
  ],
  [
    { type: 'read_ok', messages: [1] },
    { outcome: 'ok', output: [1] },
  ],
  [
    { type: 'txn_ok', txn: [['r', 1, [2]]] },
    { outcome: 'ok', output: [['r', 1, [2]]] },
  ],
  [{ type: 'write_ok' }, { outcome: 'ok', output: undefined }],
])('the reply %j is %j', (body, end) => {
  expect(maelstromEnd(body)).toEqual(end)
})

test('an error says that nothing happened only if it is definite', () => {
  const outcomes = (codes: readonly unknown[]) => codes.map((code) => maelstromEnd({ type: 'error', code }).outcome)
  expect(new Set(outcomes([1, 10, 11, 12, 14, 20, 21, 22, 30]))).toEqual(new Set(['fail']))
  // Timeout, crash, and those of the user's own.
  expect(new Set(outcomes([0, 13, 1000, undefined]))).toEqual(new Set(['unknown']))
})

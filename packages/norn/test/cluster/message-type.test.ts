/** What counts as the type of a message. */
import { expect, test } from 'vitest'
import { messageType } from '../../src/cluster/message-type.ts'

test('a type that the message names, however it names it', () => {
  expect(messageType({ type: 'Vote', term: 1 })).toBe('Vote')
  expect(messageType({ kind: 'Vote', type: 7 })).toBe('Vote')
  expect(messageType(['Vote', 1])).toBe('Vote')
  expect(messageType('vote-request')).toBe('vote-request')
})

test('else the shape, which varies less than the data', () => {
  expect(messageType({ term: 1, vote: true })).toBe('{term, vote}')
  expect(messageType({})).toBe('{}')
  expect([1, true, null, undefined, [1], [], 'value 17'].map(messageType)).toEqual([
    'number',
    'boolean',
    'nothing',
    'nothing',
    '[…]',
    '[…]',
    'text',
  ])
})

test('it is bounded, whatever is sent', () => {
  expect(messageType({ type: 'x'.repeat(1000) })).toHaveLength(60)
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]))
  expect(messageType(wide)).toBe('{f0, f1, f2, f3, f4, f5, f6, f7, …}')
})

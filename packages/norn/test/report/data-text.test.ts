/** Plain data on little room. */
import { expect, test } from 'vitest'
import { cut } from '../../src/contract/text.ts'
import { dataText } from '../../src/report/data-text.ts'

const text = (data: unknown) => dataText(data, 60)

test('what names its type is told by it, then by its fields', () => {
  expect(text({ type: 'Append', term: 3, entries: [{ key: 'x' }] })).toBe('Append term=3 entries=[{key: x}]')
  expect(text({ kind: 'Ping' })).toBe('Ping')
  expect(text({ term: 1, granted: true })).toBe('term=1 granted=true')
})

test('texts that could be something else stand in quotes', () => {
  expect(text({ a: 'x', b: '1', c: 'null', d: 'two words', e: '' })).toBe("a=x b='1' c='null' d='two words' e=''")
})

test('plain values, lists and nothing', () => {
  expect([1, 'go', null, undefined, [1, 'a'], {}, []].map(text)).toEqual([
    '1',
    'go',
    'null',
    'undefined',
    '[1, a]',
    '{}',
    '[]',
  ])
})

test('what lies deep or far back is left out, however much it is', () => {
  expect(text([[[[[1]]]]])).toBe('[[[[…]]]]')
  expect(text(Array.from({ length: 100_000 }, (_, index) => index))).toBe('[0, 1, 2, 3, 4, 5, … 99994 more]')
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]))
  expect(text(wide)).toBe('f0=0 f1=1 f2=2 f3=3 f4=4 f5=5 …=14 more')
  expect(text('x'.repeat(1000))).toHaveLength(40)
})

test('it fits its room, and cannot move the cursor', () => {
  expect(dataText({ type: 'Append', term: 3 }, 10)).toBe('Append te…')
  expect(text('\u001b[2J\n')).toBe("'\\u001b[2J\\n'")
  expect([cut('abc', 3), cut('abcd', 3), cut('abc', 1), cut('abc', 0)]).toEqual(['abc', 'ab…', '…', ''])
})

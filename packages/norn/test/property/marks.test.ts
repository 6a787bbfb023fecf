/** `note` and `target`: what they count, and what they refuse. */
import { describe, expect, test } from 'vitest'
import { MarkCollection } from '../../src/property/marks.ts'

test('notes are counted, of a target the largest value stands', () => {
  const marks = new MarkCollection()
  for (let n = 0; n < 3; n++) marks.note('here')
  for (const value of [-5, -2, -9]) marks.target(value, 'depth')
  marks.target(Number.POSITIVE_INFINITY, 'height')
  expect([...marks.notes]).toEqual([['here', 3]])
  expect([...marks.targets]).toEqual([
    ['depth', -2],
    ['height', Number.POSITIVE_INFINITY],
  ])
})

test('one that was never used has none', () => {
  expect([new MarkCollection().notes.size, new MarkCollection().targets.size]).toEqual([0, 0])
})

describe('refused', () => {
  test.each(['', undefined, 7, null])('a label that is %j', (label) => {
    const marks = new MarkCollection()
    expect(() => marks.note(label as string)).toThrow(new TypeError('note: label must be a non-empty string'))
    expect(() => marks.target(1, label as string)).toThrow(TypeError)
    expect([marks.notes.size, marks.targets.size]).toEqual([0, 0])
  })

  test.each([Number.NaN, '3', undefined, 3n])('the value %s of a target, by its label', (value) => {
    const marks = new MarkCollection()
    expect(() => marks.target(value as number, 'depth')).toThrow(/target\(value, 'depth'\): value must be a number/)
    expect(marks.targets.size).toBe(0)
  })

  test('labels without end: a label names a place, not a value', () => {
    const marks = new MarkCollection()
    for (let at = 0; at < 1000; at++) marks.note(`note ${at}`)
    expect(() => marks.note('one more')).toThrow(
      /note\('one more'\): more than 1000 labels in an execution. Use a label for a place/,
    )
    marks.note('note 7')
    expect(marks.notes.get('note 7')).toBe(2)
    marks.target(1, 'of the other kind')
  })
})

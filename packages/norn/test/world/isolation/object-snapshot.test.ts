import { afterEach, expect, test } from 'vitest'
import { type AnyObject, changesOf, describe, restoreProperties } from '../../../src/world/isolation/object-snapshot.ts'
import { outlivingObjects } from '../../../src/world/isolation/shared-objects.ts'

const math = Math as unknown as AnyObject
const description = describe(math)
const { abs } = Math

/** As a program defines it, which the world notes. */
function defines(value: unknown): void {
  Object.defineProperty(math, 'abs', { value, writable: true, configurable: true, enumerable: false })
  outlivingObjects().get(math)!.defined = true
}

afterEach(() => {
  defines(abs)
})

test('a definition of what was there is no change', () => {
  defines(abs)
  expect(changesOf(description)).toBeUndefined()
  expect(restoreProperties(description)).toBe(false)
})

test('a definition of something else is one, until it is restored', () => {
  defines(() => 0)
  expect(changesOf(description)?.properties.map(([key]) => key)).toEqual(['abs'])
  expect(restoreProperties(description)).toBe(true)
  expect(Math.abs).toBe(abs)
  expect(restoreProperties(description)).toBe(false)
})

test('a property that is added or removed is one', () => {
  math.extra = 1
  expect(restoreProperties(description)).toBe(true)
  expect('extra' in math).toBe(false)
  delete math.abs
  expect(restoreProperties(description)).toBe(true)
  expect(Math.abs).toBe(abs)
})

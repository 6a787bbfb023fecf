/** Delta debugging: what is left holds, and nothing of it can be left out. */
import { expect, it } from 'vitest'
import { smallestPart } from '../../../src/session/flaky/halving.ts'

const numbers = Array.from({ length: 100 }, (_, index) => index)

const part = (...needed: number[]) => {
  let asked = 0
  const holds = async (some: readonly number[]) => {
    asked++
    return needed.every((each) => some.includes(each))
  }
  return smallestPart(numbers, holds).then((found) => ({ found, asked }))
}

it.each([[[7]], [[0, 99]], [[3, 4, 50]], [[]], [numbers.slice(0, 5)]])('finds %j', async (needed) => {
  expect((await part(...needed)).found).toEqual(needed)
})

it('asks a logarithmic number of times for one element', async () => {
  expect((await part(63)).asked).toBeLessThan(20)
})

it('keeps all if nothing can be left out', async () => {
  const found = await smallestPart([1, 2, 3], async (some) => some.length === 3)
  expect(found).toEqual([1, 2, 3])
})

/** Picks among waiting tasks, as `fc.scheduler()` asks for them. */
import { expect, it } from 'vitest'
import { randomPicker } from '../../src/schedule/picks.ts'
import { chance } from '../../src/tape/chance.ts'

const EXECUTIONS = Array.from({ length: 600 }, (_, seed) => seed)

it('are places among those that wait, and a function of the seed', () => {
  for (const seed of EXECUTIONS) {
    const [first, second] = [randomPicker(chance(seed)), randomPicker(chance(seed))]
    for (let max = 0; max < 20; max++) {
      const pick = first(max)
      expect(pick).toBe(second(max))
      expect(pick >= 0 && pick <= max && Number.isInteger(pick)).toBe(true)
    }
  }
})

/**
 * Even picks between two do so in one execution of 32,768; the newest first, hardly ever excepted,
 * in one of 12.
 */
it('leave one task waiting behind fifteen steps of another in more than one execution of twenty', () => {
  const held = EXECUTIONS.filter((seed) => {
    const pick = randomPicker(chance(seed))
    return Array.from({ length: 15 }, () => pick(1)).every((place) => place === 1)
  })
  expect(held.length).toBeGreaterThan(EXECUTIONS.length / 20)
})

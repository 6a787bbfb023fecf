import { expect, test } from 'vitest'
import { NO_ESTIMATES } from '../../src/contract/plan.ts'
import { natural } from '../../src/schedule/natural.ts'
import { chance } from '../../src/tape/chance.ts'

test('nothing is ever late', () => {
  const scheduler = natural.begin(chance(1), NO_ESTIMATES)
  for (const kind of ['effect', 'callback', 'timer', 'start', 'tear', 'stall'] as const) {
    for (const chain of ['0', '0/1.1']) {
      expect(scheduler({ kind, chain, maxUs: 20_000, nowUs: 0, alone: true })).toBe(0)
    }
  }
})

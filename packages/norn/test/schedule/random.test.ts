import { expect, test } from 'vitest'
import { NO_ESTIMATES } from '../../src/contract/plan.ts'
import { random } from '../../src/schedule/random.ts'
import type { SchedulePoint } from '../../src/schedule/strategy.ts'
import { chance } from '../../src/tape/chance.ts'

const MAX_US = 20_000
const KINDS: readonly SchedulePoint['kind'][] = ['effect', 'callback', 'timer', 'start', 'tear', 'stall']

function waits(seed: number, count = 100): { kind: SchedulePoint['kind']; us: number }[] {
  const scheduler = random.begin(chance(seed), NO_ESTIMATES)
  return Array.from({ length: count }, (_, point) => {
    const kind = KINDS[point % KINDS.length]!
    return { kind, us: scheduler({ kind, chain: `${point}`, maxUs: MAX_US, nowUs: point, alone: false }) }
  })
}

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed)

test('what is proposed is a function of the seed', () => {
  expect(waits(7)).toEqual(waits(7))
  expect(new Set(SEEDS.map((seed) => JSON.stringify(waits(seed)))).size).toBeGreaterThan(290)
})

test('latencies are whole and within the bound', () => {
  for (const seed of SEEDS) {
    for (const { us } of waits(seed)) expect(Number.isInteger(us) && us >= 0 && us <= MAX_US).toBe(true)
  }
})

test('executions have styles: some are calm and some are not, and some kinds are left alone in some', () => {
  const late = SEEDS.map((seed) => waits(seed).filter(({ us }) => us > 0))
  expect(late.filter((some) => some.length < 10).length).toBeGreaterThan(50)
  expect(late.filter((some) => some.length > 50).length).toBeGreaterThan(20)
  for (const kind of KINDS) {
    const without = late.filter((some) => some.length > 20 && some.every((wait) => wait.kind !== kind))
    expect(without.length).toBeGreaterThan(5)
  }
})

import { expect, test } from 'vitest'
import { NO_ESTIMATES } from '../../src/contract/plan.ts'
import { natural } from '../../src/schedule/natural.ts'
import { STRATEGY_FORMS, strategyChooser } from '../../src/schedule/portfolio.ts'
import { chance } from '../../src/tape/chance.ts'
import { SCHEDULES_PER_INPUT } from '../../src/tape/name.ts'

const names = (strategy: string, count: number) =>
  Array.from({ length: count }, (_, ordinal) => strategyChooser(strategy)(ordinal).name)

test('the portfolio starts with the default schedule, then random and PCT alternate', () => {
  expect(names('portfolio', 6)).toEqual(['natural', 'random', 'pct', 'random', 'pct', 'random'])
})

test('a strategy asked for by name runs every schedule', () => {
  for (const name of ['natural', 'random', 'pct']) {
    expect(new Set(names(name, SCHEDULES_PER_INPUT))).toEqual(new Set([name]))
  }
  expect(new Set(names('pct:3', SCHEDULES_PER_INPUT))).toEqual(new Set(['pct']))
})

test('only what is a function of the seed alone can be named by a number', () => {
  const fromSeedAlone = (name: string) => strategyChooser(name)(0).fromSeedAlone
  expect({ natural: fromSeedAlone('natural'), random: fromSeedAlone('random'), pct: fromSeedAlone('pct') }).toEqual({
    natural: true,
    random: true,
    pct: false,
  })
})

test.each(['', 'Random', 'pct:0', 'pct:10', 'pct:', 'pct:x', 'constructor', '__proto__'])(
  'the unknown strategy %j is refused by an error that names the choices',
  (name) => {
    expect(() => strategyChooser(name)).toThrow(RangeError)
    for (const known of STRATEGY_FORMS) expect(() => strategyChooser(name)).toThrow(known)
  },
)

test('the default schedule has no latencies', () => {
  const scheduler = natural.begin(chance(1), NO_ESTIMATES)
  for (const kind of ['effect', 'callback', 'timer', 'start', 'tear', 'stall'] as const) {
    for (const chain of ['0', '0/1.1']) {
      expect(scheduler({ kind, chain, maxUs: 20_000, nowUs: 0, alone: true })).toBe(0)
    }
  }
})

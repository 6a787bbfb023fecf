import { expect, test } from 'vitest'
import { STRATEGY_NAMES, strategyChooser } from '../../src/schedule/portfolio.ts'
import { SCHEDULES_PER_INPUT } from '../../src/tape/name.ts'

const names = (strategy: string, count: number) =>
  Array.from({ length: count }, (_, ordinal) => strategyChooser(strategy)(ordinal).name)

test('the portfolio begins with the natural order, then random and PCT take turns', () => {
  expect(names('portfolio', 6)).toEqual(['natural', 'random', 'pct', 'random', 'pct', 'random'])
})

test('a strategy asked for by name runs every schedule', () => {
  for (const name of ['natural', 'random', 'pct']) {
    expect(new Set(names(name, SCHEDULES_PER_INPUT))).toEqual(new Set([name]))
  }
  expect(new Set(names('pct:3', SCHEDULES_PER_INPUT))).toEqual(new Set(['pct']))
})

test('only what is a function of the seed alone can be named by a number', () => {
  const byChance = (name: string) => strategyChooser(name)(0).byChance
  expect({ natural: byChance('natural'), random: byChance('random'), pct: byChance('pct') }).toEqual({
    natural: true,
    random: true,
    pct: false,
  })
})

test.each(['', 'Random', 'pct:0', 'pct:10', 'pct:', 'pct:x', 'constructor', '__proto__'])(
  'the unknown strategy %j is refused by an error that names the choices',
  (name) => {
    expect(() => strategyChooser(name)).toThrow(RangeError)
    for (const known of STRATEGY_NAMES) expect(() => strategyChooser(name)).toThrow(known)
  },
)

/** How the budget is divided among kinds of executions. */
import { expect, test } from 'vitest'
import { Arms } from '../../../../src/domains/cluster/search/arms.ts'
import { chance } from '../../../../src/tape/chance.ts'

const ALIKE = { good: 1, bad: 1, closed: 1 }
type Name = keyof typeof ALIKE
const isOpen = (name: Name) => name !== 'closed'

/** The shares of a thousand picks, while each arm keeps yielding what it yields. */
function shares(arms: Arms<Name>, yields: Readonly<Record<Name, number>>): Record<Name, number> {
  const draws = chance(1)
  const picked = { good: 0, bad: 0, closed: 0 }
  for (let n = 0; n < 2000; n++) {
    const name = arms.pick(draws, isOpen)
    arms.judge(name, yields[name], 1)
    if (n >= 1000) picked[name] += 1 / 1000
  }
  return picked
}

test('what yields more gets nearly everything, and the others keep a few percent', () => {
  const { good, bad, closed } = shares(new Arms(ALIKE), { good: 3, bad: 1, closed: 100 })
  expect(good).toBeGreaterThan(0.9)
  expect(bad).toBeGreaterThan(0.01)
  expect(closed).toBe(0)
})

test('equal yields get equal shares, however small', () => {
  for (const each of [10, 0.01, 0]) {
    const { good, bad } = shares(new Arms(ALIKE), { good: each, bad: each, closed: 0 })
    expect(Math.abs(good - bad)).toBeLessThan(0.2)
  }
})

test('with equal yields, shares are in proportion to the bases', () => {
  const { good, bad } = shares(new Arms({ ...ALIKE, good: 3 }), { good: 1, bad: 1, closed: 1 })
  expect(good / bad).toBeGreaterThan(2)
  expect(good / bad).toBeLessThan(4)
})

test('a cost counts against the yield', () => {
  const arms = new Arms(ALIKE)
  for (let n = 0; n < 500; n++) {
    arms.judge('good', 2, 1)
    arms.judge('bad', 2, 4)
  }
  const draws = chance(1)
  const picks = Array.from({ length: 200 }, () => arms.pick(draws, isOpen))
  expect(picks.filter((name) => name === 'good').length).toBeGreaterThan(180)
})

test('an arm whose yield changes is judged by the latest executions', () => {
  const arms = new Arms(ALIKE)
  expect(shares(arms, { good: 3, bad: 1, closed: 0 }).good).toBeGreaterThan(0.9)
  expect(shares(arms, { good: 0.1, bad: 1, closed: 0 }).bad).toBeGreaterThan(0.9)
})

test('shares that follow no yields are equal', () => {
  const { good, bad } = shares(new Arms(ALIKE, false), { good: 9, bad: 0, closed: 0 })
  expect(Math.abs(good - bad)).toBeLessThan(0.1)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNBOUNDED } from '../../src/contract/choices.ts'
import type { Plan } from '../../src/contract/plan.ts'
import { Fixture, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('no-false-alarms')
})
afterAll(() => fixture.close())

test('correct programs pass under any input and schedule', async () => {
  const wrong: unknown[] = []
  for (const name of fixture.names) {
    for (let seed = 1; seed <= 200; seed++) {
      const { verdict, failure, voided, inputText } = await fixture.worker.execute(fixture.property(name), plan(seed))
      if (verdict === 'passed') continue
      wrong.push({ name, seed, failure, voided, inputText })
      break
    }
  }
  expect(wrong).toEqual([])
})

test('what a body starts and does not wait for counts as what may be late', async () => {
  const { points, durationUs } = await fixture.run('graceful shutdown', random(1))
  expect(points).toBeGreaterThan(0)
  expect(durationUs).toBeGreaterThan(0)
})

/** Every other one by PCT. */
function plan(seed: number): Plan {
  const estimates = { chains: 3, points: 40, durationUs: 5000 }
  const name = { seed, length: UNBOUNDED }
  return {
    input: { from: 'tape' },
    choices: { from: 'strategy', strategy: seed % 2 ? 'random' : 'pct', name, estimates },
  }
}

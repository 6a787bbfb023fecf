import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('works')
})
afterAll(() => fixture.close())

test('what needs no socket, process or thread works in the world, under any schedule, twice the same', async () => {
  const wrong: unknown[] = []
  for (const name of fixture.names) {
    for (const plan of [NATURAL, ...Array.from({ length: 10 }, (_, seed) => random(seed + 1))]) {
      const { verdict, failure, voided, traceHash } = await fixture.run(name, plan)
      const again = await fixture.run(name, plan)
      if (verdict !== 'passed' || again.traceHash !== traceHash) {
        wrong.push({ name, verdict, failure, voided, traceHash, again: again.traceHash })
        break
      }
    }
  }
  expect(wrong).toEqual([])
})

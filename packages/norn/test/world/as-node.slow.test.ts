import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('as-node')
})
afterAll(() => fixture.close())

test('what a program may expect of Node holds in every execution of a process', async () => {
  const wrong: unknown[] = []
  for (const plan of [NATURAL, random(1), random(2)])
    for (const name of fixture.names) {
      const { verdict, failure, voided } = await fixture.run(name, plan)
      if (verdict !== 'passed') wrong.push({ name, verdict, message: failure?.message, voided })
    }
  expect(wrong).toEqual([])
  expect(fixture.names.length).toBeGreaterThan(10)
})

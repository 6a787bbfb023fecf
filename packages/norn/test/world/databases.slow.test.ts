import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/databases.ts'
import { stockRun } from './stock-answers.ts'
import { Fixture, random } from './workers.ts'

const stock = stockRun<string[]>('databases')

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('databases')
})
afterAll(() => fixture.close())

test.each(Object.keys(programs))('databases in files do what they do on stock Node: %s', async (name) => {
  expect((await fixture.printed(name))[0]).toEqual(stock[name])
})

test.each(Object.keys(programs))('each execution begins without them: %s', async (name) => {
  for (let seed = 1; seed <= 3; seed++) {
    const [first, second] = [await fixture.run(name, random(seed)), await fixture.run(name, random(seed))]
    expect([first.verdict, first.output]).toEqual(['passed', second.output])
    expect(second.traceHash).toBe(first.traceHash)
  }
})

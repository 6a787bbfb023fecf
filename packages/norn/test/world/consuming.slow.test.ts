import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/consuming.ts'
import { StockAnswers } from './stock-answers.ts'
import { Fixture, random } from './workers.ts'

const stock = new StockAnswers<string[]>('consuming')

let fixtures: [Fixture, Fixture]
beforeAll(async () => {
  fixtures = [await Fixture.open('consuming'), await Fixture.open('consuming')]
})
afterAll(() => {
  for (const fixture of fixtures) fixture.close()
})

test.each(Object.keys(programs))('a server of HTTP reads as on stock Node: %s', async (name) => {
  const [seen] = (await fixtures[0].printed(name)) as [string[]]
  expect(stock.of(name, seen)).toContainEqual(seen)
})

test.each(Object.keys(programs))('whatever is late, it ends, and replays in another process: %s', async (name) => {
  for (let seed = 1; seed <= 3; seed++) {
    const [first, second] = await Promise.all(fixtures.map((fixture) => fixture.run(name, random(seed))))
    expect({ seed, failure: first!.failure, voided: first!.voided }).toEqual({ seed })
    expect([second!.traceHash, second!.output]).toEqual([first!.traceHash, first!.output])
  }
})

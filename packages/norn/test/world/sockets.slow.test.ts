import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/sockets.ts'
import { StockAnswers } from './stock-answers.ts'
import { Fixture, random } from './workers.ts'

/** Ports that the system gives are equal. */
const stock = new StockAnswers<string[]>('sockets', (lines) =>
  lines.map((line) => line.replace(/\b(?!127)\d{5}\b/g, 'PORT')),
)

let fixtures: [Fixture, Fixture]
beforeAll(async () => {
  fixtures = [await Fixture.open('sockets'), await Fixture.open('sockets')]
})
afterAll(() => {
  for (const fixture of fixtures) fixture.close()
})

test.each(Object.keys(programs))('by default sockets do what they do on stock Node: %s', async (name) => {
  const [seen] = (await fixtures[0].printed(name)) as [string[]]
  expect(stock.of(name, seen)).toContainEqual(stock.unified(seen))
})

test.each(Object.keys(programs))('whatever is late, it ends, and replays in another process: %s', async (name) => {
  for (let seed = 1; seed <= 10; seed++) {
    const [first, second] = await Promise.all(fixtures.map((fixture) => fixture.run(name, random(seed))))
    expect({ seed, failure: first!.failure, voided: first!.voided }).toEqual({ seed })
    expect([second!.traceHash, second!.output]).toEqual([first!.traceHash, first!.output])
  }
})

test('an execution has no connection, timer or timing of those before it', async () => {
  const traces = new Set<string | undefined>()
  // Node keeps the timings of 250 requests.
  for (let execution = 0; execution < 60; execution++) {
    traces.add((await fixtures[0].run('fetched', random(1))).traceHash)
  }
  expect(traces.size).toBe(1)
})

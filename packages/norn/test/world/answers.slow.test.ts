/** Programs that answer on stock Node answer the same in the world under many schedules, twice with the same trace. */
import { expect, test } from 'vitest'
import { stockRun } from './stock-answers.ts'
import { Fixture, NATURAL, random } from './workers.ts'

test.each(['measuring', 'utilities'])('answers are those of stock Node: %s', async (name) => {
  const stock = stockRun<unknown>(name)
  const fixture = await Fixture.open(name)
  expect(Object.keys(stock).sort()).toEqual([...fixture.names].sort())
  for (const [each, answer] of Object.entries(stock)) {
    for (const plan of [NATURAL, ...[1, 2, 3].map(random)]) {
      expect((await fixture.printed(each, plan)).at(-1), each).toEqual(answer)
      const [first, second] = [await fixture.run(each, plan), await fixture.run(each, plan)]
      expect(second.traceHash, each).toBe(first.traceHash)
    }
  }
  fixture.close()
})

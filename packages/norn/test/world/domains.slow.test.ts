import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/domains.ts'
import { StockAnswers } from './stock-answers.ts'
import { Fixture } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('domains')
})
afterAll(() => fixture.close())

const stock = new StockAnswers<unknown[]>('domains')

test.each(Object.keys(programs))('as on stock Node, in the first execution and in the next: %s', async (name) => {
  const [first] = (await fixture.printed(name)) as [unknown[]]
  expect(stock.of(name, first)).toContainEqual(first)
  expect(await fixture.printed(name)).toEqual([first])
})

test('whoever replaces emit of the process, as signal-exit does, hears of the end', async () => {
  expect(await fixture.printed('emit is replaced')).toEqual(['beforeExit', 'exit'])
})

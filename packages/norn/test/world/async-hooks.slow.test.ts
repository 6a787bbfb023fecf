import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/async-hooks.ts'
import { StockAnswers } from './stock-answers.ts'
import { Fixture } from './workers.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await Fixture.open('async-hooks')
})
afterAll(() => fixture.close())

const stock = new StockAnswers<string[]>('async-hooks')

test.each(Object.keys(programs))('hooks see what they see on stock Node: %s', async (name) => {
  const [seen] = (await fixture.printed(name)) as [string[]]
  expect(stock.of(name, seen)).toContainEqual(seen)
})

test.each([
  'hooks learn of what is destroyed before the process ends',
  'a destroy hook that nothing waits for lets the loop sleep',
  'before, the listener of uncaught errors, and after',
  'a thread has hooks of its own',
  'hooks are called around the timers and immediates of their thread alone',
])('%s', async (name) => {
  const { failure, voided } = await fixture.run(name)
  expect({ failure, voided }).toEqual({ failure: undefined, voided: undefined })
})

test('hooks learn of the promises of the program, and of none of norn', async () => {
  // The promise of the body itself is resolved; each event comes from both kinds of hooks.
  expect(await fixture.printed('hooks do not learn of how norn waits for the body')).toEqual([['resolve', 'resolve']])
})

test('hooks of promises end with the execution', async () => {
  await fixture.run('a hook of promises is left over')
  expect(await fixture.printed('promises are made')).toEqual([])
})

test('a hook that throws ends the process, and nothing of it is left over', async () => {
  const throwing = fixture.names.filter((name) => /^\w+ of .* throws$/.test(name))
  expect(throwing).toHaveLength(30)
  for (const name of throwing) {
    const { failure, output = '' } = await fixture.run(name)
    expect({ name, kind: failure?.kind, message: failure?.message }).toEqual({
      ...{ name, kind: 'exit', message: 'process.exit(1)' },
    })
    expect(output).toMatch(/^Error: mine\n {4}at /)
    expect(output).not.toMatch(/nobody|left over/)
    expect(await fixture.printed('promises are made')).toEqual([])
  }
})

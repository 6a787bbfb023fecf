import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/consuming.ts'
import { Fixture, random } from './workers.ts'

const at = (name: string) => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))

let fixtures: [Fixture, Fixture]
/** What each program logs, by run: a busy machine may bring packets together. */
let stock: Record<string, string[]>[]
beforeAll(async () => {
  stock = [1, 2].map(() => {
    const printed = execFileSync(process.execPath, [at('stock'), at('consuming')], { encoding: 'utf8' })
    return Object.fromEntries(
      printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, string[]]),
    )
  })
  fixtures = [await Fixture.open('consuming'), await Fixture.open('consuming')]
})
afterAll(() => {
  for (const fixture of fixtures) fixture.close()
})

test.each(Object.keys(programs))('a server of HTTP reads as on stock Node: %s', async (name) => {
  const [seen] = (await fixtures[0].printed(name)) as [string[]]
  expect(stock.map((run) => run[name])).toContainEqual(seen)
})

test.each(Object.keys(programs))('whatever is late, it ends, and replays in another process: %s', async (name) => {
  for (let seed = 1; seed <= 3; seed++) {
    const [first, second] = await Promise.all(fixtures.map((fixture) => fixture.run(name, random(seed))))
    expect({ seed, failure: first!.failure, voided: first!.voided }).toEqual({ seed })
    expect([second!.traceHash, second!.output]).toEqual([first!.traceHash, first!.output])
  }
})

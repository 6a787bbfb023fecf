import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programs } from './fixtures/sockets.ts'
import { Fixture, random } from './workers.ts'

const at = (name: string) => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))

let fixtures: [Fixture, Fixture]
/** What each program logs, in several runs: timers and the kernel leave some orders open. */
let stock: Record<string, string[][]>
beforeAll(async () => {
  const runs = [1, 2, 3, 4].map(() => {
    const printed = execFileSync(process.execPath, [at('stock'), at('sockets')], { encoding: 'utf8' })
    return Object.fromEntries(
      printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, string[]]),
    )
  })
  stock = Object.fromEntries(Object.keys(programs).map((name) => [name, runs.map((run) => unnumbered(run[name]!))]))
  fixtures = [await Fixture.open('sockets'), await Fixture.open('sockets')]
})
afterAll(() => {
  for (const fixture of fixtures) fixture.close()
})

/** Ports that the system gives. */
const unnumbered = (lines: readonly string[]) => lines.map((line) => line.replace(/\b(?!127)\d{5}\b/g, 'PORT'))

test.each(Object.keys(programs))('by default sockets do what they do on stock Node: %s', async (name) => {
  const [seen] = (await fixtures[0].printed(name)) as [string[]]
  expect(stock[name]).toContainEqual(unnumbered(seen))
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

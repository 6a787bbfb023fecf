import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/contract/events.ts'
import { EVERYTHING } from '../../src/options/guide.ts'
import { Worker } from '../../src/process/worker.ts'

const file = resolve(import.meta.dirname, 'fixtures/searches.fuzz.ts')
const OPTIONS = { strategy: 'portfolio', runs: 2000, timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }

/** What searches of properties by name find, one after the other in one process. */
async function searched(...names: string[]): Promise<unknown[]> {
  const worker = new Worker({ file, root: import.meta.dirname, aliases: [] })
  try {
    const found: unknown[] = []
    const properties = await worker.list()
    for (const name of names) {
      const events: SessionEvent[] = []
      const property = properties.find((each) => each.name === name)!
      const options = { ...OPTIONS, seed: 3, guide: EVERYTHING }
      const { stop: _, ...summary } = await worker.explore(property, options, (event) => {
        if (event.type === 'found') events.push(event)
      })
      found.push({ summary, at: events.map((event) => event.type === 'found' && event.failure.foundAt) })
    }
    return found
  } finally {
    worker.close()
  }
}

test('a guided search finds the same, whatever was searched before in its process', { timeout: 600_000 }, async () => {
  const [alone] = await searched('fails behind comparisons')
  expect(alone).toMatchObject({ at: [expect.any(Number)] })
  expect((await searched('loads no more', 'fails behind comparisons')).at(-1)).toEqual(alone)
  expect((await searched('loads a module late', 'fails behind comparisons')).at(-1)).toEqual(alone)
})

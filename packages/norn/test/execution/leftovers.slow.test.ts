import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Worker } from '../../src/process/worker.ts'

test('a property that leaves globals behind now and then never finds one', async () => {
  const file = resolve(import.meta.dirname, 'fixtures/leftovers.fuzz.ts')
  const worker = new Worker({ file, root: import.meta.dirname, aliases: [] })
  try {
    for (const property of await worker.list()) {
      const options = { seed: 5, strategy: 'random', runs: 1500, timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }
      expect(await worker.explore(property, options, () => {})).toMatchObject({ passed: 1500 })
    }
  } finally {
    worker.close()
  }
})

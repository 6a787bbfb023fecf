// dataloader: each load gets the value of its key, and a load after
// clear() is not older than it.
import assert from 'node:assert/strict'
import DataLoader from 'dataloader'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const operation = fc.record({
  after: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom('load', 'clear', 'change', 'prime'),
  key: fc.constantFrom('a', 'b', 'c'),
})

fuzz(
  'dataloader: each load gets a value of its key that is not older than the last clear',
  { operations: fc.array(operation, { maxLength: 8 }), maxBatchSize: fc.constantFrom(1, 2, 100) },
  async ({ operations, maxBatchSize }) => {
    const versions = { a: 0, b: 0, c: 0 }
    const loader = new DataLoader<'a' | 'b' | 'c', string>(
      async (keys) => {
        assert.ok(keys.length <= maxBatchSize)
        const found = keys.map((key) => `${key} ${versions[key]}`)
        await pause(2)
        return found
      },
      { maxBatchSize },
    )
    const least = { a: 0, b: 0, c: 0 }
    const pending: Promise<unknown>[] = []
    for (const { after, kind, key } of operations) {
      await pause(after)
      if (kind === 'change') versions[key]++
      else if (kind === 'clear') {
        loader.clear(key as never)
        least[key] = versions[key]
      } else if (kind === 'prime') loader.prime(key as never, `${key} ${versions[key]}`)
      else {
        const bound = least[key]
        const check = (found: string) => {
          const [name, version] = found.split(' ')
          assert.equal(name, key)
          assert.ok(Number(version) >= bound, `${found} is older than ${bound}`)
        }
        pending.push(loader.load(key as never).then(check))
      }
    }
    await Promise.all(pending)
  },
)

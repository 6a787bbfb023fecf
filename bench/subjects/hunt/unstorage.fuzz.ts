// unstorage with the fs driver: a value that was set is read back, and concurrent operations do
// not reject.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, fuzz } from 'norn'
import { createStorage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs'
import { pause } from './pause.ts'

const key = fc.constantFrom('a', 'b:c', 'b:d', 'b:e:f')

fuzz(
  'unstorage: what was set is read back',
  { keys: fc.uniqueArray(key, { minLength: 1 }), waits: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }) },
  async ({ keys, waits }) => {
    const storage = createStorage({ driver: fsDriver({ base: await mkdtemp(join(tmpdir(), 'unstorage-')) }) })
    await Promise.all(
      keys.map(async (key, index) => {
        await pause(waits[index])
        await storage.setItem(key, { key })
        assert.deepEqual(await storage.getItem(key), { key })
      }),
    )
    assert.deepEqual((await storage.getKeys()).sort(), keys.toSorted())
  },
)

const operation = fc.record({ wait: fc.nat(3), kind: fc.constantFrom('clear', 'remove', 'keys', 'get'), key })

fuzz(
  'unstorage: concurrent operations do not reject',
  { operations: fc.array(operation, { maxLength: 4 }) },
  async ({ operations }) => {
    const storage = createStorage({ driver: fsDriver({ base: await mkdtemp(join(tmpdir(), 'unstorage-')) }) })
    for (const key of ['a', 'b:c', 'b:e:f']) await storage.setItem(key, 'value')
    await Promise.all(
      operations.map(async ({ wait, kind, key }) => {
        await pause(wait)
        if (kind === 'clear') await storage.clear()
        else if (kind === 'remove') await storage.removeItem(key)
        else if (kind === 'keys') await storage.getKeys()
        else assert.ok([null, 'value'].includes(await storage.getItem<string>(key)))
      }),
    )
  },
)

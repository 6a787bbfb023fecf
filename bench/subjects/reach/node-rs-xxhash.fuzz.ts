// @node-rs/xxhash, a native addon that is allowed to load. A store by content counts its references.
import assert from 'node:assert/strict'
import { xxh64 } from '@node-rs/xxhash'
import { pause, planted } from './planted.ts'

planted('@node-rs/xxhash: both references count', async ({ inTurn }) => {
  const references = new Map<bigint, number>()
  const keep = (text: string) =>
    inTurn(async () => {
      const key = xxh64(text)
      const before = references.get(key) ?? 0
      await pause()
      references.set(key, before + 1)
    })
  await Promise.all([keep('same'), keep('same'), keep('other')])
  assert.deepEqual([...references.values()].toSorted(), [1, 2])
})

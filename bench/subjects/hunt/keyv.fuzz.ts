// keyv: a value whose set() has resolved is there until it expires, whatever reads its key
// meanwhile.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Keyv } from 'keyv'
import { fc, fuzz } from 'norn'
import { slowStore } from './pause.ts'

const read = fc.record({
  at: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom('get', 'has', 'getMany', 'iterate'),
})

fuzz(
  'keyv: a value that was set is there',
  { reads: fc.array(read, { maxLength: 3 }), setAt: fc.integer({ min: 0, max: 30 }), checkExpired: fc.boolean() },
  async ({ reads, setAt, checkExpired }) => {
    const keyv = new Keyv({ store: slowStore(), checkExpired } as object)
    await keyv.set('key', 'old', 10)
    const pending: Promise<unknown>[] = reads.map(async ({ at, kind }) => {
      await sleep(at)
      if (kind === 'get') await keyv.get('key')
      else if (kind === 'has') await keyv.has('key')
      else if (kind === 'getMany') await keyv.getMany(['key'])
      else if (keyv.iterator) for await (const _ of keyv.iterator()) void _
    })
    await sleep(setAt)
    await keyv.set('key', 'new')
    await Promise.all(pending)
    assert.equal(await keyv.get('key'), 'new')
  },
)

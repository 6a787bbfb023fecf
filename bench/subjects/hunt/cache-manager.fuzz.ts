// cache-manager: after set() or del() has resolved, get() agrees; wrap() computes a value once for
// concurrent calls.
import assert from 'node:assert/strict'
import { createCache } from 'cache-manager'
import { Keyv } from 'keyv-5'
import { fc, fuzz } from 'norn'
import { pause, slowStore } from './pause.ts'

fuzz(
  'cache-manager: get() returns the value that was set last',
  {
    wraps: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
    wait: fc.integer({ min: 0, max: 6 }),
    isOld: fc.boolean(),
  },
  async ({ wraps, wait, isOld }) => {
    const second = new Keyv({ store: slowStore() })
    if (isOld) await second.set('key', 'old')
    const cache = createCache({ stores: [new Keyv(), second], ttl: 60_000 })
    const pending = wraps.map((gap) => pause(gap).then(() => cache.wrap('key', async () => 'computed')))
    await pause(wait)
    await cache.set('key', 'new')
    await Promise.all(pending)
    assert.equal(await cache.get('key'), 'new')
  },
)

fuzz(
  'cache-manager: wrap() computes once for concurrent calls',
  { gaps: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }) },
  async ({ gaps }) => {
    const cache = createCache({ stores: [new Keyv({ store: slowStore() })], ttl: 60_000 })
    let computed = 0
    const compute = async () => {
      computed++
      await pause(2)
      return 'value'
    }
    await Promise.all(gaps.map((gap) => pause(gap).then(() => cache.wrap('key', compute))))
    assert.ok(computed <= 1, `computed ${computed} times`)
  },
)

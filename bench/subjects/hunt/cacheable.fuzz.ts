// cacheable: after set() has resolved, get() returns its value from both layers; getOrSet()
// computes a value once.
import assert from 'node:assert/strict'
import { Cacheable } from 'cacheable'
import { Keyv } from 'keyv-5'
import { fc, fuzz } from 'norn'
import { pause, slowStore } from './pause.ts'

fuzz(
  'cacheable: get() returns the value that was set last',
  { gets: fc.integer({ min: 0, max: 3 }), wait: fc.integer({ min: 0, max: 4 }), isDeleted: fc.boolean() },
  async ({ gets, wait, isDeleted }) => {
    const store = slowStore()
    const secondary = new Keyv({ store })
    await secondary.set('key', 'old')
    const cache = new Cacheable({ secondary })
    const pending: Promise<unknown>[] = Array.from({ length: gets }, () => cache.get('key'))
    await pause(wait)
    await (isDeleted ? cache.delete('key') : cache.set('key', 'new'))
    await Promise.all(pending)
    assert.equal(await cache.get('key'), isDeleted ? undefined : 'new')
  },
)

fuzz(
  'cacheable: getOrSet() computes once for concurrent calls',
  { gaps: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }) },
  async ({ gaps }) => {
    const cache = new Cacheable({ secondary: new Keyv({ store: slowStore() }) })
    let computed = 0
    const compute = async () => {
      computed++
      await pause(2)
      return 'value'
    }
    const values = await Promise.all(
      gaps.map((gap) => pause(gap).then(() => cache.getOrSet('key', compute, { ttl: '1h' }))),
    )
    assert.ok(values.every((value) => value === 'value'))
    assert.ok(computed <= 1, `computed ${computed} times`)
  },
)

// tarn: a resource has one holder, never more than max exist, none outlives destroy(), every
// acquire settles.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { Pool } from 'tarn'
import { pause } from './pause.ts'

const user = fc.record({
  gap: fc.integer({ min: 0, max: 10 }),
  takes: fc.integer({ min: 0, max: 3 }),
  aborts: fc.boolean(),
})

fuzz(
  'tarn: one holder, at most max resources, none left after destroy',
  {
    users: fc.array(user, { maxLength: 6 }),
    max: fc.integer({ min: 1, max: 2 }),
    min: fc.integer({ min: 0, max: 1 }),
    invalid: fc.array(fc.boolean(), { maxLength: 4 }),
    broken: fc.array(fc.boolean(), { maxLength: 3 }),
    options: fc.constantFrom(
      {},
      { acquireTimeoutMillis: 5 },
      { idleTimeoutMillis: 3, reapIntervalMillis: 4 },
      { propagateCreateError: true },
    ),
    destroyAt: fc.option(fc.integer({ min: 0, max: 20 })),
  },
  async ({ users, max, min, invalid, broken, options, destroyAt }) => {
    const alive = new Set<number>()
    const held = new Set<number>()
    let made = 0
    let most = 0
    let attempts = 0
    const pool = new Pool<{ name: number }>({
      async create() {
        const name = made++
        alive.add(name)
        most = Math.max(most, alive.size)
        await pause(2)
        if (broken[attempts++]) {
          alive.delete(name)
          throw new Error('cannot create')
        }
        return { name }
      },
      async destroy({ name }) {
        assert.ok(!held.has(name), 'destroyed while it is held')
        assert.ok(alive.delete(name), 'destroyed twice')
        await pause()
      },
      async validate() {
        await pause()
        return !invalid.shift()
      },
      min,
      max,
      createRetryIntervalMillis: 10,
      log: () => {},
      ...options,
    } as never)
    const ended = users.map(async ({ gap, takes, aborts }) => {
      await sleep(gap)
      const acquiring = pool.acquire()
      if (aborts) void pause().then(() => acquiring.abort())
      const resource = await acquiring.promise.catch(() => undefined)
      if (resource === undefined) return
      assert.ok(!held.has(resource.name), 'two holders')
      assert.ok(alive.has(resource.name), 'a destroyed resource')
      held.add(resource.name)
      assert.ok(held.size <= max)
      await pause(takes)
      held.delete(resource.name)
      assert.ok(pool.release(resource))
    })
    if (destroyAt !== null) await sleep(destroyAt)
    else await Promise.all(ended)
    await pool.destroy()
    await sleep(200)
    assert.ok(most <= max, `${most} resources`)
    assert.equal(alive.size, 0, 'a resource outlives destroy()')
    if (destroyAt === null) await Promise.all(ended)
  },
)

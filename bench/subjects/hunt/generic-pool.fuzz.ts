// generic-pool: a resource has one holder, never more than max exist, none outlives drain and
// clear, every acquire settles.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import genericPool from 'generic-pool'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const user = fc.record({
  gap: fc.integer({ min: 0, max: 10 }),
  takes: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom('release', 'destroy'),
})

fuzz(
  'generic-pool: one holder, at most max resources, none left after clear',
  {
    users: fc.array(user, { maxLength: 6 }),
    max: fc.integer({ min: 1, max: 2 }),
    min: fc.integer({ min: 0, max: 1 }),
    invalid: fc.array(fc.boolean(), { maxLength: 4 }),
    broken: fc.array(fc.boolean(), { maxLength: 3 }),
    options: fc.constantFrom({}, { acquireTimeoutMillis: 3 }, { idleTimeoutMillis: 3, evictionRunIntervalMillis: 4 }),
    drainAt: fc.option(fc.integer({ min: 0, max: 20 })),
  },
  async ({ users, max, min, invalid, broken, options, drainAt }) => {
    const alive = new Set<number>()
    const held = new Set<number>()
    let made = 0
    let most = 0
    let attempts = 0
    const factory = {
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
      async destroy({ name }: { name: number }) {
        assert.ok(!held.has(name), 'destroyed while it is held')
        assert.ok(alive.delete(name), 'destroyed twice')
        await pause()
      },
      async validate() {
        await pause()
        return !invalid.shift()
      },
    }
    const pool = genericPool.createPool(factory, { max, min, testOnBorrow: true, ...options })
    pool.on('factoryCreateError', () => {})
    const ended = users.map(async ({ gap, takes, end }) => {
      await sleep(gap)
      const resource = await pool.acquire().catch(() => undefined)
      if (resource === undefined) return
      assert.ok(!held.has(resource.name), 'two holders')
      assert.ok(alive.has(resource.name), 'a destroyed resource')
      held.add(resource.name)
      await pause(takes)
      held.delete(resource.name)
      if (end === 'release') await pool.release(resource)
      else await pool.destroy(resource)
    })
    if (drainAt !== null) await sleep(drainAt)
    else await Promise.all(ended)
    await pool.drain()
    await pool.clear()
    await Promise.all(ended)
    await sleep(200)
    assert.ok(most <= max, `${most} resources`)
    assert.equal(alive.size, 0, 'a resource outlives drain and clear')
  },
)

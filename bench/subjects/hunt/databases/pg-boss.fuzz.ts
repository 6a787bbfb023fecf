// pg-boss: a job is claimed by one worker, and the policy of a queue holds at every moment, with two instances.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { PgBoss } from 'pg-boss'

const job = fc.record({ boss: fc.nat(1), at: fc.integer({ min: 0, max: 5 }), key: fc.constantFrom('a', 'b') })
const worker = fc.record({
  boss: fc.nat(1),
  at: fc.integer({ min: 0, max: 10 }),
  batchSize: fc.integer({ min: 1, max: 2 }),
  work: fc.integer({ min: 0, max: 5 }),
  isFailing: fc.boolean(),
})
const inputs = {
  jobs: fc.array(job, { minLength: 2, maxLength: 4 }),
  workers: fc.array(worker, { minLength: 1, maxLength: 3 }),
}

for (const policy of ['standard', 'short', 'singleton', 'exclusive', 'key_strict_fifo'])
  fuzz(`pg-boss: the policy ${policy} holds`, inputs, async ({ jobs, workers }) => {
    const bosses = [1, 2].map(() => {
      const connectionString = process.env.DATABASE_URL!
      const boss = new PgBoss({ connectionString, supervise: false, schedule: false, migrate: false })
      boss.on('error', () => {})
      return boss
    })
    await Promise.all(bosses.map((boss) => boss.start()))
    /** Their keys, by id. */
    const sent = new Map<string, string>()
    const starts: string[] = []
    /** From the answer to `fetch` until `complete` or `fail` is called: the server knows them as active for longer. */
    const active = new Map<string, string>()
    const keyOf = (key: string) => (policy === 'key_strict_fifo' ? { singletonKey: key } : {})
    const sending = jobs.map(async ({ boss, at, key }) => {
      await sleep(at)
      const id = await bosses[boss]!.send(policy, {}, keyOf(key))
      if (id !== null) sent.set(id, key)
    })
    // Of jobs that wait there is one, as long as nobody fetches it.
    if (policy === 'short') {
      await Promise.all(sending)
      assert.equal(sent.size, 1, `${sent.size} jobs wait`)
    }
    const working = workers.map(async ({ boss, at, batchSize, work, isFailing }) => {
      await sleep(at)
      for (let round = 0; round < 3; round++) {
        const fetched = await bosses[boss]!.fetch(policy, { batchSize })
        for (const { id, singletonKey } of fetched) {
          assert.ok(!active.has(id), 'a job is claimed by two workers')
          starts.push(id)
          active.set(id, singletonKey ?? '')
          const most = policy === 'singleton' || policy === 'exclusive' ? 1 : Number.POSITIVE_INFINITY
          assert.ok(active.size <= most, `${active.size} jobs are active`)
          const ofKey = [...active.values()].filter((other) => other === singletonKey)
          if (policy === 'key_strict_fifo') assert.ok(ofKey.length < 2, 'two jobs of a key are active')
        }
        await sleep(work)
        for (const { id } of fetched) {
          active.delete(id)
          if (isFailing && round === 0) await bosses[boss]!.fail(policy, id)
          else await bosses[boss]!.complete(policy, id)
        }
      }
    })
    await Promise.all([...sending, ...working])
    const tries = (id: string) => starts.filter((other) => other === id).length
    for (const id of sent.keys()) assert.ok(tries(id) <= 2, 'a job is done again')
    const failed = workers.some(({ isFailing }) => isFailing)
    if (!failed) assert.equal(new Set(starts).size, starts.length, 'a job is done twice')
    for (const boss of bosses) await boss.stop({ graceful: false })
  })

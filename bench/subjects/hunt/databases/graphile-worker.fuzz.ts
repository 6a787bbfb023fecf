// graphile-worker: jobs of a named queue run one at a time, of what is added under a key nothing is lost and nothing is
// done twice, and a run goes on until there is no job left.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, makeWorkerUtils, runOnce } from 'graphile-worker'
import { fc, fuzz } from 'norn'
import pg from 'pg'

const job = fc.record({
  at: fc.integer({ min: 0, max: 8 }),
  options: fc.constantFrom(
    {},
    { queueName: 'q' },
    { jobKey: 'k' },
    { jobKey: 'k', jobKeyMode: 'preserve_run_at' as const },
  ),
})
const runner = fc.record({ at: fc.integer({ min: 0, max: 10 }), work: fc.integer({ min: 0, max: 5 }) })

fuzz(
  'graphile-worker: each element is done once, one at a time in a queue',
  { jobs: fc.array(job, { minLength: 1, maxLength: 4 }), runners: fc.array(runner, { minLength: 1, maxLength: 2 }) },
  async ({ jobs, runners }) => {
    const connectionString = process.env.DATABASE_URL
    const pools = [0, ...runners].map(() => new pg.Pool({ connectionString }))
    const logger = new Logger(() => () => {})
    const utils = await makeWorkerUtils({ pgPool: pools[0]!, logger })
    const done: number[] = []
    let busy = 0
    const run = (pgPool: pg.Pool, work: number) =>
      runOnce({
        pgPool,
        logger,
        noHandleSignals: true,
        taskList: {
          async task(payload, { job }) {
            const isSerial = job.job_queue_id !== null
            if (isSerial) assert.equal(busy++, 0, 'two jobs of a queue run')
            await sleep(work)
            if (isSerial) busy--
            done.push(...(payload as number[]))
          },
        },
      })
    await Promise.all([
      ...jobs.map(async ({ at, options }, index) => {
        await sleep(at)
        await utils.addJob('task', [index] as never, options)
      }),
      ...runners.map(async ({ at, work }, index) => {
        await sleep(at)
        await run(pools[index + 1]!, work)
      }),
    ])
    // More than once, as a run can leave jobs of a queue.
    for (let round = 0; round < jobs.length; round++) await run(pools[0]!, 0)
    await utils.release()
    for (const pool of pools) await pool.end()
    assert.deepEqual(done.sort(), [...jobs.keys()])
  },
)

fuzz('graphile-worker: runOnce leaves no job of a queue', {}, async () => {
  const pgPool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ pgPool, logger })
  for (let job = 0; job < 3; job++) await utils.addJob('task', {}, { queueName: 'q' })
  let done = 0
  await runOnce({ pgPool, logger, noHandleSignals: true, taskList: { task: async () => void done++ } })
  await utils.release()
  await pgPool.end()
  assert.equal(done, 3)
})

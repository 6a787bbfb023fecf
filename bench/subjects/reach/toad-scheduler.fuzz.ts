// toad-scheduler: a run begins before the one before has ended.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { AsyncTask, SimpleIntervalJob, ToadScheduler } from 'toad-scheduler'
import { planted, stored } from './planted.ts'

planted('toad-scheduler: runs do not overlap', async ({ isFixed }) => {
  const [runs, started] = [stored(0), { count: 0 }]
  const task = new AsyncTask('count', async () => {
    started.count++
    await runs.write((await runs.read()) + 1)
  })
  const scheduler = new ToadScheduler()
  scheduler.addSimpleIntervalJob(new SimpleIntervalJob({ milliseconds: 10 }, task, { preventOverrun: isFixed }))
  await sleep(100)
  scheduler.stop()
  await sleep(100)
  assert.equal(await runs.read(), started.count)
})

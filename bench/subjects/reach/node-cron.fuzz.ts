// node-cron: a run of almost a second is late, and the next one begins.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import cron from 'node-cron'
import { pause, planted } from './planted.ts'

planted('node-cron: runs do not overlap', async ({ isFixed }) => {
  let [running, most] = [0, 0]
  const run = async () => {
    most = Math.max(most, ++running)
    await sleep(990)
    await pause()
    running--
  }
  const task = cron.schedule('* * * * * *', run, { noOverlap: isFixed, suppressMissedWarning: true })
  await sleep(5000)
  await task.destroy()
  await sleep(1100)
  assert.equal(most, 1)
})

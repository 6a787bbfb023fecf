// croner: a run of almost a second is late, and the next one begins.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { pause, planted } from './planted.ts'

planted('croner: runs do not overlap', async ({ isFixed }) => {
  let [running, most] = [0, 0]
  const job = new Cron('* * * * * *', { protect: isFixed }, async () => {
    most = Math.max(most, ++running)
    await sleep(990)
    await pause()
    running--
  })
  await sleep(5000)
  job.stop()
  await sleep(1100)
  assert.equal(most, 1)
})

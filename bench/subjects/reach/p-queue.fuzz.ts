// p-queue: with a concurrency of two, a lost update between two tasks.
import assert from 'node:assert/strict'
import PQueue from 'p-queue'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('p-queue: both tasks count', async ({ isFixed }) => {
  const done = stored(0)
  const queue = new PQueue({ concurrency: isFixed ? 1 : 2 })
  await twice(() => queue.add(async () => done.write((await done.read()) + 1)))
  await queue.onIdle()
  assert.equal(await done.read(), 2)
})

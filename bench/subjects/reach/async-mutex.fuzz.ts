// async-mutex: a write that is not awaited outlives the lock.
import assert from 'node:assert/strict'
import { Mutex } from 'async-mutex'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('async-mutex: no deposit is lost', async ({ isFixed }) => {
  const balance = stored(0)
  const mutex = new Mutex()
  const writes: Promise<void>[] = []
  await twice((amount) =>
    mutex.runExclusive(async () => {
      const written = balance.write((await balance.read()) + amount)
      writes.push(written)
      if (isFixed) await written
    }),
  )
  await Promise.all(writes)
  assert.equal(await balance.read(), 3)
})

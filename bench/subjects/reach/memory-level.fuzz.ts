// memory-level, the way round for level: a lost update between get and put.
import assert from 'node:assert/strict'
import { MemoryLevel } from 'memory-level'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('memory-level: both visits count', async ({ inTurn }) => {
  const db = new MemoryLevel()
  await db.put('visits', '0')
  await twice(() =>
    inTurn(async () => {
      const visits = Number(await db.get('visits'))
      await pause()
      await db.put('visits', `${visits + 1}`)
    }),
  )
  assert.equal(await db.get('visits'), '2')
  await db.close()
})

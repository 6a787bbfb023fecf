// generic-pool: a connection goes back before its query has ended, and gets another one.
import assert from 'node:assert/strict'
import { createPool } from 'generic-pool'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('generic-pool: a connection runs one query', async ({ isFixed }) => {
  const pool = createPool({ create: async () => ({ running: 0 }), destroy: async () => {} }, { max: 1 })
  const most = await twice((_) =>
    pool.use(async (connection) => {
      const query = async () => {
        const running = ++connection.running
        await pause()
        connection.running--
        return running
      }
      const result = query()
      if (isFixed) await result
      return { result }
    }),
  )
  assert.deepEqual(await Promise.all(most.map(({ result }) => result)), [1, 1])
  await pool.drain()
  await pool.clear()
})

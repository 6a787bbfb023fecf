// piscina: results of worker threads come in the order of the work.
import assert from 'node:assert/strict'
import { Piscina } from 'piscina'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('piscina: both squares are added', async ({ inTurn }) => {
  const pool = new Piscina({
    filename: new URL('piscina-worker.mjs', import.meta.url).href,
    minThreads: 2,
    maxThreads: 2,
  })
  const sum = stored(0)
  await twice((number) =>
    inTurn(async () => {
      const before = await sum.read()
      await sum.write(before + (await pool.run(number)))
    }),
  )
  await pool.destroy()
  assert.equal(await sum.read(), 5)
})

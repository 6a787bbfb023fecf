// msw, called by fetch: the stand-in of a server has a lost update.
import assert from 'node:assert/strict'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('msw: both likes count', async ({ inTurn }) => {
  const likes = stored(0)
  const server = setupServer(
    http.post('http://posts.example/likes', async () => {
      await inTurn(async () => likes.write((await likes.read()) + 1))
      return HttpResponse.json({ liked: true }, { status: 201 })
    }),
  )
  server.listen()
  const statuses = await twice(async () => (await fetch('http://posts.example/likes', { method: 'POST' })).status)
  server.close()
  assert.deepEqual(statuses, [201, 201])
  assert.equal(await likes.read(), 2)
})

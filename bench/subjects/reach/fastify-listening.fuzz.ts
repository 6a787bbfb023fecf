// fastify that listens: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import fastify from 'fastify'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('fastify that listens: both visits count', async ({ inTurn }) => {
  const visits = stored(0)
  const app = fastify({ forceCloseConnections: true })
  app.post('/visits', async (_, reply) => {
    await inTurn(async () => visits.write((await visits.read()) + 1))
    return reply.code(201).send({ counted: true })
  })
  const url = await app.listen({ port: 0 })
  const statuses = await twice(async () => {
    const response = await fetch(`${url}/visits`, { method: 'POST' })
    assert.deepEqual(await response.json(), { counted: true })
    return response.status
  })
  await app.close()
  assert.deepEqual(statuses, [201, 201])
  assert.equal(await visits.read(), 2)
})

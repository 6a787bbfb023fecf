// fastify, called by inject: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import fastify from 'fastify'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('fastify by inject: both visits count', async ({ inTurn }) => {
  const visits = stored(0)
  const app = fastify()
  app.post('/visits', async (_, reply) => {
    await inTurn(async () => visits.write((await visits.read()) + 1))
    return reply.code(201).send({ counted: true })
  })
  const answers = await twice(() => app.inject({ method: 'POST', url: '/visits' }))
  await app.close()
  for (const answer of answers) assert.deepEqual(answer.json(), { counted: true })
  assert.equal(await visits.read(), 2)
})

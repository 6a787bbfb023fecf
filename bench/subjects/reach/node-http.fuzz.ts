// node:http with a keep-alive agent: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { close, twice, urlOf } from './http.ts'
import { planted, stored } from './planted.ts'

planted('node:http: both visits count', async ({ inTurn }) => {
  const visits = stored(0)
  const server = createServer(async (_, response) => {
    await inTurn(async () => visits.write((await visits.read()) + 1))
    response.end('counted')
  }).listen(0)
  const url = await urlOf(server)
  const agent = new Agent({ keepAlive: true })
  const visit = async () => {
    const [response] = await once(request(url, { agent, method: 'POST' }).end(), 'response')
    return text(response)
  }
  assert.deepEqual(await twice(visit), ['counted', 'counted'])
  agent.destroy()
  await close(server)
  assert.equal(await visits.read(), 2)
})

// undici: every call settles, with its own body or an error, and close() leaves no connection.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { Agent, interceptors, request } from 'undici'
import { everyCallSettles, listen, plan, unreliable } from './unreliable.ts'

fuzz(
  'undici: every call settles, and close leaves no connection',
  { plan, pipelining: fc.constantFrom(1, 3), end: fc.constantFrom('close', 'destroy') },
  async ({ plan, pipelining, end }) => {
    const server = unreliable(60_000)
    let open = 0
    server.on('connection', (socket) => {
      open++
      socket.on('close', () => open--)
    })
    const agent = new Agent({ connections: 2, pipelining })
    const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: 2 }))
    await everyCallSettles(plan, `http://127.0.0.1:${await listen(server)}`, async ({ url, method, body, signal }) => {
      const reply = await request(url, { method, body, signal, dispatcher })
      return { status: reply.statusCode, body: await reply.body.text() }
    })
    if (end === 'close') await agent.close()
    else await agent.destroy()
    await sleep(1000)
    assert.equal(open, 0, 'a connection is left')
    server.close()
  },
)

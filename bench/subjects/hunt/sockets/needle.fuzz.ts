// needle: every call calls back, with its own body or an error.
import http from 'node:http'
import needle from 'needle'
import { fuzz } from 'norn'
import { everyCallSettles, listen, plan, unreliable } from './unreliable.ts'

fuzz('needle: every call settles', { plan }, async ({ plan }) => {
  const server = unreliable()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })
  await everyCallSettles(plan, `http://127.0.0.1:${await listen(server)}`, async ({ url, method, body, signal }) => {
    const options = { agent, follow_max: 2, parse_response: false, signal } as object
    const reply = await needle(method === 'GET' ? 'get' : 'post', url, body ?? null, options)
    return { status: reply.statusCode ?? 0, body: String(reply.body) }
  })
  agent.destroy()
  server.close()
  server.closeAllConnections()
})

fuzz('needle: a redirect does not hold the connection it came over', {}, async () => {
  const server = unreliable(60_000)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const base = `http://127.0.0.1:${await listen(server)}`
  await needle('get', `${base}/redirect/0`, null, { agent, follow_max: 2 } as object)
  agent.destroy()
  server.close()
})

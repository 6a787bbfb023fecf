// got: every call settles, with its own body or an error.
import http from 'node:http'
import got from 'got'
import { fuzz } from 'norn'
import { everyCallSettles, listen, plan, unreliable } from './unreliable.ts'

fuzz('got: every call settles', { plan }, async ({ plan }) => {
  const server = unreliable()
  const agent = { http: new http.Agent({ keepAlive: true, maxSockets: 2 }) }
  await everyCallSettles(plan, `http://127.0.0.1:${await listen(server)}`, async ({ url, method, body, signal }) => {
    const reply = await got(url, {
      method,
      body,
      signal,
      agent,
      throwHttpErrors: false,
      retry: { limit: 1, calculateDelay: () => 1 },
    })
    return { status: reply.statusCode, body: reply.body }
  })
  agent.http.destroy()
  server.close()
  server.closeAllConnections()
})

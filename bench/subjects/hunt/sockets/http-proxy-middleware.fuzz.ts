// http-proxy-middleware: every request through the proxy settles, with its own body or an error.
import http from 'node:http'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { fuzz } from 'norn'
import { everyCallSettles, listen, plan, unreliable } from './unreliable.ts'

fuzz('http-proxy-middleware: every request settles', { plan }, async ({ plan }) => {
  const server = unreliable()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })
  const target = `http://127.0.0.1:${await listen(server)}`
  const middleware = createProxyMiddleware({ target, agent })
  const proxy = http.createServer((request, response) => middleware(request, response, () => response.end()))
  await everyCallSettles(plan, `http://127.0.0.1:${await listen(proxy)}`, async ({ url, method, body, signal }) => {
    const reply = await fetch(url, { method, body, signal })
    return { status: reply.status, body: await reply.text() }
  })
  agent.destroy()
  for (const each of [server, proxy]) {
    each.close()
    each.closeAllConnections()
  }
})

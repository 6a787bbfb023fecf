// agentkeepalive: a request that takes less than `timeout` succeeds, whatever freeSocketTimeout is.
import assert from 'node:assert/strict'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import Agent from 'agentkeepalive'
import { fc, fuzz } from 'norn'
import { listen } from './unreliable.ts'

const request = fc.record({ at: fc.integer({ min: 0, max: 30 }), takes: fc.integer({ min: 0, max: 60 }) })

fuzz(
  'agentkeepalive: a request that takes less than timeout succeeds',
  { requests: fc.array(request, { minLength: 1, maxLength: 5 }), maxSockets: fc.integer({ min: 1, max: 2 }) },
  async ({ requests, maxSockets }) => {
    const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      setTimeout(() => response.end(request.url), Number(request.url?.slice(1)))
    })
    const port = await listen(server)
    const agent = new Agent({ maxSockets, timeout: 60_000, freeSocketTimeout: 30 })
    const get = ({ at, takes }: (typeof requests)[number]) =>
      new Promise<string>((resolve, reject) => {
        const send = () =>
          http.get({ port, path: `/${takes}`, agent }, (response) => resolve(text(response))).on('error', reject)
        setTimeout(send, at)
      })
    for (const [index, body] of (await Promise.all(requests.map(get))).entries())
      assert.equal(body, `/${requests[index]?.takes}`)
    agent.destroy()
    server.close()
  },
)

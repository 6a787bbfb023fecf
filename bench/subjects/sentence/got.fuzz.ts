// got 10.7.0 -> 11.0.0 (issue 1096)
//
// The race: a server drops a request after it has begun to answer and before the answer is complete. That the
// download ended too early is ignored, so the promise never settles. 11.0.0 rejects when the response is aborted.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import got from 'got-buggy'
import { fc, fuzz } from 'norn'

const request = fc.record({ afterMs: fc.integer({ min: 0, max: 10 }), workMs: fc.integer({ min: 0, max: 30 }) })

fuzz(
  'got: every request settles',
  { requests: fc.array(request, { minLength: 1, maxLength: 3 }), limitMs: fc.integer({ min: 5, max: 30 }) },
  async ({ requests, limitMs }) => {
    const server = createServer(async (incoming, response) => {
      const limit = setTimeout(() => incoming.destroy(), limitMs)
      response.writeHead(200, { 'content-length': 8 })
      response.write('done')
      await sleep(Number(new URL(incoming.url!, 'http://localhost').searchParams.get('work')))
      response.end('done')
      clearTimeout(limit)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await Promise.all(
      requests.map(async ({ afterMs, workMs }) => {
        await sleep(afterMs)
        await got(`http://127.0.0.1:${port}/?work=${workMs}`, { retry: 0 }).catch(() => undefined)
      }),
    )
    server.close()
  },
)

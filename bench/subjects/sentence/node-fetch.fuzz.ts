// node-fetch 2.6.7 -> 2.6.8
//
// The race: a server closes the connection after the head of a chunked response and before its end. The body never
// ends, nor fails. 2.6.8 looks whether the response closes before its last chunk, and fails the body.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fetch from 'node-fetch-buggy'
import { fc, fuzz } from 'norn'

const ms = fc.integer({ min: 0, max: 20 })

fuzz(
  'node-fetch: every fetch settles',
  { parts_ms: fc.array(ms, { maxLength: 3 }), restart_ms: fc.integer({ min: 0, max: 60 }) },
  async ({ parts_ms, restart_ms }) => {
    const server = createServer(async (_request, response) => {
      for (const part_ms of parts_ms) {
        await sleep(part_ms)
        response.write('part')
      }
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    setTimeout(() => server.closeAllConnections(), restart_ms)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`)
      await response.text()
    } catch {}
    server.close()
  },
)

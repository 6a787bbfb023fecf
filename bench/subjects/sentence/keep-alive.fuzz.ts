// A server closes a connection that is idle for 5 s; a client sends its next request at about that time: ECONNRESET.
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'

function get(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent }, (response) => response.resume().on('end', resolve).on('error', reject))
      .on('error', reject)
      .end()
  })
}

fuzz(
  'every request is answered',
  { pauses: fc.array(fc.integer({ min: 4_990, max: 5_010 }), { maxLength: 4 }) },
  async ({ pauses }) => {
    const server = createServer((_, response) => {
      response.setHeader('Connection', 'keep-alive') // so Node does not tell the client the timeout
      response.end('hello')
    })
    server.keepAliveTimeout = 5_000
    ;(server as { keepAliveTimeoutBuffer?: number }).keepAliveTimeoutBuffer = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true })
    await get(port, agent)
    for (const pause of pauses) {
      await sleep(pause)
      await get(port, agent)
    }
    agent.destroy()
    server.close()
  },
)

// agentkeepalive 4.1.4 -> 4.2.0
//
// The race: the agent keeps an idle connection for 15 s, a server of Node for 5 s (and a second more, since 24.6). A
// request that sets out just before the server gives up, or before the client hears of it, arrives at a closed
// connection and fails with ECONNRESET. 4.2.0 keeps idle connections for 4 s (issues 57 and 58, change 102).
//
// Zero input: a request 1 ms before the server gives up. Under the default schedule a round trip takes a fraction of
// that, so no input fails; one delayed segment does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import KeepAliveAgent from 'agentkeepalive-buggy'
import { fc, fuzz } from 'norn'

const host = '127.0.0.1'

fuzz(
  'agentkeepalive: a request after an idle time is answered',
  { lead_ms: fc.integer({ min: 1, max: 20 }) },
  async ({ lead_ms }) => {
    const server = createServer((_, response) => response.end('hello')).listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const agent = new KeepAliveAgent()
    const ask = async () => {
      const [response] = await once(get({ host, port, agent }), 'response')
      return text(response as IncomingMessage)
    }
    await ask()

    const { keepAliveTimeoutBuffer: buffer_ms = 0 } = server as { keepAliveTimeoutBuffer?: number }
    await sleep(server.keepAliveTimeout + buffer_ms - lead_ms)
    const answer = await ask().catch((error: NodeJS.ErrnoException) =>
      assert.fail(`the request went to a connection that the server was closing: ${error.code ?? error}`),
    )
    assert.equal(answer, 'hello')

    agent.destroy()
    server.close()
    await once(server, 'close')
  },
)

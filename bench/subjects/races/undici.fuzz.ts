// undici 5.21.2 -> 5.22.0
//
// The race: destroy() while the client connects. There is no socket to destroy yet; when the connection is established,
// the client takes it all the same, and nobody ever closes it. 5.22.0 destroys it (change 2058, "don't leak socket if
// client is destroyed while connecting").
//
// Zero input: destroy() 1 ms after the request. Under the default schedule the request is answered by then, so no input
// fails; a delayed connection does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fc, fuzz } from 'norn'
import { Client } from 'undici-buggy'

const settled_ms = 1_000

fuzz(
  'undici: destroy() leaves no connection',
  { destroy_at_ms: fc.integer({ min: 1, max: 5 }) },
  async ({ destroy_at_ms }) => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = async (client: Client) => {
      const { body } = await client.request({ path: '/', method: 'GET' })
      return body.text()
    }
    // Both versions compile their parser with the first connection; a client destroyed in between leaks it in both.
    const first = new Client(`http://127.0.0.1:${port}`)
    await ask(first)
    await first.destroy()

    const client = new Client(`http://127.0.0.1:${port}`)
    const answered = ask(client).catch(() => 'destroyed')
    await sleep(destroy_at_ms)
    await client.destroy()
    await answered
    await sleep(settled_ms)
    const open = await promisify(server.getConnections.bind(server))()
    assert.equal(open, 0, 'a connection is still open after destroy()')
    server.close()
    await once(server, 'close')
  },
)

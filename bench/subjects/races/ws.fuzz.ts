// ws 7.5.2 -> 7.5.3
//
// The race: a client's handshake waits for verifyClient while the server is closed. close() terminates the clients that
// there are; the handshake then goes on and opens one more, which nobody closes. 7.5.3 aborts a handshake that ends
// after close() ("Abort the handshake if the server is closing or closed").
//
// Zero input: one client, close() 1 ms later. Under the default schedule a handshake takes a fraction of that, so no
// client that starts before close() is late; the one that starts with it is refused.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import WebSocket from 'ws-buggy'

// A handshake has at most a dozen operations of 40 ms.
const settled_ms = 1_000

fuzz(
  'ws: no connection is opened after close()',
  {
    starts_ms: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
    close_after_ms: fc.integer({ min: 1, max: 5 }),
  },
  async ({ starts_ms, close_after_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const verifyClient = (_: unknown, done: (accepted: boolean) => void) => {
      stat(directory).then(() => done(true))
    }
    const server = new WebSocket.Server({ host: '127.0.0.1', port: 0, verifyClient })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let closed = false
    let late = 0
    server.on('connection', () => {
      if (closed) late++
    })

    const connect = async (start_ms: number) => {
      await sleep(start_ms)
      return new WebSocket(`ws://127.0.0.1:${port}`).on('error', () => {})
    }
    const connected = Promise.all(starts_ms.map(connect))
    await sleep(Math.max(...starts_ms) + close_after_ms)
    server.close()
    closed = true
    await sleep(settled_ms)
    for (const client of await connected) client.terminate()
    assert.equal(late, 0, `${late} connections were opened after close()`)
  },
)

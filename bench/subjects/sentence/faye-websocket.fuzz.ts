// faye-websocket 0.11.1 -> 0.11.3
//
// The race: close() is called before the handshake is done. The driver then closes at once, and only after that the
// timer is set that would close a connection whose peer does not answer: nothing clears it, and it holds the process
// for half a minute. 0.11.3 sets it first.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'faye-websocket-buggy'
import { fc, fuzz } from 'norn'

fuzz(
  'faye-websocket: a closed connection leaves no timer',
  { login_ms: fc.integer({ min: 0, max: 20 }), close_ms: fc.integer({ min: 0, max: 40 }) },
  async ({ login_ms, close_ms }) => {
    const server = createServer()
    server.on('upgrade', async (request, socket, head) => {
      await sleep(login_ms)
      if (socket.destroyed) return
      const peer = new WebSocket(request, socket, head)
      peer.on('error', () => {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = new WebSocket.Client(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    client.on('error', () => {})
    const closed = once(client, 'close')
    setTimeout(() => client.close(), close_ms)
    await closed
    await sleep(100)
    server.close()
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    assert.equal(timers.length, 0, 'a timer is left')
  },
)

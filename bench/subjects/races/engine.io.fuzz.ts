// engine.io 6.5.5 -> 6.6.0
//
// The race: the server sends a message by long polling while the client upgrades to a WebSocket. Its callback is called
// with the next poll, but the client, which is upgrading, does not poll again: the message arrives, the callback is
// never called. 6.6.0 calls it when the poll is answered ("properly call the send callback during upgrade", issue 695).
//
// Zero input: no messages.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { attach, type Socket } from 'engine.io-buggy'
import { Socket as Client } from 'engine.io-client'
import { fc, fuzz } from 'norn'

// Below the 25 s after which the server pings.
const settled_ms = 5_000

fuzz(
  'engine.io: every message is received and reported sent',
  { gaps_ms: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 }) },
  async ({ gaps_ms }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const engine = attach(server, {})
    const client = new Client(`ws://127.0.0.1:${port}`)
    const received: string[] = []
    client.on('message', (message: string) => received.push(message))
    const [socket] = (await once(engine, 'connection')) as [Socket]

    const sent: string[] = []
    const messages = gaps_ms.map((_, index) => String(index))
    for (const [index, gap_ms] of gaps_ms.entries()) {
      if (gap_ms > 0) await sleep(gap_ms)
      socket.send(messages[index]!, {}, () => sent.push(messages[index]!))
    }
    await sleep(settled_ms)
    assert.deepEqual(received, messages, 'messages were lost, doubled or swapped')
    assert.deepEqual(sent, messages, 'messages were received, but never reported sent')

    client.close()
    engine.close()
    server.close()
    await once(server, 'close')
  },
)

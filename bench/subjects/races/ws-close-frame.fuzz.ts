// ws 6.1.2 -> 6.1.3
//
// The race: a close frame arrives in pieces. The receiver drops what comes after the piece in which the frame begins,
// so the frame is never complete: the server does not hear that the client closes, nor why, until the client's patience
// ends 30 s later. 6.1.3 reads on ("Handle close frame which spans multiple packets", change 1494).
//
// Zero input: no messages. Under the default schedule the frame arrives in one piece, so no input fails; a connection
// that delivers it in two does.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fc, fuzz } from 'norn'
import WebSocket from 'ws-close-frame-buggy'

fuzz(
  'ws: the server hears why a client closes',
  { messages: fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }), reason: fc.string({ maxLength: 20 }) },
  async ({ messages, reason }) => {
    const server = new WebSocket.Server({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const [connection] = (await once(server, 'connection')) as [WebSocket]
    const received: string[] = []
    connection.on('message', (message) => received.push(message))
    if (client.readyState !== WebSocket.OPEN) await once(client, 'open')

    for (const message of messages) client.send(message)
    client.close(1000, reason)
    const [code, why] = await once(connection, 'close')
    assert.deepEqual({ code, why }, { code: 1000, why: reason }, 'the server did not hear why the client closed')
    assert.deepEqual(received, messages, 'messages were lost, doubled or swapped')
    server.close()
  },
)

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { EXCHANGES } from './exchanges.ts'

export const name = 'ws: an echo'

export async function exchange(): Promise<void> {
  const server = new WebSocketServer({ port: 0 })
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(client, 'open')
  for (let id = 0; id < EXCHANGES; id++) {
    client.send(`message ${id}`)
    await once(client, 'message')
  }
  client.close()
  await once(client, 'close')
  await new Promise((closed) => server.close(closed))
}

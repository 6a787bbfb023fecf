// The global WebSocket of Node and a server of ws: a lost update between two clients.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('WebSocket: no bid is lost', async ({ inTurn }) => {
  const bids = stored(0)
  const server = new WebSocketServer({ port: 0 })
  server.on('connection', (socket) => {
    socket.on('message', async () => {
      await inTurn(async () => bids.write((await bids.read()) + 1))
      socket.send('noted')
    })
  })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await twice(async () => {
    const client = new WebSocket(`ws://localhost:${port}`)
    await once(client, 'open')
    client.send('bid')
    const [{ data }] = await once(client, 'message')
    assert.equal(data, 'noted')
    client.close()
    await once(client, 'close')
  })
  server.close()
  assert.equal(await bids.read(), 2)
})

// ws, server and client: answers come in the order of the work, not in that of the questions.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { pause, planted } from './planted.ts'

planted('ws: answers come in the order of the questions', async ({ inTurn }) => {
  const server = new WebSocketServer({ port: 0 })
  server.on('connection', (socket) => {
    socket.on('message', (question) =>
      inTurn(async () => {
        await pause()
        socket.send(`answer to ${question}`)
      }),
    )
  })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = new WebSocket(`ws://localhost:${port}`)
  await once(client, 'open')
  const answers: string[] = []
  client.on('message', (answer) => answers.push(`${answer}`))
  client.send('1')
  await sleep(3)
  client.send('2')
  while (answers.length < 2) await once(client, 'message')
  client.close()
  await once(client, 'close')
  server.close()
  assert.deepEqual(answers, ['answer to 1', 'answer to 2'])
})

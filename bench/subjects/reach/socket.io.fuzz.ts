// socket.io, server and client: a check-then-act, two players take one place.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { twice, urlOf } from './http.ts'
import { pause, planted } from './planted.ts'

planted('socket.io: a place has one player', async ({ inTurn }) => {
  let player: string | undefined
  const take = async (name: string) => {
    if (player !== undefined) return 'taken'
    await pause()
    player = name
    return 'yours'
  }
  const http = createServer().listen(0)
  const server = new Server(http)
  server.on('connection', (socket) => {
    socket.on('take', async (name, answer) => answer(await inTurn(() => take(name))))
  })
  const url = await urlOf(http)
  const answers = await twice(async (player) => {
    const client = io(url, { forceNew: true })
    const answer = await client.emitWithAck('take', `player ${player}`)
    client.close()
    return answer
  })
  await server.close()
  assert.deepEqual(answers.sort(), ['taken', 'yours'])
})

// socket.io: with `retries`, packets arrive in order and each at least once, over lost connections.
import assert from 'node:assert/strict'
import http from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { listen } from './unreliable.ts'

fuzz(
  'socket.io: packets with retries arrive in order, each at least once',
  {
    emits: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
    cuts: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 3 }),
    answerAfter: fc.integer({ min: 0, max: 20 }),
    ackTimeout: fc.constantFrom(100, 1000),
  },
  async ({ emits, cuts, answerAfter, ackTimeout }) => {
    const connections = new Set<Socket>()
    const server = http.createServer().on('connection', (one) => connections.add(one))
    const arrived: number[] = []
    const sockets = new Server(server, { transports: ['websocket'] })
    sockets.on('connection', (socket) => {
      socket.on('packet', (index: number, answer: (index: number) => void) => {
        if (!arrived.includes(index)) arrived.push(index)
        setTimeout(() => answer(index), answerAfter)
      })
    })
    const url = `http://127.0.0.1:${await listen(server)}`
    const client = io(url, {
      transports: ['websocket'],
      retries: 1000,
      ackTimeout,
      reconnectionDelay: 5,
      reconnectionDelayMax: 5,
    })
    for (const at of cuts) setTimeout(() => [...connections].forEach((one) => void one.destroy()), at)
    const order: number[] = []
    const settled = Promise.all(
      emits.map(async (at, index) => {
        await sleep(at)
        order.push(index)
        assert.equal(await client.emitWithAck('packet', index), index, 'the answer to another packet')
        return true
      }),
    )
    assert.ok(await Promise.race([settled, sleep(60_000, undefined)]), 'a packet is never answered')
    assert.deepEqual(arrived, order)
    client.close()
    await sockets.close()
  },
)

// ws: messages that arrive are the first of those sent, in order and whole; both ends emit close.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import WebSocket, { WebSocketServer } from 'ws'

const step = fc.record({
  at: fc.integer({ min: 0, max: 20 }),
  kind: fc.constantFrom('send', 'send', 'large', 'ping', 'stream'),
})
const end = fc.record({
  at: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom('close', 'terminate', 'both close', 'server close'),
})

fuzz(
  'ws: a prefix of the messages arrives in order, and both ends emit close',
  { steps: fc.array(step, { maxLength: 6 }), end, compressed: fc.boolean() },
  async ({ steps, end, compressed }) => {
    const perMessageDeflate = compressed ? { threshold: 0 } : false
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate })
    await once(server, 'listening')
    const arrived: string[] = []
    let open = 0
    server.on('connection', (socket) => {
      open++
      socket.on('message', (data) => arrived.push(String(data))).on('close', () => open--)
      if (end.kind === 'server close' || end.kind === 'both close') setTimeout(() => socket.close(), end.at)
    })
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`, { perMessageDeflate })
    client.on('error', () => {})
    const closed = new Promise((resolve) => client.on('close', () => resolve(true)))
    const sent: string[] = []
    const send = (kind: string) => {
      if (client.readyState !== WebSocket.OPEN) return
      if (kind === 'ping') return client.ping()
      sent.push(`${sent.length}${'x'.repeat(kind === 'large' ? 50_000 : 10)}`)
      client.send(kind === 'stream' ? new Blob([sent.at(-1)!]) : sent.at(-1)!, { binary: false })
    }
    for (const { at, kind } of steps) setTimeout(() => send(kind), at)
    setTimeout(() => {
      if (end.kind === 'terminate') client.terminate()
      else if (end.kind !== 'server close') client.close()
    }, end.at)
    assert.ok(await Promise.race([closed, sleep(60_000, undefined)]), 'the client does not emit close')
    await sleep(100)
    assert.deepEqual(arrived, sent.slice(0, arrived.length))
    if (end.kind === 'close') assert.equal(arrived.length, sent.length, 'a message before close is lost')
    assert.equal(open, 0, 'the server does not emit close')
    assert.ok(
      await Promise.race([new Promise((resolve) => server.close(() => resolve(true))), sleep(60_000, undefined)]),
    )
  },
)

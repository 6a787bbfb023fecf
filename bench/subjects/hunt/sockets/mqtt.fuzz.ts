// mqtt with aedes: what publish acknowledged at QoS 1 has arrived, over lost connections; every
// callback is called, and end() ends the client.
import assert from 'node:assert/strict'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aedes } from 'aedes'
import mqtt from 'mqtt'
import { fc, fuzz } from 'norn'
import { listen } from './unreliable.ts'

fuzz(
  'mqtt: what publish acknowledged has arrived, and every callback is called',
  {
    publishes: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
    qos: fc.constantFrom(1, 2),
    cuts: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 3 }),
    endAt: fc.option(fc.integer({ min: 0, max: 80 })),
    force: fc.boolean(),
  },
  async ({ publishes, qos, cuts, endAt, force }) => {
    const broker = await Aedes.createBroker()
    const arrived = new Map<string, number>()
    broker.on('publish', ({ payload }, client) => {
      if (client) arrived.set(String(payload), (arrived.get(String(payload)) ?? 0) + 1)
    })
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      broker.handle(socket)
    })
    const url = `mqtt://127.0.0.1:${await listen(server)}`
    const client = mqtt.connect(url, { clientId: 'a', clean: false, reconnectPeriod: 5 }).on('error', () => {})
    for (const at of cuts) setTimeout(() => [...sockets].forEach((socket) => void socket.destroy()), at)
    const settled = Promise.all(
      publishes.map(async (at, index) => {
        await sleep(at)
        const packet = await client.publishAsync('topic', `${index}`, { qos: qos as 1 | 2 }).then(
          () => true,
          () => false,
        )
        if (packet) assert.ok(arrived.has(`${index}`), `${index} was acknowledged, and has not arrived`)
        return true
      }),
    )
    if (endAt === null) await settled
    else await sleep(endAt)
    const ended = client.endAsync(force).then(() => true)
    assert.ok(await Promise.race([ended, sleep(60_000, undefined)]), 'end() does not call back')
    assert.ok(await Promise.race([settled, sleep(60_000, undefined)]), 'publish() does not call back')
    await sleep(1000)
    assert.equal(client.connected, false)
    assert.equal(sockets.size, 0, 'a connection is left')
    await new Promise<void>((resolve) => broker.close(resolve))
    server.close()
  },
)

// portfinder: a call finds a free port, however many others run, though an address of the machine
// cannot be bound (as a link-local one cannot without its interface).
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import portfinder from 'portfinder'

const call = fc.record({ at: fc.integer({ min: 0, max: 3 }), port: fc.constantFrom(3000, 4000, 5000, 6000, 7000) })

fuzz('portfinder: a call finds a free port', { calls: fc.array(call, { maxLength: 9 }) }, async ({ calls }) => {
  await portfinder.getPort({ host: '192.0.2.1' }).catch(() => {})
  await Promise.allSettled(calls.map(({ at, port }) => sleep(at).then(() => portfinder.getPort({ port }))))
  const server = net.createServer().listen(await portfinder.getPort())
  await once(server, 'listening')
  server.close()
})

// portfinder: a call finds a free port, after however many at once, though an address that portfinder
// knows cannot be bound (as a link-local one of the machine cannot without its interface).
import { once } from 'node:events'
import net from 'node:net'
import { fc, fuzz } from 'norn'
import portfinder from 'portfinder'

const ports = fc.uniqueArray(fc.integer({ min: 3, max: 22 }), { maxLength: 20, size: 'max' })

fuzz('portfinder: a call finds a free port', { ports }, async ({ ports }) => {
  await portfinder.getPort({ host: '192.0.2.1' }).catch(() => {})
  await Promise.allSettled(ports.map((port) => portfinder.getPort({ port: port * 1000 })))
  const server = net.createServer().listen(await portfinder.getPort())
  await once(server, 'listening')
  server.close()
})

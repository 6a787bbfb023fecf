/**
 * The thread that owns the real sockets of open mode, while the main thread runs an execution or
 * blocks until something happens here. Invariant: a message is queued before it is counted.
 */
import { connect, type Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import type { GatewayData, News, Order } from './gateway-messages.ts'

const { port, sent } = workerData as GatewayData
const sockets = new Map<number, Socket>()

port.on('message', (order: Order) => {
  if (order.type === 'dial') {
    dial(order)
    return
  }
  const socket = sockets.get(order.id)
  if (socket === undefined) return
  switch (order.type) {
    case 'data':
      socket.write(order.bytes)
      break
    case 'end':
      socket.end()
      break
    case 'pause':
    case 'resume':
      socket[order.type]()
      break
    case 'close':
      // What was written before is still sent.
      socket.resume().destroySoon()
      break
    case 'reset':
      socket.resetAndDestroy()
      break
    case 'destroy':
      socket.destroy()
  }
})

function dial({ id, target }: Extract<Order, { type: 'dial' }>): void {
  const socket = connect({ ...target, allowHalfOpen: true, noDelay: true })
  sockets.set(id, socket)
  socket.on('connect', () => {
    const { localAddress: address, localPort: local } = socket
    const isNamed = address !== undefined && local !== undefined
    report({ id, type: 'connected', local: isNamed ? { address, port: local } : undefined })
  })
  // A copy: the clone of a view clones all of its buffer.
  socket.on('data', (bytes) => report({ id, type: 'data', bytes: new Uint8Array(bytes) }))
  socket.on('end', () => report({ id, type: 'end' }))
  socket.on('error', ({ code = 'EIO' }: NodeJS.ErrnoException) => report({ id, type: 'error', code }))
  socket.on('close', () => sockets.delete(id))
}

function report(news: News): void {
  port.postMessage(news)
  Atomics.add(sent, 0, 1)
  Atomics.notify(sent, 0)
}

/** Calls of hostile programs that are not methods of one object. */
import { createHash } from 'node:crypto'
import net, { type Server, type Socket } from 'node:net'
import type { Context } from './run.ts'

const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export const CALLS: Readonly<
  Record<string, (target: object, values: readonly unknown[], context: Context) => unknown>
> = {
  reject: () => void Promise.reject(Object.assign(new Error('rejected'), { code: 'REJECTED' })),

  abort: (_target, _values, { aborts }) => {
    for (const each of aborts) each.abort()
  },

  /** Starts the first client once more. */
  start: (_target, _values, { program, start }) => start({ ...program.clients[0]!, count: 1 }),

  reconnect: (target, _values, { port }) => (target as Socket).connect?.(port, '127.0.0.1'),

  /** Nobody listens there. */
  connectNowhere: (target) => (target as Socket).connect?.(1, '127.0.0.1'),

  /** Node's HTTP client aborts the process over a socket that gives text (`Parser::Execute`). */
  setEncoding: (target, [encoding], { program }) => {
    const breaksNode = target instanceof net.Socket && program.clients.some(({ kind }) => kind === 'http')
    if (!breaksNode) (target as Partial<Socket>).setEncoding?.(encoding as BufferEncoding)
  },

  echo: (target) => (target as Socket).pipe?.(target as Socket),

  listenAgain: (target, _values, { port }) => (target as Server).listen(port === 1 ? 0 : port, '127.0.0.1'),

  /** Another server on the same port. */
  listenBeside: (_target, _values, { port, keeps, log }) => {
    const beside = net.createServer((socket) => socket.destroy())
    beside.on('error', (error: NodeJS.ErrnoException) => log(`beside ${error.code}`))
    beside.on('listening', () => log('beside listening'))
    beside.listen(port === 1 ? 0 : port, '127.0.0.1')
    keeps.push({ close: () => beside.close() })
  },

  dispose: (target) => (target as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.(),

  /** Answers the handshake of a WebSocket, and sends bytes behind it. */
  acceptWebSocket: (target, [bytes]) => {
    const socket = target as Socket
    socket.once('data', (request: Buffer) => {
      const key = /sec-websocket-key: (\S+)/i.exec(request.toString('latin1'))?.[1] ?? ''
      const accept = createHash('sha1')
        .update(key + ACCEPT)
        .digest('base64')
      const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
      socket.write(head)
      if (bytes !== undefined) socket.write(bytes as Buffer)
    })
  },
}

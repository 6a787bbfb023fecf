/**
 * The operations over sockets of generated programs, client and server in one process. Each has a
 * server of its own, but those over a kept agent, which share one. Imports nothing of norn, so that
 * stock Node can run them.
 */
import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocket, WebSocketServer } from 'ws'
import type { Start } from './context.ts'
import type { Sockets } from './open-sockets.ts'

const echo = (socket: net.Socket) => void socket.pipe(socket)

/** Handles a request when it has been read. */
const afterBody =
  (handle: http.RequestListener): http.RequestListener =>
  (request, response) =>
    void request.on('end', () => handle(request, response)).resume()

const answer = afterBody((_, response) => response.end('text'))

/** A port below those that any server is given; nobody listens there. */
const NOBODY = 1

export const overNet: Record<string, Start> = {
  'net: connect': (done, { sockets }) => void sockets.connect(sockets.tcp(() => {})).once('connect', done),
  'net: connect to localhost': (done, { sockets }) =>
    void sockets
      .connect(
        sockets.tcp(() => {}),
        'localhost',
      )
      .once('connect', done),
  'net: accept': (done, { sockets }) => void sockets.connect(sockets.tcp(() => done())),
  'net: refused': (done, { sockets }) => void sockets.connect(NOBODY).once('error', () => done()),
  'net: data at the server': (done, { sockets }) =>
    void sockets.connect(sockets.tcp((socket) => socket.once('data', () => done()))).write('text'),
  'net: data of the server': (done, { sockets }) =>
    void sockets.connect(sockets.tcp((socket) => socket.write('text'))).once('data', () => done()),
  'net: echo': (done, { sockets }) => {
    const socket = sockets.connect(sockets.tcp(echo))
    socket.once('data', () => done()).write('text')
  },
  'net: write': (done, { sockets }) => void sockets.connect(sockets.tcp(() => {})).write('text', () => done()),
  'net: end at the server': (done, { sockets }) =>
    void sockets.connect(sockets.tcp((socket) => socket.once('end', done).resume())).end('text'),
  'net: close after both ends': (done, { sockets }) =>
    void sockets
      .connect(sockets.tcp(echo))
      .once('close', () => done())
      .resume()
      .end('text'),
  'net: close of the server side': (done, { sockets }) =>
    void sockets.connect(sockets.tcp((socket) => socket.once('close', () => done()).resume())).end(),
  'net: destroy at the server': (done, { sockets }) => {
    const socket = sockets.connect(sockets.tcp((peer) => peer.once('close', () => done()).resume()))
    socket.once('connect', () => socket.destroy())
  },
  'net: reset': (done, { sockets }) => {
    const socket = sockets.connect(sockets.tcp((peer) => peer.once('error', () => done())))
    socket.once('connect', () => socket.resetAndDestroy())
  },
  'net: close of a server': (done) => {
    const server = net.createServer()
    server.listen(0).close(() => done())
  },
  'net: drain': (done, { sockets }) => {
    const socket = sockets.connect(sockets.tcp((peer) => peer.resume()))
    socket.once('drain', done).write(Buffer.alloc(100_000))
  },
  'net: a Unix socket': (done, { sockets, at, fresh }) => {
    const path = at(fresh())
    const server = net.createServer(echo).listen(path)
    const socket = sockets.own(net.connect(path))
    socket.once('data', () => {
      server.close()
      socket.destroy()
      done()
    })
    socket.write('text')
  },
  'net: setTimeout': (done, { sockets }) => {
    const socket = sockets.connect(sockets.tcp(() => {}))
    socket.setTimeout(2, () => {
      socket.setTimeout(0)
      done()
    })
  },
  'udp: a message': (done, { sockets }) => {
    const receiver = sockets.udp().once('message', () => done())
    receiver.once('listening', () => sockets.udp().send('text', receiver.address().port, '127.0.0.1'))
  },
}

export const overHttp: Record<string, Start> = {
  'http: request': (done, { sockets }) => {
    const port = sockets.http((_, response) => {
      response.end()
      done()
    })
    http.get({ port, agent: false }).on('error', () => {})
  },
  'http: response': (done, { sockets }) => {
    const request = http.get({ port: sockets.http((_, response) => response.end('text')), agent: false })
    request
      .on('error', () => {})
      .once('response', (response) => {
        response.resume()
        done()
      })
  },
  'http: end of the response': (done, { sockets }) => {
    const request = http.get({ port: sockets.http((_, response) => response.end('text')), agent: false })
    request.on('error', () => {}).once('response', (response) => response.once('end', done).resume())
  },
  'http: POST': (done, { sockets }) => {
    const request = http.request({ port: sockets.http(answer), method: 'POST', agent: false })
    request.on('error', () => {}).once('response', (response) => response.once('end', done).resume())
    request.end('text')
  },
  'http: an agent that keeps one socket': (done, { sockets }) => {
    const request = http.get({ port: sockets.shared(), agent: sockets.agent })
    request.on('error', () => {}).once('response', (response) => response.once('end', done).resume())
  },
  'http: finish of the response': (done, { sockets }) => {
    const port = sockets.http((_, response) => response.once('finish', done).end('text'))
    http.get({ port, agent: false }, (response) => response.resume()).on('error', () => {})
  },
  'http: abort': (done, { sockets }) => {
    const port = sockets.http((incoming) => {
      incoming.once('close', done)
      request.destroy()
    })
    const request = http.get({ port, agent: false }).on('error', () => {})
  },
  // By name it would meet as many refusals as `localhost` has addresses, which differs between machines.
  'http: refused': (done) =>
    void http.get({ host: '127.0.0.1', port: NOBODY, agent: false }).once('error', () => done()),
}

export const overFetch: Record<string, Start> = {
  'fetch: response': (done, { sockets }) =>
    void fetch(`http://127.0.0.1:${sockets.http(answer)}`).then((response) => {
      void response.text().catch(() => {})
      done()
    }),
  'fetch: text': (done, { sockets }) =>
    void fetch(`http://localhost:${sockets.http(answer)}`)
      .then((response) => response.text())
      .then(() => done()),
  'fetch: POST': (done, { sockets }) => {
    const port = sockets.http((request, response) => void text(request).then((body) => response.end(body)))
    void fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'text' })
      .then((response) => response.json().catch(() => {}))
      .then(() => done())
  },
  'fetch: refused': (done) => void fetch(`http://127.0.0.1:2`).catch(() => done()),
  'fetch: abort': (done, { sockets }) => {
    const controller = new AbortController()
    void fetch(`http://127.0.0.1:${sockets.http(() => {})}`, { signal: controller.signal }).catch(() => done())
    setTimeout(() => controller.abort(), 2)
  },
}

/** A client of a WebSocket server of its own, both closed at the end of the program. */
function webSocket(sockets: Sockets, connected: (socket: WebSocket) => void): WebSocket {
  const server = new WebSocketServer({ noServer: true })
  const port = sockets.upgrading((request, socket, head) => server.handleUpgrade(request, socket, head, connected))
  const client = new WebSocket(`ws://127.0.0.1:${port}`).on('error', () => {})
  sockets.own({ destroy: () => client.terminate() })
  return client
}

export const overWs: Record<string, Start> = {
  'ws: open': (done, { sockets }) => void webSocket(sockets, () => {}).once('open', done),
  'ws: connection': (done, { sockets }) => void webSocket(sockets, () => done()),
  'ws: message of the server': (done, { sockets }) =>
    void webSocket(sockets, (socket) => socket.send('text')).once('message', () => done()),
  'ws: echo': (done, { sockets }) => {
    const client = webSocket(sockets, (socket) => socket.on('message', (data) => socket.send(data)))
    client.once('message', () => done()).once('open', () => client.send('text'))
  },
  'ws: close': (done, { sockets }) => {
    const client = webSocket(sockets, () => {})
    client.once('close', () => done()).once('open', () => client.close())
  },
}

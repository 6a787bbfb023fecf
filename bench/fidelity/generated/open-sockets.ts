/** The sockets of one run of a generated program. Imports nothing of norn, so that stock Node can run it. */
import dgram from 'node:dgram'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** Sockets that a program opens, closed at its end. */
export class Sockets {
  readonly #open: { destroy(): unknown }[] = []
  readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  #shared: number | undefined

  constructor() {
    this.#open.push(this.agent)
  }

  /** A TCP server; it listens at once. @returns its port */
  tcp(connected: (socket: net.Socket) => void, options: net.ServerOpts = {}): number {
    const server = net.createServer(options, (socket) => {
      this.own(socket)
      connected(socket)
    })
    return this.listening(server)
  }

  /** An HTTP server; it listens at once. @returns its port */
  http(handle: http.RequestListener): number {
    const server = http.createServer(handle)
    server.on('connection', (socket) => this.own(socket))
    return this.listening(server)
  }

  /** An HTTP server that only upgrades; it listens at once. @returns its port */
  upgrading(upgrade: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void): number {
    const server = http.createServer().on('upgrade', upgrade)
    server.on('connection', (socket) => this.own(socket))
    return this.listening(server)
  }

  listening(server: net.Server): number {
    // Without a host Node looks nothing up, so the port is known at once.
    server.listen(0)
    this.#open.push({ destroy: () => server.close() })
    return (server.address() as AddressInfo).port
  }

  connect(port: number, host = '127.0.0.1'): net.Socket {
    return this.own(net.connect(port, host))
  }

  own<Socket extends { destroy(): unknown }>(socket: Socket): Socket {
    // Ignores failures at the end of the program, when the other side is destroyed.
    if (socket instanceof net.Socket) socket.on('error', () => {})
    this.#open.push(socket)
    return socket
  }

  udp(): dgram.Socket {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
    let isOpen = true
    socket.once('close', () => {
      isOpen = false
    })
    this.#open.push({ destroy: () => isOpen && socket.close() })
    return socket
  }

  /** The port of a server that all requests of the kept agent share. */
  shared(): number {
    this.#shared ??= this.http((_, response) => response.end('text'))
    return this.#shared
  }

  close(): void {
    for (const each of this.#open) each.destroy()
  }
}

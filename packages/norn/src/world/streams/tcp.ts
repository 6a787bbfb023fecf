/**
 * Intercepts TCP sockets: `net`, and all that is built on it.
 *
 * Follows src/tcp_wrap.cc of Node, src/unix/tcp.c of libuv and Linux's loopback: an address in use
 * shows at `listen` or `connect`, not at `bind`; a connection is established by the kernel while it
 * waits to be accepted, and one connection is accepted in each poll phase; nobody listening is an
 * ECONNREFUSED in a poll phase. The world has this machine and the hosts that the test declares; all
 * other addresses are uncontrolled.
 */

import { hostRequire, internalBinding } from '../../loader/internals.ts'
import type { Delays } from '../../options/latency-ranges.ts'
import type { Devices } from '../devices/devices.ts'
import type { Step } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import {
  type Address,
  type Family,
  isAny,
  isLinkLocal,
  isLoopback,
  map,
  mapped,
  reached,
  shown,
} from '../network/addresses.ts'
import { type Bound, Ports } from '../network/bound-ports.ts'
import { type Courier, Side } from '../network/connection.ts'
import { sourceOf } from '../network/datagrams.ts'
import type { Passed } from '../network/flow.ts'
import type { HostNames } from '../network/host-names.ts'
import { normalAddress } from '../network/names.ts'
import type { NetworkHost } from '../network/network-host.ts'
import { fillAddress } from '../network/socket-address.ts'
import { Unserved } from '../network/unserved.ts'
import type { Gateway } from '../open/gateway.ts'
import { type Approaching, define } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'
import { wayHere } from '../trace/origin.ts'
import { Backlog } from './backlog.ts'
import { beginJoining, dialOut, failConnect, joinDevice } from './connecting.ts'
import type { Stream } from './stream-base.ts'
import { type Method, Streams } from './stream-methods.ts'
import type { Request } from './stream-request.ts'

const { TCP, constants } = internalBinding('tcp_wrap') as {
  TCP: (new (type: number) => object) & { prototype: Record<string, unknown> }
  constants: Record<'SOCKET' | 'UV_TCP_IPV6ONLY' | 'UV_TCP_REUSEPORT', number>
}

interface BoundSocket extends Bound {
  readonly backlog: Backlog
}

/** What a TCP socket has beside its stream; processes may share it. */
interface Place {
  /** Descriptors that refer to it, one of each stream. */
  holders: number
  bound: BoundSocket | undefined
  peer: Address | undefined
  /** An error that `bind` met, reported later; then the socket has no address of its own. */
  delayed: number
  unbound?: Address
  /** It connected, and no call of `connect` has told so yet. */
  isUntold: boolean
}

/** A socket on its way to another process. */
export class PassedSocket implements Passed {
  readonly socket: {
    readonly place: Place
    readonly side: Side | undefined
    readonly name: string
    readonly isHolding: boolean
  }
  readonly close: () => void

  constructor(socket: PassedSocket['socket'], close: () => void) {
    this.socket = socket
    this.close = close
  }
}

export interface TcpHost extends NetworkHost, Approaching {
  /** The names that the world of this execution knows. */
  names(): HostNames
  /** The way out in open mode. */
  readonly gateway: Gateway | undefined
  /** The databases of the world. */
  readonly devices: Devices | undefined
}

export const tcp: Interceptor<TcpHost, { readonly tcp: Tcp }> = {
  name: 'TCP',
  builtins: {
    net: {
      controlled: 'connect createConnection createServer Server Socket Stream BoundSocket _createServerHandle',
      plain:
        'BlockList SocketAddress isIP isIPv4 isIPv6 getDefaultAutoSelectFamily setDefaultAutoSelectFamily ' +
        'getDefaultAutoSelectFamilyAttemptTimeout setDefaultAutoSelectFamilyAttemptTimeout ' +
        '_normalizeArgs _setSimultaneousAccepts _TransferredBoundSocket',
      note:
        'The network has this machine and the hosts of the property: norn draws the latencies of connections, bytes and ' +
        'ends, and opens no socket. A failure for lack of a server, such as a database, is inconclusive. ' +
        'A connection to any other address is uncontrolled, and so are sockets over file descriptors.',
    },
  },
  install: (host) => {
    const tcp = new Tcp(host)
    const { streams } = tcp
    return {
      provides: { tcp },
      leave: () => tcp.reset(),
      leftOpen: (left) => streams.addLeft(left),
      closeOf: (isolate) => streams.closeOf(isolate),
    }
  },
}

export class Tcp {
  readonly #host: TcpHost
  readonly streams: Streams
  readonly unserved = new Unserved()
  readonly #ports = new Ports<BoundSocket>()
  readonly #places = new WeakMap<Stream, Place>()

  constructor(host: TcpHost) {
    this.#host = host
    const bind = (family: Family) => (stream: Stream, address: string, port: number, flags?: number) =>
      this.#bind(stream, family, address, port, flags ?? 0)
    const connect = (family: Family) => (stream: Stream, request: Request, address: string, port: number) =>
      this.#connect(stream, family, request, address, port)
    const done = () => 0
    const methods: Record<string, Method> = {
      bind: bind(4),
      bind6: bind(6),
      connect: connect(4),
      connect6: connect(6),
      listen: (stream: Stream, backlog: number) => this.#listen(stream, backlog),
      getsockname: (stream: Stream, out: object) => {
        const { bound, unbound } = this.#place(stream)
        return fillAddress(out, stream.isClosed ? undefined : (bound ?? unbound), uv.UV_EBADF!)
      },
      getpeername: (stream: Stream, out: object) => {
        const { peer } = this.#place(stream)
        return stream.isClosed ? uv.UV_EBADF! : fillAddress(out, peer, uv.UV_ENOTCONN!)
      },
      reset: (stream: Stream, closed: unknown) => stream.reset(closed),
      open: () => host.refuse('a TCP socket over a file descriptor'),
      setNoDelay: done,
      setKeepAlive: done,
      setTypeOfService: done,
      getTypeOfService: done,
    }
    this.streams = new Streams(host, TCP, methods)
    rememberConnecting(host)
  }

  reset(): void {
    this.streams.reset()
    this.#ports.reset()
    this.unserved.reset()
  }

  #place(stream: Stream): Place {
    let place = this.#places.get(stream)
    if (place === undefined)
      this.#places.set(stream, (place = { holders: 1, bound: undefined, peer: undefined, delayed: 0, isUntold: false }))
    return place
  }

  #bind(stream: Stream, family: Family, given: string, port: number, flags: number): number {
    const place = this.#place(stream)
    const address = normalAddress(given)
    if (place.bound !== undefined) return uv.UV_EINVAL!
    if (isLinkLocal(given)) return uv.UV_EINVAL!
    if (!this.#host.names().isInside(address)) return uv.UV_EADDRNOTAVAIL!
    const bound = this.#bound({ family, address, port: port === 0 ? this.#ports.free() : port }, flags)
    if (this.#ports.isTaken(bound)) {
      place.delayed = uv.UV_EADDRINUSE!
      place.unbound = { family, address: family === 4 ? '0.0.0.0' : '::', port: 0 }
      return 0
    }
    this.#take(stream, place, bound)
    return 0
  }

  #bound({ family, address, port }: Address, flags = 0): BoundSocket {
    const only6 = (flags & constants.UV_TCP_IPV6ONLY) !== 0
    const reusesPort = (flags & constants.UV_TCP_REUSEPORT) !== 0
    return { family, address, port, only6, reusesPort, isListening: false, backlog: new Backlog(this.#host.nowUs) }
  }

  #take(stream: Stream, place: Place, bound: BoundSocket): void {
    place.bound = bound
    this.#ports.bind(bound)
    stream.release = () => this.#release(place)
  }

  /** A descriptor is closed; returns whether there are others. */
  #release(place: Place): boolean {
    if (--place.holders > 0) return true
    const { bound } = place
    if (bound !== undefined) {
      this.#ports.release(bound)
      bound.backlog.close()
    }
    return false
  }

  /** The descriptor of a handle, to be sent to another process; undefined if it is not of the class. */
  pass(handle: object): PassedSocket | undefined {
    const stream = this.streams.find(handle)
    if (stream === undefined) return undefined
    if (stream.connecting !== undefined) return this.#host.refuse('a connecting socket sent to another process')
    const place = this.#place(stream)
    const { side, name } = stream
    const isHolding = stream.release !== undefined
    if (isHolding) place.holders++
    side?.hold()
    const close = () => {
      side?.close()
      if (isHolding && !this.#release(place)) place.bound?.backlog.queue.close(this.#host.nowUs())
    }
    return new PassedSocket({ place, side, name, isHolding }, close)
  }

  receive({ socket: { place, side, name, isHolding } }: PassedSocket): object {
    const handle = new TCP(constants.SOCKET)
    const stream = this.streams.of(handle)!
    this.#places.set(stream, place)
    stream.name = name
    if (isHolding) stream.release = () => this.#release(place)
    if (side !== undefined) stream.establish(side)
    return handle
  }

  #listen(stream: Stream, backlog: number): number {
    if (stream.isClosed) return uv.UV_EINVAL!
    const place = this.#place(stream)
    if (place.delayed !== 0) return place.delayed
    if (place.bound === undefined)
      this.#take(stream, place, this.#bound({ family: 4, address: '0.0.0.0', port: this.#ports.free() }))
    const bound = place.bound!
    bound.isListening = true
    if (this.#ports.isTaken(bound)) {
      bound.isListening = false
      return uv.UV_EADDRINUSE!
    }
    stream.call()
    bound.backlog.listen(backlog)
    this.unserved.listens(bound.port)
    stream.name = shown(bound)
    this.#host.traffic?.()?.listens(stream.name)
    stream.backlog = bound.backlog.queue
    stream.backlog.poll(stream)
    stream.accept = (side) => this.#accept(stream, bound, side)
    stream.refresh()
    return 0
  }

  #connect(stream: Stream, family: Family, request: Request, address: string, port: number): number {
    if (stream.isClosed) return uv.UV_EINVAL!
    if (stream.connecting !== undefined) return uv.UV_EALREADY!
    const place = this.#place(stream)
    const target = reached(normalAddress(address))
    const inner = family === 6 ? mapped(target) : undefined
    const { gateway, devices, networkFaults } = this.#host
    const opened = gateway?.reaches(inner ?? target, port)
    if (!this.#host.names().isInside(target) && !opened)
      return this.#host.refuse(`a connection to ${shown({ family, address, port })}`)
    stream.call()
    const attempt = { stream, request, type: 'TCPCONNECTWRAP' } as const
    if (place.delayed !== 0) return failConnect(attempt, place.delayed, shown({ family, address: target, port }))
    if (stream.side !== undefined) return this.#connectAgain(stream, stream.side, request)
    if (place.bound === undefined || isAny(place.bound.address)) {
      const near = sourceOf({ family: inner === undefined ? family : 4, address: inner ?? target, port })
      const local = inner === undefined ? near : map(near)
      // One bound to any address gets that of the way it takes, and keeps its port.
      if (place.bound !== undefined) this.#ports.release(place.bound)
      const own = place.bound?.port ?? this.#ports.free()
      this.#take(stream, place, this.#bound({ family, address: local, port: own }))
    }
    const routed: Family = inner === undefined ? family : 4
    const listener = this.#ports.listener(routed, inner ?? target, port)
    const local: Address = place.bound!
    stream.name = shown(local)
    const remote = { family, address: target, port }
    const link = this.#host.link({ address: inner ?? target, port })
    const courier = this.#courier(link)
    const isOutside = listener === undefined && opened
    const near = new Side(shown(local), 'tcp', isOutside ? this.#host : courier)
    // A server of the program's own comes first.
    if (isOutside) {
      place.peer = remote
      return dialOut(attempt, gateway!, { host: inner ?? target, port }, near, shown(remote), (real) => {
        place.bound = { ...place.bound!, ...real }
      })
    }
    const device = listener === undefined ? devices?.at(inner ?? target, port) : undefined
    if (device !== undefined) {
      const refusal = (step: Step) => networkFaults.at('connect', { step, kind: 'connect', resource: shown(remote) })
      const far = new Side(shown(remote), 'tcp', courier)
      if (!joinDevice(attempt, near, far, refusal, (step) => devices!.connect(device, far, step))) return 0
      if (networkFaults.maySever) near.severing = far.severing = (step, ...sent) => networkFaults.severed(step, ...sent)
      place.peer = remote
      place.isUntold = true
      return 0
    }
    if (listener === undefined) {
      this.unserved.refuses(remote, wayHere)
      return failConnect(attempt, uv.UV_ECONNREFUSED!, shown(remote), true, link)
    }
    const server = new Side(shown(listener.family === 6 ? remote : { ...remote, family: routed }), 'tcp', courier)
    const refusal = (step: Step) => networkFaults.at('connect', { step, kind: 'connect', resource: server.name })
    const joining = beginJoining(attempt, shown(listener), near, server, link, refusal)
    if (joining === undefined) return 0
    if (networkFaults.maySever)
      near.severing = server.severing = (step, ...sent) => networkFaults.severed(step, ...sent)
    place.peer = remote
    place.isUntold = true
    // On a socket of both families, an IPv4 address appears inside an IPv6 one.
    const both = listener.family === 6 && routed === 4
    const seen = (of: Address): Address =>
      both && of.family === 4 ? { ...of, family: 6, address: map(of.address) } : of
    this.#peers.set(server, { local: seen({ ...remote, family: routed, address: inner ?? target }), peer: seen(local) })
    listener.backlog.join(joining)
    return 0
  }

  /** Announces what passes a link. */
  #courier(link: Delays | undefined): Courier {
    const host = this.#host
    if (link === undefined) return host
    return {
      nowUs: () => host.nowUs(),
      traffic: () => host.traffic?.(),
      announce: (kind, resource, point, places = 0, message) =>
        host.announce(kind, resource, point, places, message, link),
    }
  }

  /**
   * `connect` on a connection. Linux (inet_stream_connect) tells a program that did not wait for its
   * first `connect` that it has succeeded, once and whatever the address; libuv never waits.
   */
  #connectAgain(stream: Stream, side: Side, request: Request): number {
    const place = this.#place(stream)
    const error = side.writeError(this.#host.nowUs())
    if (error !== undefined) return uv[`UV_${error}`]!
    if (!place.isUntold) return uv.UV_EISCONN!
    place.isUntold = false
    const { step } = this.#host.announce('connect', stream.name)
    const waiting = { ...stream.waiting(request, 'TCPCONNECTWRAP', step), to: stream.name, side: undefined }
    stream.connect({ ...waiting, atUs: this.#host.nowUs(), delayUs: 0, status: 0 })
    return 0
  }

  readonly #peers = new WeakMap<Side, { readonly local: Address; readonly peer: Address }>()

  #accept(server: Stream, { backlog }: BoundSocket, side: Side): Stream {
    backlog.accepted()
    const stream = this.streams.accept(server, side, () => new TCP(constants.SOCKET))
    const place = this.#place(stream)
    const { local, peer } = this.#peers.get(side)!
    // It shares the listener's port, and does not hold it.
    place.bound = this.#bound(local)
    place.peer = peer
    return stream
  }
}

/** A connection to elsewhere is refused in a later tick: its origin is the call. */
function rememberConnecting(host: TcpHost): void {
  const { Socket } = hostRequire('node:net') as typeof import('node:net')
  const { prototype } = Socket
  const { connect } = prototype
  define(prototype, 'connect', function (this: object, ...args: unknown[]) {
    if (host.active() && !isHere(args)) host.approach(new Error('net.Socket connect'))
    return Reflect.apply(connect, this, args)
  })
}

/** Whether the arguments of `connect` name this machine, or leave it out. */
function isHere([first, second]: unknown[]): boolean {
  // Node passes arguments that it has normalized as an array.
  const options = Array.isArray(first) ? first[0] : first
  const named = typeof options === 'object' && options !== null ? (options as { host?: unknown }).host : second
  return typeof named !== 'string' || named === 'localhost' || isLoopback(named)
}

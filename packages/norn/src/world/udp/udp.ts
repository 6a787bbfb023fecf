/**
 * Intercepts UDP sockets: `dgram`.
 *
 * Follows src/udp_wrap.cc of Node, src/unix/udp.c of libuv and Linux's loopback: a send is done at
 * once; nobody listening is an ECONNREFUSED of the next call or read of a connected socket.
 * Invariant: no real descriptor is opened.
 */

import { isIP } from 'node:net'
import { hostRequire, internalBinding } from '../../loader/internals.ts'
import type { Interceptor, LeftOpen } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import { type Address, type Family, isAny, isLoopback, map, shown } from '../network/addresses.ts'
import { Datagrams, isBroadcast, isMulticast, type Port, plain, sourceOf } from '../network/datagrams.ts'
import type { Passed } from '../network/flow.ts'
import { normalAddress } from '../network/names.ts'
import { fillAddress } from '../network/socket-address.ts'
import { destroyed, endContext } from '../realm/callback-scope.ts'
import { errorHere } from '../realm/language.ts'
import { define } from '../realm/replace.ts'
import { callSites } from '../realm/stack.ts'
import { uv } from '../realm/uv.ts'
import { nativeCloser } from '../streams/native-handle.ts'
import { BUFFER_BYTES, KernelSocket, leavesMachine } from './kernel-socket.ts'
import { deliver, type UdpHost } from './udp-delivery.ts'
import { type UdpHandle, UdpSocket } from './udp-socket.ts'
import { Unheard, type UnheardGroup } from './unheard.ts'

/** A UDP socket on its way to another process. */
export class PassedUdp implements Passed {
  readonly kernel: KernelSocket
  readonly close: () => void

  constructor(kernel: KernelSocket, close: () => void) {
    this.kernel = kernel
    this.close = close
  }
}

const { UDP, constants } = internalBinding('udp_wrap') as {
  UDP: (new () => object) & { prototype: Record<string, Function> }
  constants: Record<'UV_UDP_IPV6ONLY' | 'UV_UDP_REUSEADDR' | 'UV_UDP_REUSEPORT', number>
}

/** Virtual cost of a system call on a socket. */
const CALL_US = 2
/** The largest datagram: 64 KiB without the headers. */
const MAX_BYTES = { 4: 65_507, 6: 65_527 } as const

/** Linux's bounds: SOCK_MIN_RCVBUF, SOCK_MIN_SNDBUF. */
const MIN_BUFFER_BYTES = { receive: 2304, send: 4608 } as const

export const udp: Interceptor<UdpHost, { readonly udp: Udp }> = {
  name: 'UDP',
  builtins: {
    dgram: {
      controlled: 'createSocket Socket _createSocketHandle',
      note:
        'Datagrams reach the sockets of the program. Those of one socket to another keep their order; a datagram is lost if the ' +
        "receiver's buffer is full. One to another machine makes the execution inconclusive, as does one to a group that no " +
        'socket of the program joins.',
    },
  },
  install: (host) => {
    rememberSending(host)
    const udp = new Udp(host)
    return {
      provides: { udp },
      leave: () => udp.reset(),
      leftOpen: (left) => udp.addLeft(left),
      closeOf: (isolate) => udp.closeOf(isolate),
    }
  },
}

export class Udp {
  readonly #host: UdpHost
  readonly #datagrams = new Datagrams<KernelSocket>()
  readonly #unheard = new Unheard()
  #sockets = new WeakMap<object, UdpSocket>()
  #open: UdpSocket[] = []
  readonly #nativeBufferSize: Function
  readonly #closeNative: (handle: object) => void

  constructor(host: UdpHost) {
    this.#host = host
    this.#nativeBufferSize = UDP.prototype.bufferSize!
    this.#closeNative = nativeCloser(UDP.prototype)
    for (const [name, mine] of Object.entries(this.#methods())) this.#replace(name, mine)
    this.#noticeSockets()
  }

  /** Whether a socket receives what is sent there. */
  isServed(address: string, port: number): boolean {
    const family = isIP(address) as Family
    const to = plain({ family, address, port })
    return this.#datagrams.receiver({ family: to.family, address: sourceOf(to), port: 0 }, to) !== undefined
  }

  /** A group that only other machines are members of. */
  get unheard(): UnheardGroup | undefined {
    return this.#unheard.first
  }

  /** Handles that keep an isolate alive, in order of creation. */
  handlesOf(isolate: Isolate): object[] {
    const isActive = (socket: UdpSocket) => socket.isolate === isolate && socket.isRefed && !socket.isClosed
    return this.#open.filter(isActive).map(({ handle }) => handle)
  }

  /** Sockets that the program leaves behind, and that keep a process alive. */
  addLeft(left: LeftOpen[]): void {
    for (const opened of this.#open)
      if (!opened.isClosed && opened.keepsAlive()) left.push({ path: opened.name, opened, socket: 'datagrams' })
  }

  /** Closes the sockets of an isolate that has ended. */
  closeOf(isolate: Isolate): void {
    for (const socket of this.#open) if (socket.isolate === isolate) this.#close(socket, undefined)
  }

  /** Closes what an execution left, so that nothing of it reaches the real loop. */
  reset(): void {
    for (const { handle } of this.#open) this.#closeNative(handle)
    if (this.#open.length === 0) return
    this.#open = []
    this.#sockets = new WeakMap()
    this.#datagrams.reset()
    this.#unheard.reset()
  }

  #replace(name: string, mine: (socket: UdpSocket, ...args: never[]) => unknown): void {
    const { prototype } = UDP
    const real = prototype[name]
    if (real === undefined) return
    const udp = this
    define(prototype, name, function (this: UdpHandle, ...args: never[]) {
      return udp.#host.active() ? mine(udp.#of(this), ...args) : Reflect.apply(real, this, args)
    })
  }

  /** A socket that is never bound calls no method: `dgram` only asks for its id when it makes the handle. */
  #noticeSockets(): void {
    const { prototype } = UDP
    const { getAsyncId } = prototype
    const udp = this
    define(prototype, 'getAsyncId', function (this: UdpHandle) {
      if (udp.#host.active()) udp.#of(this)
      return Reflect.apply(getAsyncId!, this, [])
    })
  }

  /** A descriptor is closed. */
  #release(kernel: KernelSocket): void {
    if (--kernel.holders === 0) this.#datagrams.remove(kernel)
  }

  /** The descriptor of a handle, to be sent to another process; undefined if it is not of the class. */
  pass(handle: object): PassedUdp | undefined {
    if (!(handle instanceof UDP)) return undefined
    const { kernel } = this.#of(handle as unknown as UdpHandle)
    kernel.holders++
    return new PassedUdp(kernel, () => this.#release(kernel))
  }

  receive({ kernel }: PassedUdp): object {
    const handle = new UDP()
    this.#of(handle as unknown as UdpHandle, kernel)
    return handle
  }

  #of(handle: UdpHandle, kernel?: KernelSocket): UdpSocket {
    let socket = this.#sockets.get(handle)
    if (socket === undefined) {
      const known = kernel ?? new KernelSocket()
      if (kernel === undefined) known.holders++
      socket = new UdpSocket(handle, this.#host, known)
      this.#sockets.set(handle, socket)
      this.#open.push(socket)
      this.#host.connects(socket)
    }
    return socket
  }

  #methods(): Record<string, (socket: UdpSocket, ...args: never[]) => unknown> {
    // C++ takes what is no number for 0: Node passes on the callback of `bind`.
    const bind = (family: Family) => (socket: UdpSocket, address: string, port: unknown, flags: number) =>
      this.#bind(socket, family, address, Number(port) >>> 0, flags)
    const connect = (family: Family) => (socket: UdpSocket, address: string, port: number) =>
      this.#connect(socket, family, address, port)
    const send =
      (family: Family) =>
      (socket: UdpSocket, _: object, list: ArrayBufferView[], _count: number, ...to: unknown[]) =>
        this.#send(socket, family, list, to)
    /** Sets a number that only a bound socket has. */
    const set = (low: number, high: number) => (socket: UdpSocket, value: number) =>
      value < low || value > high ? uv.UV_EINVAL : socket.kernel.bound === undefined ? uv.UV_EBADF : 0
    return {
      bind: bind(4),
      bind6: bind(6),
      connect: connect(4),
      connect6: connect(6),
      send: send(4),
      send6: send(6),
      open: () => this.#host.refuse('a UDP socket over a file descriptor'),
      disconnect: (socket: UdpSocket) => {
        if (socket.kernel.peer === undefined) return uv.UV_ENOTCONN
        socket.kernel.peer = undefined
        return 0
      },
      recvStart: (socket: UdpSocket) => {
        this.#bindDeferred(socket, 4)
        socket.isReceiving = true
        socket.refresh()
        return 0
      },
      recvStop: (socket: UdpSocket) => {
        socket.isReceiving = false
        socket.refresh()
        return 0
      },
      getsockname: (socket: UdpSocket, out: object) => fillAddress(out, localOf(socket), uv.UV_EBADF!),
      getpeername: (socket: UdpSocket, out: object) =>
        fillAddress(out, socket.kernel.peer, socket.kernel.bound === undefined ? uv.UV_EBADF! : uv.UV_ENOTCONN!),
      setTTL: set(1, 255),
      setMulticastTTL: (socket: UdpSocket, hops: number) => {
        const status = set(0, 255)(socket, hops)
        if (status === 0) socket.kernel.groupHops = hops
        return status
      },
      setBroadcast: (socket: UdpSocket, on: number) => {
        if (socket.kernel.bound === undefined) return uv.UV_EBADF
        socket.kernel.mayBroadcast = Boolean(on)
        return 0
      },
      setMulticastLoopback: (socket: UdpSocket, on: number) => {
        if (socket.kernel.bound === undefined) return uv.UV_EBADF
        socket.kernel.loopsBack = Boolean(on)
        return 0
      },
      setMulticastInterface: (socket: UdpSocket, given: string) => {
        const address = given.replace(/%.*$/, '')
        if (socket.kernel.bound === undefined) return uv.UV_EBADF
        if (isIP(address) === 0) return uv.UV_EINVAL
        if (isIP(address) === 4 && !this.#host.names().isInside(address)) return uv.UV_EADDRNOTAVAIL
        socket.kernel.isOnLoopback = (isLoopback(address) && !isAny(address)) || given.endsWith('%lo')
        return 0
      },
      addMembership: (socket: UdpSocket, group: string, near?: string) => this.#join(socket, group, near),
      dropMembership: (socket: UdpSocket, group: string) => this.#leave(socket, group),
      addSourceSpecificMembership: (socket: UdpSocket, source: string, group: string, near?: string) =>
        this.#join(socket, group, near, source),
      dropSourceSpecificMembership: (socket: UdpSocket, source: string, group: string) =>
        this.#leave(socket, group, source),
      bufferSize: (socket: UdpSocket, size: number, isReceive: boolean, context: object) => {
        // The native handle has no descriptor, so it fails.
        if (socket.kernel.bound === undefined)
          return Reflect.apply(this.#nativeBufferSize, socket.handle, [size, isReceive, context])
        const kind = isReceive ? 'receive' : 'send'
        if (size > 0) socket.kernel.buffers[kind] = Math.max(MIN_BUFFER_BYTES[kind], 2 * Math.min(size, BUFFER_BYTES))
        return socket.kernel.buffers[kind]
      },
      getSendQueueSize: () => 0,
      getSendQueueCount: () => 0,
      ref: (socket: UdpSocket) => {
        socket.isRefed = true
      },
      unref: (socket: UdpSocket) => {
        socket.isRefed = false
      },
      hasRef: (socket: UdpSocket) => socket.isRefed && !socket.isClosed,
      close: (socket: UdpSocket, closed: unknown) => this.#close(socket, closed),
    }
  }

  #bind(socket: UdpSocket, family: Family, given: string, port: number, flags: number): number {
    const only6 = (flags & constants.UV_UDP_IPV6ONLY) !== 0
    const address = normalAddress(given)
    const isUnclear = family === 6 && /^fe[89ab]/.test(address) && !given.includes('%')
    if (socket.kernel.bound !== undefined || isIP(given) !== family || (only6 && family === 4) || isUnclear)
      return uv.UV_EINVAL!
    this.#call()
    if (!this.#host.names().isInside(address) && !isMulticast(address) && !isBroadcast(address))
      return uv.UV_EADDRNOTAVAIL!
    const bound: Port = {
      family,
      address,
      port: port === 0 ? this.#datagrams.free() : port,
      only6,
      reusesAddress: (flags & constants.UV_UDP_REUSEADDR) !== 0,
      reusesPort: (flags & (constants.UV_UDP_REUSEPORT ?? 0)) !== 0,
    }
    if (this.#datagrams.isTaken(bound)) return uv.UV_EADDRINUSE!
    socket.kernel.bound = bound
    this.#datagrams.add(socket.kernel)
    this.#unheard.joins(this.#datagrams)
    return 0
  }

  #bindDeferred(socket: UdpSocket, family: Family, flags = 0): void {
    if (socket.kernel.bound === undefined) this.#bind(socket, family, family === 4 ? '0.0.0.0' : '::', 0, flags)
  }

  #connect(socket: UdpSocket, family: Family, given: string, port: number): number {
    if (isIP(given) !== family) return uv.UV_EINVAL!
    this.#bindDeferred(socket, family)
    this.#call()
    const to: Address = { family, address: normalAddress(given), port }
    if (isBroadcast(to.address) && !socket.kernel.mayBroadcast) return uv.UV_EACCES!
    this.#refuseOutside(to, 'a UDP socket connected to')
    const { address } = plain(to)
    socket.kernel.peer = { ...to, address: plain(to).family === family ? address : map(address) }
    return 0
  }

  /** Returns an error, or the number of bytes and one more. */
  #send(socket: UdpSocket, family: Family, list: readonly ArrayBufferView[], given: readonly unknown[]): number {
    const [port, address] = given as [number | boolean, string?]
    const isAddressed = typeof port === 'number'
    if (isAddressed && isIP(address!) !== family) return uv.UV_EINVAL!
    if (socket.isClosed) return uv.UV_EBADF!
    if (isAddressed === (socket.kernel.peer !== undefined)) return isAddressed ? uv.UV_EISCONN! : uv.UV_EDESTADDRREQ!
    this.#bindDeferred(socket, family)
    this.#call()
    const to = isAddressed ? plain({ family, address: normalAddress(address!), port }) : plain(socket.kernel.peer!)
    const bytes = joined(list)
    if (bytes.length > MAX_BYTES[to.family]) return uv.UV_EMSGSIZE!
    const error = socket.kernel.takeError(this.#host.nowUs())
    if (error !== undefined) return uv[`UV_${error}`]!
    if (isBroadcast(to.address) && !socket.kernel.mayBroadcast) return uv.UV_EACCES!
    this.#refuseOutside(to, 'a datagram to')
    if (!socket.kernel.loopsBack && isMulticast(to.address) && leavesMachine(socket.kernel, to.address))
      this.#host.refuse(`a datagram to ${shown(to)} without loopback`)
    const receivers = deliver(this.#host, this.#datagrams, socket.kernel, to, bytes)
    if (receivers === 0 && leavesMachine(socket.kernel, to.address))
      this.#unheard.add(socket.kernel.bound!, to, errorHere)
    return bytes.length + 1
  }

  /** What other machines answer, and whether there is a way to them, is not norn's to say. */
  #refuseOutside(to: Address, what: string): void {
    const isToMany = isMulticast(to.address) || isBroadcast(to.address)
    if (!isToMany && !this.#host.names().isInside(to.address)) this.#host.refuse(`${what} ${shown(to)}`)
  }

  #join(socket: UdpSocket, group: string, near: string | undefined, source?: string): number {
    const family = isIP(group)
    if (family === 0 || (near && isIP(near.replace(/%.*$/, '')) === 0)) return uv.UV_EINVAL!
    this.#bindDeferred(socket, family as Family, constants.UV_UDP_REUSEADDR)
    if (!isMulticast(group)) return uv.UV_EINVAL!
    if (near && family === 4 && !this.#host.names().isInside(near)) return uv.UV_ENODEV!
    socket.kernel.groups.add(source === undefined ? normalAddress(group) : `${normalAddress(group)} ${source}`)
    this.#unheard.joins(this.#datagrams)
    return 0
  }

  #leave(socket: UdpSocket, group: string, source?: string): number {
    if (isIP(group) === 0) return uv.UV_EINVAL!
    const name = source === undefined ? normalAddress(group) : `${normalAddress(group)} ${source}`
    return socket.kernel.groups.delete(name) ? 0 : uv.UV_EADDRNOTAVAIL!
  }

  #close(socket: UdpSocket, closed: unknown): void {
    if (socket.isClosed) return
    this.#call()
    const { kernel } = socket
    kernel.sockets = kernel.sockets.filter((each) => each !== socket)
    this.#release(kernel)
    socket.isReceiving = false
    socket.isClosed = true
    this.#host.descriptors.close(socket)
    const { handles, announce } = this.#host
    const resource = socket.name
    const run = () => {
      if (typeof closed === 'function') endContext(socket.context, () => Reflect.apply(closed, socket.handle, []))
    }
    if (typeof closed === 'function')
      handles.closes({ step: announce('close', resource).step, kind: 'close', resource, delayUs: 0, run })
    else destroyed(socket.context)
  }

  #call(): void {
    this.#host.sleepUs(CALL_US)
  }
}

/** A datagram to elsewhere is refused in a later tick: its origin is the call. */
function rememberSending(host: UdpHost): void {
  const { prototype } = (hostRequire('node:dgram') as typeof import('node:dgram')).Socket
  const methods = prototype as unknown as Record<'send' | 'connect', Function>
  for (const name of ['send', 'connect'] as const) {
    const real = methods[name]
    define(prototype, name, function (this: object, ...args: unknown[]) {
      const isElsewhere = args.some((each) => typeof each === 'string' && isIP(each) !== 0 && !isLoopback(each))
      // A send that waited for the socket to be bound comes again, without a line of the program.
      const way = isElsewhere && host.active() ? errorHere() : undefined
      if (way !== undefined && callSites(way.stack!).length > 0) host.approach(way)
      return Reflect.apply(real, this, args)
    })
    Object.defineProperty(methods[name], 'length', { value: real.length, configurable: true })
  }
}

/** A copy of the bytes of views. */
function joined(list: readonly ArrayBufferView[]): Uint8Array {
  const bytes = new Uint8Array(list.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of list) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  return bytes
}

/** The address of a socket: bound to any, a connected one shows the address it sends from. */
function localOf({ kernel: { bound, peer } }: UdpSocket): Address | undefined {
  if (bound === undefined || peer === undefined || !isAny(bound.address)) return bound
  const source = sourceOf(plain(peer))
  return { ...bound, address: bound.family === plain(peer).family ? source : map(source) }
}

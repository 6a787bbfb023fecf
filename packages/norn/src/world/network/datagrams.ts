/**
 * Who receives a datagram: the UDP ports of the world and the sockets bound to them.
 *
 * Follows Linux's bind(2) and the socket lookup of net/ipv4/udp.c: a connected socket before one
 * bound to the very address, before one bound to any; of equals the one bound last, or for
 * SO_REUSEPORT one chosen by the sender's port. Pure.
 */
import { type Address, type Family, isAny, mapped, reached } from './addresses.ts'
import { EphemeralPorts } from './ephemeral-ports.ts'

export interface Port extends Address {
  /** Bound to IPv6 alone; otherwise `::` takes IPv4 too. */
  readonly only6: boolean
  readonly reusesAddress: boolean
  readonly reusesPort: boolean
}

export interface Receiver {
  readonly bound: Port | undefined
  /** Only datagrams from there are for it. */
  readonly peer: Address | undefined
  /** Whether it has joined a multicast group, for a sender. */
  hasJoined(group: string, source: string): boolean
}

export class Datagrams<Socket extends Receiver> {
  #sockets: Socket[] = []
  readonly #ephemeral = new EphemeralPorts()

  /** The next free port. */
  free(): number {
    return this.#ephemeral.next((port) => this.#sockets.some(({ bound }) => bound?.port === port))
  }

  isTaken(candidate: Port): boolean {
    return this.#sockets.some(
      ({ bound }) =>
        bound !== undefined &&
        bound.port === candidate.port &&
        !(bound.reusesAddress && candidate.reusesAddress) &&
        !(bound.reusesPort && candidate.reusesPort) &&
        overlap(bound, candidate),
    )
  }

  add(socket: Socket): void {
    this.#sockets.push(socket)
  }

  remove(socket: Socket): void {
    this.#sockets = this.#sockets.filter((each) => each !== socket)
  }

  /** The socket that a datagram is for; undefined if nobody is there. */
  receiver(from: Address, to: Address): Socket | undefined {
    let best: Socket[] = []
    let bestScore = 0
    for (const socket of this.#sockets) {
      const score = scoreOf(socket, from, to)
      if (score > bestScore) [best, bestScore] = [[], score]
      if (score > 0 && score === bestScore) best.push(socket)
    }
    if (best.length === 0) return undefined
    const isGroup = best.every(({ bound }) => bound!.reusesPort)
    return isGroup ? best[from.port % best.length] : best.at(-1)
  }

  /** The sockets that a datagram to a multicast group, or to everybody, is for. */
  receivers(from: Address, to: Address): Socket[] {
    return this.#sockets.filter((socket) => {
      const { bound } = socket
      if (bound === undefined || bound.port !== to.port || bound.family !== to.family) return false
      if (!isAny(bound.address) && bound.address !== to.address) return false
      if (socket.peer !== undefined && !isSame(plain(socket.peer), from)) return false
      return isBroadcast(to.address) || socket.hasJoined(to.address, from.address)
    })
  }

  reset(): void {
    if (this.#sockets.length > 0) this.#sockets = []
    this.#ephemeral.reset()
  }
}

export function isMulticast(address: string): boolean {
  const first = Number(/^\d+/.exec(address)?.[0])
  return address.includes(':') ? address.startsWith('ff') : first >= 224 && first <= 239
}

export function isBroadcast(address: string): boolean {
  return address === '255.255.255.255' || address === '127.255.255.255'
}

/** The address on the wire: an IPv4 address inside an IPv6 one is IPv4. */
export function plain({ family, address, port }: Address): Address {
  const inner = family === 6 ? mapped(address) : undefined
  return { family: inner === undefined ? family : 4, address: reached(inner ?? address), port }
}

/** The address from which a datagram goes to another, if its socket is bound to any. */
export function sourceOf(to: Address): string {
  if (to.family === 6) return isMulticast(to.address) ? '::1' : to.address
  const isNear = to.address.startsWith('127.') || isMulticast(to.address) || isBroadcast(to.address)
  return isNear ? '127.0.0.1' : to.address
}

function scoreOf({ bound, peer }: Receiver, from: Address, to: Address): number {
  if (bound === undefined || bound.port !== to.port) return 0
  if (peer !== undefined && !isSame(plain(peer), from)) return 0
  const takesBoth = bound.family === 6 && !bound.only6
  if (bound.family !== to.family && !(takesBoth && to.family === 4)) return 0
  const address = bound.family === to.family ? bound.address : (mapped(bound.address) ?? bound.address)
  if (!isAny(address) && address !== to.address) return 0
  return 1 + (bound.family === to.family ? 1 : 0) + (isAny(address) ? 0 : 2) + (peer === undefined ? 0 : 4)
}

function isSame(one: Address, other: Address): boolean {
  return one.family === other.family && one.address === other.address && one.port === other.port
}

function overlap(one: Port, other: Port): boolean {
  const families = (port: Port): readonly Family[] =>
    port.family === 4 ? [4] : isAny(port.address) && !port.only6 ? [4, 6] : [plain(port).family]
  if (!families(one).some((family) => families(other).includes(family))) return false
  const [a, b] = [one, other].map((port) => mapped(port.address) ?? port.address) as [string, string]
  return a === b || isAny(a) || isAny(b)
}

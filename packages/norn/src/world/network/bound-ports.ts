/**
 * Who is bound to which port. Follows bind(2) of Linux with SO_REUSEADDR, which libuv sets: two
 * sockets may be bound to one port as long as none of them listens. Pure.
 */
import { type Family, isAny } from './addresses.ts'
import { EphemeralPorts } from './ephemeral-ports.ts'

export interface Bound {
  readonly family: Family
  readonly address: string
  readonly port: number
  /** Bound to IPv6 alone; otherwise `::` takes IPv4 too. */
  readonly only6: boolean
  readonly reusesPort: boolean
  isListening: boolean
}

export class Ports<Socket extends Bound> {
  /** The sockets bound to each port, in order. */
  #bound = new Map<number, Socket[]>()
  readonly #ephemeral = new EphemeralPorts()

  /** The next free port. */
  free(): number {
    return this.#ephemeral.next((port) => this.#bound.has(port))
  }

  /** Whether a bind, or `listen` on what is bound already, meets a listening socket. */
  isTaken(candidate: Bound): boolean {
    return this.#at(candidate.port).some(
      (each) =>
        each !== candidate &&
        (each.isListening || candidate.isListening) &&
        !(each.reusesPort && candidate.reusesPort) &&
        overlap(each, candidate),
    )
  }

  bind(socket: Socket): void {
    const others = this.#bound.get(socket.port)
    if (others === undefined) this.#bound.set(socket.port, [socket])
    else others.push(socket)
  }

  release(socket: Socket): void {
    const others = this.#at(socket.port).filter((each) => each !== socket)
    if (others.length > 0) this.#bound.set(socket.port, others)
    else this.#bound.delete(socket.port)
  }

  /** Who listens there: the one bound to this very address before one bound to any. */
  listener(family: Family, address: string, port: number): Socket | undefined {
    let any: Socket | undefined
    for (const each of this.#at(port)) {
      if (!each.isListening) continue
      if (each.family === family && each.address === address) return each
      if (isAny(each.address) && (each.family === family || (each.family === 6 && !each.only6))) any ??= each
    }
    return any
  }

  reset(): void {
    if (this.#bound.size > 0) this.#bound = new Map()
    this.#ephemeral.reset()
  }

  #at(port: number): readonly Socket[] {
    return this.#bound.get(port) ?? []
  }
}

function overlap(a: Bound, b: Bound): boolean {
  if (a.family === b.family) return a.address === b.address || isAny(a.address) || isAny(b.address)
  const [six, four] = a.family === 6 ? [a, b] : [b, a]
  return isAny(six.address) && !six.only6 && four.family === 4
}

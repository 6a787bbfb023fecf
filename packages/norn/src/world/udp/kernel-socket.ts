/**
 * A UDP socket as the kernel has it: its address, what is on its way to it, and its buffer.
 *
 * Follows net/ipv4/udp.c of Linux: a datagram that the receiver's buffer has no room for is lost;
 * nobody listening is an error of the next call or read of a connected socket.
 */
import type { Step } from '../loop/causality.ts'
import type { Address } from '../network/addresses.ts'
import { isMulticast, type Port, type Receiver } from '../network/datagrams.ts'

export interface Datagram {
  readonly bytes: Uint8Array
  readonly from: Address
  readonly step: Step
  readonly atUs: number
  readonly delayUs: number
}

/** Linux's default and most: `net.core.rmem_default` and `rmem_max`. */
export const BUFFER_BYTES = 212_992

type Refused = Omit<Datagram, 'bytes' | 'from'>

/** What the kernel has of a socket; processes may share it. */
export class KernelSocket implements Receiver {
  bound: Port | undefined
  peer: Address | undefined
  mayBroadcast = false
  loopsBack = true
  /** Of what it sends to groups: no hop stays on this machine, and so does its loopback device. */
  groupHops = 1
  isOnLoopback = false
  readonly buffers = { receive: BUFFER_BYTES, send: BUFFER_BYTES }
  /** Multicast groups, each with the only source wanted. */
  readonly groups = new Set<string>()
  /** Nothing that it sends to a socket arrives there before that. */
  readonly sentUs = new Map<KernelSocket, number>()
  /** What the next datagram to a socket overtakes. */
  readonly overtaken = new Map<KernelSocket, Datagram>()
  /** Descriptors that refer to it. */
  holders = 0
  /** The handles of processes. */
  sockets: readonly { refresh(): void }[] = []
  #refused: Refused | undefined
  #arriving: Datagram[] = []
  #queue: Datagram[] = []
  #queued = 0

  hasJoined(group: string, source: string): boolean {
    return this.groups.has(group) || this.groups.has(`${group} ${source}`)
  }

  receive(datagram: Datagram): void {
    const later = this.#arriving.findIndex(({ atUs }) => atUs > datagram.atUs)
    if (later < 0) this.#arriving.push(datagram)
    else this.#arriving.splice(later, 0, datagram)
    this.#refresh()
  }

  /** A datagram on its way arrives earlier, behind what arrives at the same time. */
  hasten(datagram: Datagram, atUs: number): void {
    const at = this.#arriving.indexOf(datagram)
    if (at < 0 || datagram.atUs <= atUs) return
    this.#arriving.splice(at, 1)
    this.receive({ ...datagram, atUs })
  }

  /** Nobody was where it sent to. */
  refuse(refused: Refused): void {
    this.#refused ??= refused
    this.#refresh()
  }

  /** An error that has arrived. */
  error(nowUs: number): Refused | undefined {
    return this.#refused !== undefined && this.#refused.atUs <= nowUs ? this.#refused : undefined
  }

  /** The error that the next call meets, once. */
  takeError(nowUs: number): 'ECONNREFUSED' | undefined {
    if (this.error(nowUs) === undefined) return undefined
    this.#refused = undefined
    this.#refresh()
    return 'ECONNREFUSED'
  }

  /** When something is to be read; infinite if nothing is on its way. */
  get readyUs(): number {
    const first = this.#queue[0] ?? this.#arriving[0]
    return Math.min(first?.atUs ?? Number.POSITIVE_INFINITY, this.#refused?.atUs ?? Number.POSITIVE_INFINITY)
  }

  /** The first that has arrived. Puts what has into the buffer; what has no room there is lost. */
  first(nowUs: number): Datagram | undefined {
    while (this.#arriving[0] !== undefined && this.#arriving[0].atUs <= nowUs) {
      const datagram = this.#arriving.shift()!
      if (this.#queued > this.buffers.receive) continue
      this.#queued += memoryOf(datagram.bytes)
      this.#queue.push(datagram)
    }
    this.#refresh()
    return this.#queue[0]
  }

  /** The first is read. */
  take(): void {
    this.#queued -= memoryOf(this.#queue.shift()!.bytes)
    this.#refresh()
  }

  #refresh(): void {
    for (const socket of this.sockets) socket.refresh()
  }
}

/** Whether what a socket sends to a group, or to everybody, is for other machines too. */
export function leavesMachine({ groupHops, isOnLoopback }: KernelSocket, address: string): boolean {
  if (address === '255.255.255.255') return true
  return isMulticast(address) && groupHops > 0 && !isOnLoopback && !/^ff.1:/.test(address)
}

/** The memory that a datagram takes of the receiver's buffer: Linux counts what is allocated. */
function memoryOf({ length }: Uint8Array): number {
  const overhead = 364
  return 256 + Math.max(512, length > 8192 ? length + overhead : 2 ** Math.ceil(Math.log2(length + overhead)))
}

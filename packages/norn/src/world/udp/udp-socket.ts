/** A handle of Node's class `UDP`, as the loop serves it. */
import type { Arrival } from '../loop/async-handles.ts'
import { Descriptor } from '../loop/poll-descriptors.ts'
import { shown } from '../network/addresses.ts'
import type { NetworkHost } from '../network/network-host.ts'
import { socketAddress } from '../network/socket-address.ts'
import { type CallbackContext, contextOf, inContext } from '../realm/callback-scope.ts'
import { uv } from '../realm/uv.ts'
import type { KernelSocket } from './kernel-socket.ts'

export interface UdpHandle {
  onmessage(size: number, handle: UdpHandle, bytes?: Buffer, from?: object): void
}

/** Datagrams that a socket reads in a poll phase at most (src/unix/udp.c of libuv). */
const READS = 32

export class UdpSocket extends Descriptor {
  readonly handle: UdpHandle
  readonly context: CallbackContext
  readonly #host: NetworkHost
  readonly kernel: KernelSocket
  isReceiving = false
  isRefed = true
  isClosed = false
  #hasFailed = false

  constructor(handle: UdpHandle, host: NetworkHost, kernel: KernelSocket) {
    super(host.causality.isolate)
    this.handle = handle
    this.#host = host
    this.kernel = kernel
    kernel.sockets = [...kernel.sockets, this]
    this.context = contextOf(handle)
  }

  keepsAlive(): boolean {
    return this.isRefed && this.isReceiving
  }

  /** Where it is, for traces. */
  get name(): string {
    const { bound } = this.kernel
    return bound === undefined ? '' : shown(bound)
  }

  refresh(): void {
    if (this.isClosed) return
    this.readyUs = this.isReceiving ? this.kernel.readyUs : Number.POSITIVE_INFINITY
    if (this.isReceiving) this.#host.descriptors.watch(this)
    else this.#host.descriptors.unwatch(this)
  }

  override next(nowUs: number, index: number): Arrival | undefined {
    if (index === 0) this.#hasFailed = false
    if (index >= READS || this.#hasFailed || !this.isReceiving) return undefined
    const { kernel, isolate, name: resource } = this
    const refused = kernel.error(nowUs)
    if (refused !== undefined) {
      const { step, delayUs } = refused
      const run = () => {
        this.#hasFailed = true
        const error = kernel.takeError(nowUs) === undefined ? 0 : uv.UV_ECONNREFUSED!
        inContext(this.context, () => this.handle.onmessage(error, this.handle))
      }
      return { step, isolate, kind: 'refused', resource, delayUs, run }
    }
    const first = kernel.first(nowUs)
    if (first === undefined) return undefined
    const run = () => {
      kernel.take()
      const from = socketAddress(first.from)
      const bytes = Buffer.from(first.bytes.buffer as ArrayBuffer)
      inContext(this.context, () => this.handle.onmessage(bytes.length, this.handle, bytes, from))
    }
    return { step: first.step, isolate, kind: 'message', resource, delayUs: first.delayUs, run }
  }
}

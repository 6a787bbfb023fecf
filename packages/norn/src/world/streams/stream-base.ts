/**
 * A socket as Node's handles of streams show it: connecting, reading, writing, ending and closing.
 *
 * Follows src/stream_base.cc and src/stream_wrap.cc of Node and src/unix/stream.c of libuv: a write
 * is done at once as far as the other side's buffer has room, and calls back later for the rest;
 * reads take up to 64 KiB, again while the buffer was filled, 32 times at most in a phase; the end
 * is a read of its own. Invariant: no real descriptor is opened, and the native handle is closed
 * with the virtual one or with the execution.
 */
import { internalBinding } from '../../loader/internals.ts'
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import type { LeftOpen } from '../loop/interceptor.ts'
import { Descriptor } from '../loop/poll-descriptors.ts'
import type { Side } from '../network/connection.ts'
import type { Passed } from '../network/flow.ts'
import type { NetworkHost } from '../network/network-host.ts'
import {
  type CallbackContext,
  contextOf,
  destroyed,
  endContext,
  inContext,
  newContext,
} from '../realm/callback-scope.ts'
import { uv } from '../realm/uv.ts'
import type { AcceptQueue } from './accept-queue.ts'
import type { Request, Waiting } from './stream-request.ts'
import { streamState } from './stream-state.ts'
import { type Framing, WriteQueue } from './write-queue.ts'

/** A handle of Node's, `TCP` or `Pipe`. */
export interface StreamHandle {
  onread(buffer?: ArrayBuffer): Uint8Array | undefined
  onconnection(status: number, client?: object): void
  /** Of a channel between processes: what came with the bytes. */
  pendingHandle?: object
}

export interface Connecting extends Waiting {
  readonly atUs: number
  readonly delayUs: number
  readonly status: number
  /** The established side, if the connection succeeds. */
  readonly side: Side | undefined
  /** Where to, for traces. */
  readonly to: string
}

const { owner_symbol } = internalBinding<{ owner_symbol: symbol }>('symbols')

/** What reads a stream in place of the program: a native stream over it. */
export interface Consumer extends Framing {
  read(bytes: Uint8Array): void
  /** The end or an error; by default the handle learns of it. */
  ended?(status: number): void
}

/** Descriptors over a channel between processes. */
export interface Channel {
  /** The descriptor of a handle, to be sent. */
  pass(handle: object): Passed
  /** A handle of a descriptor that came. */
  receive(passed: Passed): object
}

/** Virtual cost of a system call on a socket. */
const CALL_US = 2
const READ_BYTES = 65536
const READS = 32
/** Lengths of parts vary by some bytes from run to run, so only their magnitude counts. */
const costOf = (length: number) => (length <= 1024 ? 1024 : 16384)

export class Stream extends Descriptor {
  readonly handle: StreamHandle
  readonly host: NetworkHost
  context: CallbackContext
  /** Where it is, for traces. */
  name = ''
  side: Side | undefined
  connecting: Connecting | undefined
  /** Connections to accept, of a listening socket. */
  backlog: AcceptQueue | undefined
  /** Creates the stream of an accepted connection. */
  accept: ((side: Side) => Stream) | undefined
  /** Frees the address. Returns whether another process still has the socket. */
  release: (() => boolean) | undefined
  /** Between processes: how descriptors travel over it. */
  channel: Channel | undefined
  /** Reads in place of the handle. */
  consumer: Consumer | undefined
  isRefed = true
  isClosed = false
  /** Whether its last callback has run. */
  isForgotten = false
  isReading = false
  bytesRead = 0
  bytesWritten = 0
  #isClient = false
  #isShut = false
  #isBroken = false
  #staysOpen = false
  #userBuffer: Uint8Array | undefined
  readonly #writes = new WriteQueue()
  #shutdown: Waiting | undefined
  #stage: 'connect' | 'read' | 'write' | 'done' = 'done'
  #reads = 0
  #isPartial = false
  #isWritable = false

  constructor(handle: StreamHandle, host: NetworkHost) {
    super(host.causality.isolate)
    this.handle = handle
    this.host = host
    this.context = contextOf(handle)
  }

  /** An agent gives the connection to another request, with a context of its own. */
  renew(resource: object): void {
    destroyed(this.context)
    this.context = { ...contextOf(this.handle), resource }
  }

  keepsAlive(): boolean {
    if (this.connecting !== undefined || !this.#writes.isEmpty) return true
    return this.isRefed && (this.isReading || this.backlog !== undefined)
  }

  /**
   * What it leaves behind, if it keeps a process alive: a server, a connection by its client, or an
   * accepted one that the client has closed. Idle sockets of agents and pools keep none.
   */
  get left(): LeftOpen | undefined {
    if (!this.keepsAlive()) return undefined
    if (this.backlog !== undefined) return { path: this.name, opened: this, socket: 'server' }
    const peer = this.side?.peer
    if (peer === undefined || !(this.#isClient || peer.isClosed)) return undefined
    return { path: peer.name, opened: this, socket: 'connection' }
  }

  /** Takes its place on a side of a connection. */
  establish(side: Side): void {
    if (this.side !== side) side.attach(this)
    this.side = side
    this.name = side.name
    this.refresh()
  }

  /** Begins to connect. */
  connect(connecting: Connecting): void {
    this.connecting = connecting
    this.#isClient = true
    if (connecting.side !== undefined) this.establish(connecting.side)
    this.refresh()
  }

  /** Waits for a request of the program. */
  waiting(request: Request, type: string, step: Step): Waiting {
    return { request, step, context: newContext(type, request, this.context.asyncId) }
  }

  call(): void {
    this.host.sleepUs(CALL_US)
  }

  /** Recomputes when it is ready, after any change. */
  refresh(): void {
    if (this.isClosed) return
    const { side, connecting, backlog } = this
    let us = Number.POSITIVE_INFINITY
    if (backlog !== undefined) us = backlog.readyUs(this)
    else if (connecting !== undefined) us = connecting.atUs
    else if (side !== undefined) {
      if (this.isReading) us = side.inbound.readableUs
      if (!this.#writes.isEmpty) us = Math.min(us, this.#writes.readyUs(side))
    }
    this.readyUs = us
    const isWanted = backlog !== undefined || connecting !== undefined || this.isReading || !this.#writes.isEmpty
    if (isWanted) this.host.descriptors.watch(this)
    else this.host.descriptors.unwatch(this)
  }

  drained(): void {
    if (this.#writes.drained(this.side!, this.host.nowUs())) this.refresh()
  }

  // Calls of the program

  readStart(): number {
    if (this.isClosed) return uv.UV_EINVAL!
    if (this.isReading) return uv.UV_EALREADY!
    if (this.side === undefined || this.#isBroken) return uv.UV_ENOTCONN!
    this.isReading = true
    this.refresh()
    return 0
  }

  readStop(): number {
    this.isReading = false
    this.refresh()
    return 0
  }

  useUserBuffer(buffer: Uint8Array): number {
    this.#userBuffer = buffer
    return 0
  }

  /**
   * @param bytes no one else changes them
   *
   * @param passed a descriptor that goes with them; then the write calls back in any case
   */
  write(request: Request, bytes: Uint8Array, passed?: Passed): number {
    streamState.write(bytes.length, false)
    if (this.isClosed) return uv.UV_EBADF!
    const { side } = this
    if (side === undefined) return uv.UV_EBADF!
    if (this.#isShut) return uv.UV_EPIPE!
    this.call()
    const error = this.connecting === undefined ? side.writeError(this.host.nowUs()) : undefined
    if (error !== undefined) return uv[`UV_${error}`]!
    this.bytesWritten += bytes.length
    const isFirst = this.connecting === undefined && this.#writes.isEmpty
    const sends = isFirst && (passed === undefined || side.outbound.room > 0)
    const left = sends ? this.#writes.send(side, bytes, this.consumer, passed) : bytes
    if (left.length === 0 && passed === undefined) return 0
    streamState.write(bytes.length, true)
    const step = this.#announce('write')
    const write = { ...this.waiting(request, 'WRITEWRAP', step), bytes: left, status: 0 }
    if (left.length === 0) {
      this.#writes.complete({ ...write, passed: undefined })
      this.host.descriptors.feed(this)
      return 0
    }
    this.#writes.push({ ...write, passed: sends ? undefined : passed })
    this.refresh()
    return 0
  }

  /** Announces what follows from the program's call. */
  #announce(kind: string): Step {
    const { step } = this.host.announce(kind, this.name)
    this.host.traffic?.()?.isRoutine(step)
    this.host.messaging?.()?.isRoutine(step)
    return step
  }

  get writeQueueSize(): number {
    return this.#writes.size
  }

  shutdown(request: Request): number {
    if (this.isClosed || this.side === undefined || this.#isShut || this.#isBroken) return uv.UV_ENOTCONN!
    this.#isShut = true
    this.#shutdown = this.waiting(request, 'SHUTDOWNWRAP', this.#announce('shutdown'))
    if (this.#writes.isEmpty) this.host.descriptors.feed(this)
    return 0
  }

  /** libuv resets nothing whose end waits; Node then never closes the handle (TCPWrap::Reset). */
  reset(closed: unknown): number {
    if (this.#staysOpen) return 0
    this.#staysOpen = this.#shutdown !== undefined
    if (this.#staysOpen) return uv.UV_EINVAL!
    this.close(closed, true)
    return 0
  }

  /** Closes it; what waits is cancelled in the closing phase, and then `closed` is called. */
  close(closed: unknown, isReset = false): void {
    if (this.isClosed || this.#staysOpen) return
    this.call()
    const { handles, descriptors } = this.host
    this.isClosed = true
    const closes = (step: Step, kind: string, run: () => void) => handles.closes(this.#arrival(step, kind, 0, run))
    // The last one comes first.
    if (typeof closed === 'function') {
      const step = this.#announce('close')
      closes(step, 'close', () => {
        endContext(this.context, () => Reflect.apply(closed, this.handle, []))
        this.#forget()
      })
    } else destroyed(this.context)
    const cancelled = (each: Waiting | undefined, kind: string, usable?: boolean) => {
      if (each !== undefined) closes(each.step, kind, () => this.#complete(each, uv.UV_ECANCELED!, usable))
    }
    cancelled(this.#shutdown, 'shutdown')
    const { waiting, completed } = this.#writes.unanswered
    for (const write of waiting) cancelled(write, 'write')
    for (const write of completed) closes(write.step, 'write', () => this.#complete(write, write.status))
    cancelled(this.connecting, 'connect', false)
    this.#leave(isReset)
    descriptors.close(this)
  }

  /**
   * Its last callback has run: lets go of the program's objects, as Node does with the handle, which
   * here lives until the execution ends.
   */
  #forget(): void {
    this.isForgotten = true
    ;(this.handle as unknown as Record<symbol, unknown>)[owner_symbol] = undefined
    this.context = { ...this.context, resource: this.handle, frame: undefined }
    this.accept = this.release = this.consumer = this.#userBuffer = undefined
  }

  /** Ends with its isolate: only the other side learns of it. */
  die(): void {
    this.isClosed = true
    this.#leave(false)
    this.host.descriptors.close(this)
  }

  /** Ends with the execution: nobody learns of it. */
  abandon(): void {
    this.isClosed = true
  }

  #leave(isReset: boolean): void {
    this.isReading = false
    this.#writes.clear()
    this.#shutdown = this.connecting = undefined
    this.backlog?.leave(this)
    this.side?.detach(this)
    this.side?.close(isReset)
    const isShared = this.release?.() ?? false
    if (!isShared) this.backlog?.close(this.host.nowUs())
    this.backlog = undefined
  }

  /** Calls back in the next check phase. */
  soon(kind: string, run: () => void): void {
    this.host.handles.setImmediate(this.#arrival(this.host.announce(kind, this.name).step, kind, 0, run))
  }

  // What the loop serves

  override next(nowUs: number, index: number, polledUs: number): Arrival | undefined {
    if (this.backlog !== undefined) return index === 0 ? this.#accepted(nowUs) : undefined
    if (index === 0) {
      this.#begin(this.connecting === undefined ? 'read' : 'connect')
      this.#isWritable = this.connecting === undefined && (this.#writes.isWritable(polledUs) || this.#hangsUp(polledUs))
    }
    if (this.#stage === 'connect') {
      this.#stage = 'done'
      return this.#connected(nowUs)
    }
    if (this.#stage === 'read') {
      const arrival = this.isReading ? this.#read(nowUs) : undefined
      if (arrival !== undefined) return arrival
      this.#stage = this.isClosed || !this.#isWritable ? 'done' : 'write'
      if (this.#stage === 'write') this.#flush(nowUs)
    }
    return this.#stage === 'write' ? this.#wrote() : undefined
  }

  override fed(nowUs: number, index: number): Arrival | undefined {
    if (index === 0) {
      this.#begin(this.connecting === undefined ? 'write' : 'connect')
      if (this.#stage === 'connect') {
        this.#stage = 'done'
        return this.#connected(nowUs)
      }
      this.#flush(nowUs)
    }
    return this.#stage === 'write' ? this.#wrote() : undefined
  }

  #arrival(step: Step, kind: string, delayUs: number, run: () => void, resource = this.name): Arrival {
    return { step, isolate: this.isolate, kind, resource, delayUs, run }
  }

  #begin(stage: 'connect' | 'read' | 'write'): void {
    this.#stage = stage
    this.#reads = 0
    this.#isPartial = false
  }

  #accepted(nowUs: number): Arrival | undefined {
    const first = this.backlog!.first(this, nowUs)
    if (first === undefined) return undefined
    const { step, delayUs, side } = first
    const run = () => {
      this.backlog!.take()
      const client = this.accept!(side)
      inContext(this.context, () => this.handle.onconnection(0, client.handle))
    }
    return this.#arrival(step, 'accept', delayUs, run)
  }

  #connected(nowUs: number): Arrival {
    const connecting = this.connecting!
    const { step, delayUs, side, to } = connecting
    const run = () => {
      this.connecting = undefined
      const status = side?.inbound.hasReset(nowUs) ? uv.UV_ECONNRESET! : connecting.status
      this.#isBroken = status !== 0
      this.refresh()
      this.#complete(connecting, status, status === 0)
    }
    return this.#arrival(step, 'connect', delayUs, run, to)
  }

  #complete({ request, context }: Waiting, status: number, usable?: boolean): void {
    const rest = usable === undefined ? [this.handle, undefined] : [this.handle, request, usable, usable]
    // Node takes the callback of an attempt that timed out away.
    endContext(context, () => request.oncomplete?.(status, ...rest))
  }

  /** Whether both directions have ended, or were reset (EPOLLHUP). */
  #hangsUp(polledUs: number): boolean {
    const { side } = this
    return side!.inbound.hasReset(polledUs) || (side!.inbound.hasEnd(polledUs) && side!.hasEnded)
  }

  #read(nowUs: number): Arrival | undefined {
    const { inbound } = this.side!
    if (this.#isPartial || this.#reads++ >= READS) return undefined
    const first = inbound.first(nowUs)
    if (first !== undefined) {
      const size = this.#available(nowUs)
      const { step, delayUs } = first
      return this.#arrival(step, 'data', delayUs, () => this.#deliver(size))
    }
    if (inbound.hasEnded(nowUs)) return this.#ended()
    if (!inbound.hasReset(nowUs)) return undefined
    const { step, delayUs } = inbound.reset!
    this.#isBroken = true
    return this.#arrival(step, 'reset', delayUs, () => this.#emit(uv.UV_ECONNRESET!))
  }

  /** The size of the next read. */
  #available(nowUs: number): number {
    const { inbound } = this.side!
    if (this.consumer?.parts !== undefined) {
      const { size, isAll } = inbound.segments(nowUs, READ_BYTES, costOf)
      this.#isPartial = isAll
      return size
    }
    const most = (this.consumer === undefined ? this.#userBuffer?.length : undefined) ?? READ_BYTES
    const size = inbound.available(nowUs, most)
    this.#isPartial = size < most
    return size
  }

  #ended(): Arrival {
    const { step, delayUs } = this.side!.inbound.end!
    return this.#arrival(step, 'end', delayUs, () => this.#emit(uv.UV_EOF!))
  }

  #deliver(size: number): void {
    const { inbound } = this.side!
    const buffer = this.consumer === undefined ? this.#userBuffer : undefined
    this.bytesRead += size
    this.host.traffic?.()?.reads(inbound.steps(size))
    const messaging = this.host.messaging?.()
    for (const step of messaging === undefined ? [] : inbound.steps(size)) messaging!.receives(step)
    let bytes: Uint8Array | undefined
    const passed = this.channel === undefined ? undefined : inbound.takePassed(size)
    if (buffer === undefined) bytes = inbound.take(size)
    else inbound.takeInto(buffer, size)
    this.side!.hasRead()
    this.refresh()
    if (this.consumer !== undefined) {
      this.consumer.read(bytes!)
      return
    }
    if (passed !== undefined) this.handle.pendingHandle = this.channel!.receive(passed)
    streamState.read(size, bytes?.byteOffset)
    const next = inContext(this.context, () => this.handle.onread(bytes?.buffer as ArrayBuffer | undefined))
    if (buffer !== undefined && next instanceof Uint8Array) this.#userBuffer = next
  }

  /** Reports the end or an error, after which nothing is read. */
  #emit(status: number): void {
    this.isReading = false
    this.refresh()
    if (this.consumer?.ended !== undefined) {
      this.consumer.ended(status)
      return
    }
    streamState.read(status)
    inContext(this.context, () => this.handle.onread())
  }

  #flush(nowUs: number): void {
    this.#writes.flush(this.side!, this.consumer, nowUs)
    this.refresh()
  }

  /** The next callback of a write, then that of the end. */
  #wrote(): Arrival | undefined {
    const write = this.#writes.next
    if (write !== undefined) {
      const run = () => {
        this.#writes.takeNext()
        this.#complete(write, write.status)
      }
      return this.#arrival(write.step, 'write', 0, run)
    }
    const shutdown = this.#shutdown
    if (shutdown === undefined || !this.#writes.isEmpty) return undefined
    const run = () => {
      this.#shutdown = undefined
      const isReset = this.side!.inbound.hasReset(this.host.nowUs())
      this.side!.end()
      this.#complete(shutdown, isReset ? uv.UV_ENOTCONN! : 0)
    }
    return this.#arrival(shutdown.step, 'shutdown', 0, run)
  }
}

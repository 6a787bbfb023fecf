/**
 * One HTTP/2 session: Node's own, with the real nghttp2, over a stream that norn serves.
 *
 * Follows src/node_http2.cc. nghttp2 reads from a JSStream in place of the socket's handle, so every
 * byte passes through norn. It sends where Node does: after it has received, when the program
 * closes it or resets a stream, else in a native immediate, for which norn lets it receive something
 * without meaning (./http2-frames.ts).
 */
import type { Arrival, AsyncHandles } from '../loop/async-handles.ts'
import type { Causality } from '../loop/causality.ts'
import type { Courier } from '../network/connection.ts'
import { type CallbackContext, contextOf, inContext, withoutHooks } from '../realm/callback-scope.ts'
import type { Activity } from '../realm/replace.ts'
import { JSStream, safely } from '../streams/js-stream.ts'
import type { NativeCalls } from '../streams/native-calls.ts'
import { Inbound, NO_SETTINGS, NO_SETTINGS_REASON, Outbound } from './http2-frames.ts'

export interface SessionHost extends Activity, Courier {
  readonly calls: NativeCalls
  readonly handles: AsyncHandles
  readonly causality: Causality
  stopped(): boolean
}

/** The native `Http2Session`. */
export interface SessionHandle {
  readonly fields: Uint8Array
}

/** Its methods, as Node made them. */
export interface RealSession {
  receive(handle: SessionHandle, bytes: Uint8Array): void
  destroy(handle: SessionHandle, code: number, isSocketClosed: boolean): void
  destroyStream(handle: object): void
  /** The limit on streams that the other side has set. */
  maxStreams(handle: SessionHandle): number
  /** Tells the program of an error of nghttp2. */
  fails(handle: SessionHandle, code: number): void
}

/** What the session reads and writes. */
export interface Carrier {
  readonly name: string
  isClosing(): boolean
  readStart(): number
  readStop(): number
  /** Calls `done` later, or has returned an error or `done` already. */
  write(buffers: readonly Uint8Array[], done: (status: number) => void): number | 'done'
  /** Gives the session what arrives; the end goes to the socket. */
  listen(hear: (bytes: Uint8Array) => void): void
  /** Gets what arrives when no session listens any more. */
  unheard(buffer: ArrayBuffer | undefined): unknown
}

/**
 * What a write returns that is done at once. A JSStream knows only writes that are done later, or
 * failed; C++ does with a failed one what it does with one that a socket takes at once.
 */
const DONE = 1

const { ERR_PROTO, ERR_BAD_CLIENT_MAGIC } = { ERR_PROTO: -505, ERR_BAD_CLIENT_MAGIC: -903 }

/** The bits of `fields` that a SETTINGS frame concerns. */
export interface SettingsBits {
  /** Their place in `fields`. */
  readonly at: number
  readonly hasListeners: number
  readonly isUpToDate: number
}

export class Session {
  readonly handle: SessionHandle
  readonly native = withoutHooks(() => new JSStream())
  readonly outbound: Outbound
  readonly #host: SessionHost
  readonly #real: RealSession
  readonly #carrier: Carrier
  readonly #bits: SettingsBits
  readonly #context: CallbackContext
  readonly #inbound: Inbound
  isDestroyed = false
  /** The handles of its streams that the program has not destroyed: C++ keeps them, and they it. */
  readonly streams = new Set<object>()
  #isWriting = false
  /** Whether an immediate is to come. */
  #isScheduled = false
  /** Whether nghttp2 was to send while it waited for the socket. */
  #isDue = false
  /** Whether the socket is being given bytes; one in JavaScript may answer at once. */
  #isInWrite = false
  #answers: Uint8Array[] = []
  /** Calls of C++ in progress. */
  #depth = 0
  #awaited: { readonly kind: string; readonly run: () => void }[] = []

  constructor(
    handle: SessionHandle,
    isServer: boolean,
    carrier: Carrier,
    real: RealSession,
    bits: SettingsBits,
    host: SessionHost,
  ) {
    this.handle = handle
    this.#host = host
    this.#real = real
    this.#carrier = carrier
    this.#bits = bits
    this.#context = contextOf(handle)
    this.outbound = new Outbound(isServer)
    this.#inbound = new Inbound(isServer, () => this.outbound.received(false))
    const { native } = this
    const called = <Result>(action: () => Result) => host.calls.immediates.callsBack(action)
    native.isClosing = () => carrier.isClosing()
    native.onreadstart = () => safely(() => called(() => carrier.readStart()))
    native.onreadstop = () => safely(() => called(() => carrier.readStop()))
    native.onwrite = (request, buffers) => safely(() => called(() => this.#write(request, buffers)))
    native.onshutdown = (request) => {
      native.finishShutdown(request, 0)
      return 0
    }
    native.onread = (buffer) => called(() => carrier.unheard(buffer))
    carrier.listen((bytes) => this.receives(bytes))
  }

  /** Whether the socket has yet to take what was written. */
  get isWriting(): boolean {
    return this.#isWriting
  }

  get name(): string {
    return this.#carrier.name
  }

  /** Calls a native method of the session or of one of its streams. */
  calls<Result>(action: () => Result): Result {
    this.#depth++
    try {
      return this.#host.calls.immediates.calls(() => this.#noticed(), action)
    } finally {
      this.#depth--
      if (this.#depth === 0) {
        this.#settle()
        for (const bytes of this.#answers.splice(0)) this.receives(bytes)
      }
    }
  }

  /** Whether C++ is in the middle of something, and puts off what it would do to a stream. */
  get isBusy(): boolean {
    return this.#depth > 0
  }

  /** Runs something in the check phase for which C++ sets an immediate now, or when it is done. */
  withImmediate(kind: string, run: () => void): void {
    this.#awaited.push({ kind, run })
  }

  /** C++ has set an immediate: it sends, or closes something. */
  #noticed(): void {
    this.#settle()
    this.#schedule()
  }

  #settle(): void {
    if (this.#awaited.length > 0) for (const { kind, run } of this.#awaited.splice(0)) this.soon(kind, run)
  }

  /** Bytes have arrived. */
  receives(bytes: Uint8Array): void {
    this.#feed(bytes, (given) => this.native.readBuffer(given))
  }

  /** The socket had read bytes before it had a session. */
  receivesEarly(bytes: Uint8Array): void {
    this.#feed(bytes, (given) => this.#real.receive(this.handle, given))
  }

  #feed(bytes: Uint8Array, receive: (given: Uint8Array) => void): void {
    // Node aborts if data comes before it knows that it has to wait for the socket.
    if (this.#isInWrite) {
      this.#answers.push(bytes)
      return
    }
    const given = this.#inbound.take(bytes)
    if (given.length > 0) this.calls(() => receive(given))
    else if (this.#isScheduled) this.#send()
    const { fault } = this.#inbound
    if (fault === undefined || this.isDestroyed) return
    if (fault === 'settings') {
      this.outbound.reason = NO_SETTINGS_REASON
      this.calls(() => receive(NO_SETTINGS))
    }
    const code = fault === 'magic' ? ERR_BAD_CLIENT_MAGIC : ERR_PROTO
    inContext(this.#context, () => this.#real.fails(this.handle, code))
  }

  /** Runs in the next check phase. */
  soon(kind: string, run: () => void): void {
    const { handles, announce, causality, calls } = this.#host
    const { step } = announce(kind, this.name)
    const arrival: Arrival = {
      step,
      isolate: causality.isolate,
      kind,
      resource: this.name,
      delayUs: 0,
      run: () => calls.fromImmediate(run),
    }
    handles.setImmediate(arrival)
  }

  #schedule(): void {
    if (this.#isScheduled || this.isDestroyed || this.#host.stopped()) return
    this.#isScheduled = true
    this.soon('http2', () => {
      if (this.#isScheduled) this.#send()
    })
  }

  /** nghttp2 sends what it has. */
  #send(): void {
    this.#isScheduled = false
    if (this.isDestroyed) return
    if (this.#isWriting) {
      this.#isDue = true
      return
    }
    const bytes = this.#inbound.speak(this.#inbound.isEarly ? this.#real.maxStreams(this.handle) : 0)
    if (bytes === undefined) return
    const { fields } = this.handle
    const { at, hasListeners, isUpToDate } = this.#bits
    const before = fields[at]!
    // The program does not learn of these SETTINGS.
    fields[at] = before & ~hasListeners
    this.outbound.received(true)
    this.calls(() => this.#real.receive(this.handle, bytes))
    this.outbound.forgetOwn()
    fields[at]! |= before & (hasListeners | isUpToDate)
  }

  #write(request: object, buffers: readonly Uint8Array[]): number {
    const bytes = this.outbound.take(buffers, (length) => this.#inbound.accepts(length))
    this.#isInWrite = true
    let status: number | 'done'
    try {
      status = bytes.length === 0 ? 'done' : this.#carrier.write(bytes, (given) => this.#finish(request, given))
    } finally {
      this.#isInWrite = false
    }
    if (status === 'done') return DONE
    if (status === 0) this.#isWriting = true
    return status
  }

  #finish(request: object, status: number): void {
    this.#isWriting = false
    this.calls(() => this.native.finishWrite(request, status))
    if (!this.#isDue) return
    this.#isDue = false
    this.#schedule()
  }

  /** Ends with the execution: nobody learns of it. */
  abandon(): void {
    const { immediates } = this.#host.calls
    const end = () => {
      for (const stream of this.streams) this.#real.destroyStream(stream)
      if (!this.isDestroyed) this.#real.destroy(this.handle, 0, true)
      this.isDestroyed = true
    }
    immediates.calls(() => {}, end)
  }
}

/**
 * A native stream over one that norn serves: OpenSSL reads and writes in C++.
 *
 * Node's own class for such streams is `JSStream` (src/js_stream.cc). Follows `LibuvStreamWrap`
 * where that differs: a write that the socket takes at once is completed in the next check phase, as
 * `TLSWrap::EncOut` (src/crypto/crypto_tls.cc) does by a native immediate; here every write of a
 * JSStream is asynchronous, so C++ sets no immediate of its own, which norn's loop would not run.
 */
import { internalBinding } from '../../loader/internals.ts'
import { RecordStream } from '../network/tls-records.ts'
import { withoutHooks } from '../realm/callback-scope.ts'
import { isTermination } from '../realm/ending.ts'
import { uv } from '../realm/uv.ts'
import type { NativeCalls } from './native-calls.ts'
import type { Consumer, Stream } from './stream-base.ts'
import type { Request } from './stream-request.ts'
import { streamState } from './stream-state.ts'

export interface JsStream {
  isClosing(): boolean
  onreadstart(): number
  onreadstop(): number
  onwrite(request: Request, buffers: readonly Uint8Array[]): number
  onshutdown(request: Request): number
  onread(buffer?: ArrayBuffer): unknown
  readBuffer(bytes: Uint8Array): void
  emitEOF(): void
  finishWrite(request: Request, status: number): void
  finishShutdown(request: Request, status: number): void
}

export const { JSStream } = internalBinding<{ JSStream: new () => JsStream }>('js_stream')

/** What listens to the native stream. */
interface Listener {
  onread(buffer?: ArrayBuffer): unknown
}

export class Bridge implements Consumer {
  readonly native = withoutHooks(() => new JSStream())
  /** Keeps what listens alive, and gets the errors that a JSStream cannot report. */
  listener: Listener | undefined
  readonly #stream: Stream
  readonly #calls: NativeCalls
  readonly #records = new RecordStream()

  constructor(stream: Stream, calls: NativeCalls) {
    this.#stream = stream
    this.#calls = calls
    const { native } = this
    native.isClosing = () => stream.isClosed
    native.onreadstart = () => safely(() => stream.readStart())
    native.onreadstop = () => safely(() => stream.readStop())
    native.onwrite = (request, buffers) => safely(() => this.#write(request, buffers))
    native.onshutdown = (request) =>
      safely(() => stream.shutdown({ oncomplete: (status) => this.#finish('finishShutdown', request, status) }))
    // Once nothing listens any more, Node gives what arrives to the socket's own handle.
    native.onread = (buffer) => stream.handle.onread?.(buffer)
  }

  read(bytes: Uint8Array): void {
    this.#calls.fromLoop(() => this.native.readBuffer(bytes))
  }

  ended(status: number): void {
    this.#calls.fromLoop(() => {
      if (status === uv.UV_EOF!) return this.native.emitEOF()
      streamState.read(status)
      this.listener?.onread()
    })
  }

  parts(bytes: Uint8Array): readonly number[] {
    return this.#records.next(bytes)
  }

  #write(request: Request, buffers: readonly Uint8Array[]): number {
    const bytes = buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers)
    const finish = (status: number) => this.#finish('finishWrite', request, status)
    const error = this.#stream.write({ oncomplete: finish }, bytes)
    if (error === 0 && !streamState.wasAsync()) {
      const finishNow = () => this.#calls.fromImmediate(() => this.native.finishWrite(request, 0))
      this.#stream.soon('write', finishNow)
    }
    return error
  }

  #finish(name: 'finishWrite' | 'finishShutdown', request: Request, status: number): void {
    this.#calls.fromLoop(() => this.native[name](request, status))
  }
}

/** C++ must not see norn's own exceptions; the ending is recorded already. */
export function safely(action: () => number): number {
  try {
    return action()
  } catch (error) {
    if (isTermination(error)) return uv.UV_ECANCELED!
    throw error
  }
}

/**
 * The methods of Node's stream handles, for handles that norn serves. They are replaced on the
 * prototypes of the classes, because `net` and others captured the classes when they loaded.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { LeftOpen } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Side } from '../network/connection.ts'
import type { Passed } from '../network/flow.ts'
import type { NetworkHost } from '../network/network-host.ts'
import { define } from '../realm/replace.ts'
import { nativeCloser } from './native-handle.ts'
import { Stream, type StreamHandle } from './stream-base.ts'
import type { Request } from './stream-request.ts'

const { defaultTriggerAsyncIdScope } = requireInternal('internal/async_hooks') as {
  defaultTriggerAsyncIdScope<Result>(id: number, action: () => Result): Result
}

/** A class of Node's handles: `TCP` or `Pipe`. */
type HandleClass = (new (type: number) => object) & { readonly prototype: Record<string, unknown> }

/** A method of a handle; it gets the stream behind the handle. */
export type Method = (stream: Stream, ...args: never[]) => unknown

function itself(this: unknown, object: object): object {
  return object
}

/** Attaches a stream to a handle as a private field, where no program sees it. */
class Attached extends (itself as unknown as new (handle: object) => object) {
  readonly #stream: Stream

  constructor(handle: object, stream: Stream) {
    super(handle)
    this.#stream = stream
  }

  static streamOf(handle: object): Stream | undefined {
    return #stream in handle ? handle.#stream : undefined
  }
}

/** The streams of an execution, by the handles of one class. */
export class Streams {
  readonly #host: NetworkHost
  readonly #Handle: HandleClass
  readonly #closeNative: (handle: object) => void
  readonly #isReal: (handle: object) => boolean
  #open: Stream[] = []

  constructor(host: NetworkHost, Handle: HandleClass, methods: Readonly<Record<string, Method>>) {
    this.#host = host
    this.#Handle = Handle
    const { prototype } = Handle
    this.#closeNative = nativeCloser(prototype)
    const { get: descriptor } = accessor(prototype, 'fd')
    this.#isReal = (handle) => (Reflect.apply(descriptor!, handle, []) as number) >= 0
    for (const [name, mine] of Object.entries({ ...METHODS, ...methods })) this.#replace(prototype, name, mine)
    const renew = prototype.asyncReset as Function
    this.#replace(prototype, 'asyncReset', (stream: Stream, resource: object) => {
      Reflect.apply(renew, stream.handle, [resource])
      stream.renew(resource)
    })
    for (const [name, mine] of Object.entries(QUESTIONS)) this.#replaceAccessor(prototype, name, mine)
    this.#noticeSockets(prototype)
  }

  /** The stream behind a handle; undefined if norn does not serve it, or it is of another class. */
  find(handle: object): Stream | undefined {
    return handle instanceof this.#Handle ? this.of(handle) : undefined
  }

  /** The stream behind a handle, unless it has a real descriptor. */
  of(handle: object): Stream | undefined {
    const known = Attached.streamOf(handle)
    if (known !== undefined || this.#isReal(handle)) return known
    const stream = new Stream(handle as StreamHandle, this.#host)
    new Attached(handle, stream)
    this.#open.push(stream)
    this.#host.connects(stream)
    return stream
  }

  /** The stream of a connection that a server accepts, on a new handle. */
  accept(server: Stream, side: Side, create: () => object): Stream {
    const stream = defaultTriggerAsyncIdScope(server.context.asyncId, () => this.of(create()))!
    stream.establish(side)
    return stream
  }

  /** Closes what an isolate left that has ended; it learns nothing of it. */
  closeOf(isolate: Isolate): void {
    for (const stream of this.#open) if (stream.isolate === isolate && !stream.isClosed) stream.die()
  }

  /** Closes what an execution left, so that nothing of it reaches the real loop. */
  reset(): void {
    for (const stream of this.#open) {
      if (!stream.isClosed) stream.abandon()
      this.#closeNative(stream.handle)
    }
    this.#open = []
  }

  /** Handles that keep an isolate alive, in order of creation. */
  handlesOf(isolate: Isolate): object[] {
    const isActive = (stream: Stream) => stream.isolate === isolate && stream.isRefed && !stream.isClosed
    return this.#open.filter(isActive).map(({ handle }) => handle)
  }

  /** What the program leaves behind, in order of creation. */
  addLeft(left: LeftOpen[]): void {
    for (const stream of this.#open) {
      const open = stream.isClosed ? undefined : stream.left
      if (open !== undefined) left.push(open)
    }
  }

  #replace(prototype: Record<string, unknown>, name: string, mine: Method): void {
    const real = prototype[name] as Function | undefined
    if (real === undefined) return
    const { call } = Function.prototype
    const streams = this
    const host = this.#host
    define(prototype, name, function (this: object, a: never, b: never, c: never, d: never) {
      const stream = host.active() ? streams.of(this) : undefined
      return stream === undefined ? call.call(real, this, a, b, c, d) : mine(stream, a, b, c, d)
    })
  }

  /** A socket that never connects calls no method: `net` only sets this when it makes the handle. */
  #noticeSockets(prototype: object): void {
    const { get, set } = accessor(prototype, 'onread')
    const streams = this
    const host = this.#host
    const noticed = function (this: object, onread: unknown) {
      if (host.active()) streams.of(this)
      Reflect.apply(set!, this, [onread])
    }
    Object.defineProperty(prototype, 'onread', { configurable: true, enumerable: false, get, set: noticed })
  }

  #replaceAccessor(prototype: object, name: string, mine: (stream: Stream) => unknown): void {
    const real = accessor(prototype, name)
    const streams = this
    const host = this.#host
    const get = function (this: object) {
      // The prototype itself has none.
      const stream = host.active() && this !== prototype ? streams.of(this) : undefined
      if (stream !== undefined) return mine(stream)
      return real.get === undefined ? real.value : Reflect.apply(real.get, this, [])
    }
    Object.defineProperty(prototype, name, { configurable: true, enumerable: false, get })
  }
}

function accessor(object: object, name: string): PropertyDescriptor {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name)
    if (descriptor !== undefined) return descriptor
  }
  return {}
}

const QUESTIONS: Record<string, (stream: Stream) => unknown> = {
  fd: () => -1,
  bytesRead: (stream) => stream.bytesRead,
  bytesWritten: (stream) => stream.bytesWritten,
  writeQueueSize: (stream) => stream.writeQueueSize,
}

/** The descriptor of a handle that is written to a channel between processes. */
const passedOf = ({ channel }: Stream, handle: object | null | undefined): Passed | undefined =>
  handle ? channel?.pass(handle) : undefined

const written =
  (encoding: BufferEncoding) => (stream: Stream, request: Request, text: string, handle?: object | null) =>
    stream.write(request, encoded(text, encoding), passedOf(stream, handle))

const METHODS: Record<string, Method> = {
  close: (stream: Stream, closed: unknown) => stream.close(closed),
  ref: (stream: Stream) => {
    stream.isRefed = true
  },
  unref: (stream: Stream) => {
    stream.isRefed = false
  },
  hasRef: (stream: Stream) => stream.isRefed && !stream.isForgotten,
  readStart: (stream: Stream) => stream.readStart(),
  readStop: (stream: Stream) => stream.readStop(),
  useUserBuffer: (stream: Stream, buffer: Uint8Array) => stream.useUserBuffer(buffer),
  shutdown: (stream: Stream, request: Request) => stream.shutdown(request),
  setBlocking: () => 0,
  writeBuffer: (stream: Stream, request: Request, bytes: Uint8Array, handle?: object | null) =>
    stream.write(request, bytes.slice(), passedOf(stream, handle)),
  writeAsciiString: written('latin1'),
  writeLatin1String: written('latin1'),
  writeUtf8String: written('utf8'),
  writeUcs2String: written('utf16le'),
  writev: (stream: Stream, request: Request, chunks: unknown[], allBuffers: boolean) =>
    stream.write(request, joined(chunks, allBuffers)),
}

function encoded(text: string, encoding: BufferEncoding): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(byteLength(text, encoding))
  bytes.write(text, encoding)
  return bytes
}

function byteLength(text: string, encoding: BufferEncoding): number {
  return encoding === 'latin1' ? text.length : Buffer.byteLength(text, encoding)
}

/** The chunks of a `writev`: buffers, or each followed by its encoding. */
function joined(chunks: readonly unknown[], allBuffers: boolean): Uint8Array {
  const step = allBuffers ? 1 : 2
  let size = 0
  for (let at = 0; at < chunks.length; at += step) {
    const chunk = chunks[at] as string | Uint8Array
    size += typeof chunk === 'string' ? byteLength(chunk, chunks[at + 1] as BufferEncoding) : chunk.length
  }
  const bytes = Buffer.allocUnsafeSlow(size)
  let filled = 0
  for (let at = 0; at < chunks.length; at += step) {
    const chunk = chunks[at] as string | Uint8Array
    if (typeof chunk === 'string') filled += bytes.write(chunk, filled, chunks[at + 1] as BufferEncoding)
    else {
      bytes.set(chunk, filled)
      filled += chunk.length
    }
  }
  // Fewer than a text promised that is not of its encoding.
  return filled === size ? bytes : new Uint8Array(bytes.subarray(0, filled))
}

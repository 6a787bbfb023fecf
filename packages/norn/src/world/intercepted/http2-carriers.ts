/** What an HTTP/2 session reads and writes: a stream that norn serves, or a native one over it. */
import { internalBinding } from '../../loader/internals.ts'
import type { Carrier } from './http2-session.ts'
import { accessorOf, type NativeCalls } from './native-calls.ts'
import type { Stream } from './stream-base.ts'
import type { Request } from './stream-request.ts'
import { streamState } from './stream-state.ts'

const { WriteWrap } = internalBinding<{ WriteWrap: new () => Request }>('stream_wrap')

/** A socket. */
export function overStream(stream: Stream, calls: NativeCalls): Carrier {
  return {
    get name() {
      return stream.name
    },
    isClosing: () => stream.isClosed,
    readStart: () => stream.readStart(),
    readStop: () => stream.readStop(),
    write(buffers, done) {
      const oncomplete = (status: number) => calls.fromLoop(() => done(status))
      const error = stream.write({ oncomplete }, buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers))
      return error === 0 && !streamState.wasAsync() ? 'done' : error
    },
    listen(hear) {
      stream.consumer = { read: (bytes) => calls.fromLoop(() => hear(bytes)) }
    },
    unheard: (buffer) => stream.handle.onread(buffer),
  }
}

/** A handle of Node's: `TLSWrap`, or the `JSStream` of a socket over a Duplex. */
export interface NativeStream {
  onread: unknown
  readStart(): number
  readStop(): number
  writeBuffer(request: Request, bytes: Uint8Array): number
  writev(request: Request, buffers: readonly Uint8Array[], areBuffers: true): number
}

export function overHandle(handle: NativeStream, name: string, calls: NativeCalls): Carrier {
  const { set: listenNatively } = accessorOf(handle, 'onread')!
  const socket = calls.callback(handle.onread as Function)
  const unheard = (buffer: ArrayBuffer | undefined) => Reflect.apply(socket, handle, [buffer])
  return {
    name,
    isClosing: () => false,
    readStart: () => handle.readStart(),
    readStop: () => handle.readStop(),
    write(buffers, done) {
      // In the scope of whatever completes it.
      const request = Object.assign(new WriteWrap(), { oncomplete: done, buffers })
      const error =
        buffers.length === 1 ? handle.writeBuffer(request, buffers[0]!) : handle.writev(request, buffers, true)
      return error === 0 && !streamState.wasAsync() ? 'done' : error
    },
    listen(hear) {
      const onread = (buffer: ArrayBuffer | undefined) => {
        const { status, offset } = streamState.wasRead()
        if (status < 0) return unheard(buffer)
        hear(new Uint8Array(buffer!, offset, status))
        return undefined
      }
      Reflect.apply(listenNatively!, handle, [onread])
    },
    unheard,
  }
}

/** What an HTTP/2 session reads and writes: a stream that norn serves, or a native one over it. */
import { internalBinding } from '../../loader/internals.ts'
import type { NativeCalls } from '../streams/native-calls.ts'
import type { Stream } from '../streams/stream-base.ts'
import { listenToHandle, listenToStream } from '../streams/stream-listeners.ts'
import type { Request } from '../streams/stream-request.ts'
import { streamState } from '../streams/stream-state.ts'
import type { Carrier } from './http2-session.ts'

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
    listen: (hear) => void listenToStream(stream, calls, hear),
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
  const socket = calls.callback(handle.onread as Function)
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
    listen: (hear) => void listenToHandle(handle, calls, hear),
    unheard: (buffer) => Reflect.apply(socket, handle, [buffer]),
  }
}

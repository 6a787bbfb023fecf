/**
 * Listeners that read a stream in place of its socket, as C++ pushes them (src/stream_base.cc):
 * they alone get bytes; the socket gets the end and errors (`PassReadErrorToPreviousListener`).
 */
import { accessorOf, type NativeCalls } from './native-calls.ts'
import type { Consumer, Stream } from './stream-base.ts'
import { streamState } from './stream-state.ts'

/** Gets bytes from the loop. */
type Hear = (bytes: Uint8Array) => void

/** Listens to a stream that norn serves. Returns a function that gives it back. */
export function listenToStream(stream: Stream, calls: NativeCalls, hear: Hear): () => void {
  const previous = stream.consumer
  const consumer: Consumer = { read: (bytes) => calls.fromLoop(() => hear(bytes)) }
  stream.consumer = consumer
  return () => {
    if (stream.consumer === consumer) stream.consumer = previous
  }
}

/** Listens to a handle of C++, as `TLSWrap`. Returns a function that gives it back. */
export function listenToHandle(handle: { onread: unknown }, calls: NativeCalls, hear: Hear): () => void {
  const { set } = accessorOf(handle, 'onread')!
  const given = handle.onread as Function
  const socket = calls.callback(given)
  const onread = (buffer: ArrayBuffer | undefined) => {
    const { status, offset } = streamState.wasRead()
    if (status < 0) return Reflect.apply(socket, handle, [buffer])
    hear(new Uint8Array(buffer!, offset, status))
    return undefined
  }
  Reflect.apply(set!, handle, [onread])
  return () => {
    handle.onread = given
  }
}

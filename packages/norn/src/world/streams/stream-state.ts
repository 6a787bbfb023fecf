import { internalBinding } from '../../loader/internals.ts'

const { streamBaseState, kReadBytesOrError, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync } = internalBinding<{
  streamBaseState: Int32Array
  kReadBytesOrError: number
  kArrayBufferOffset: number
  kBytesWritten: number
  kLastWriteWasAsync: number
}>('stream_wrap')

/** What C++ and JavaScript tell each other about the last call of a stream. */
export const streamState = {
  /** Before `onread`: the number of bytes, or an error. */
  read(status: number, offset = 0): void {
    streamBaseState[kReadBytesOrError] = status
    streamBaseState[kArrayBufferOffset] = offset
  },
  /** In `onread`: what was read, and where it begins in the buffer. */
  wasRead: () => ({ status: streamBaseState[kReadBytesOrError]!, offset: streamBaseState[kArrayBufferOffset]! }),
  /** Before a write returns: the number of bytes, and whether it calls back. */
  write(length: number, isAsync: boolean): void {
    streamBaseState[kBytesWritten] = length
    streamBaseState[kLastWriteWasAsync] = isAsync ? 1 : 0
  },
  /** After a write: the number of bytes. */
  written: () => streamBaseState[kBytesWritten]!,
  /** After a write: whether it calls back. */
  wasAsync: (): boolean => streamBaseState[kLastWriteWasAsync] !== 0,
}

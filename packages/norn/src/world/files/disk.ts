/**
 * The real disk as the base of the overlay, read through Node's binding functions from before
 * interception.
 *
 * Invariant: it only reads, and throws only `Failure`. All files have one time: checkouts differ
 * between machines, and their times would lie in the future of the virtual clock.
 */
import type { Base, BaseStat } from './base.ts'
import { bytesOf, realPath } from './bytes.ts'
import { Failure, fail } from './failure.ts'
import type { FilesBinding } from './internals.ts'

const READ_BYTES = 64 * 1024

/**
 * Captures the functions: call it before they are intercepted.
 *
 * @param timeMs the time of every file, in milliseconds since the epoch
 */
export function diskBase(binding: FilesBinding, timeMs: number): Base {
  const { close, fstat, lstat, open, read, readdir, readlink } = binding
  return {
    lstat(path) {
      try {
        return statOf(guard(() => lstat!(realPath(path), false, undefined, true)) as Float64Array, timeMs)
      } catch (error) {
        if (error instanceof Failure && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
        throw error
      }
    },
    readdir: (path) => (guard(() => readdir!(realPath(path), 'buffer', false)) as Uint8Array[]).map(bytesOf),
    readlink: (path) => bytesOf(guard(() => readlink!(realPath(path), 'buffer')) as Uint8Array),
    readFile(path) {
      const fd = guard(() => open!(realPath(path), 0, 0)) as number
      try {
        const size = (guard(() => fstat!(fd, false)) as Float64Array)[8]!
        // One byte more than the size reaches the end in one read; files in /proc have size 0 and
        // content.
        let bytes: Uint8Array = new Uint8Array(size === 0 ? READ_BYTES : size + 1)
        let length = 0
        for (;;) {
          const count = guard(() => read!(fd, bytes, length, bytes.length - length, -1)) as number
          if (count === 0) return bytes.subarray(0, length)
          length += count
          if (length < bytes.length) continue
          const grown = new Uint8Array(bytes.length * 2)
          grown.set(bytes)
          bytes = grown
        }
      } finally {
        close!(fd)
      }
    },
  }
}

function guard<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = (error as { code?: unknown }).code
    return typeof code === 'string' ? fail(code) : fail('EIO')
  }
}

/** Reads the binding's stat array. */
function statOf(values: Float64Array, timeMs: number): BaseStat {
  const at = (index: number) => values[index]!
  return {
    device: at(0),
    mode: at(1),
    nlink: at(2),
    uid: at(3),
    gid: at(4),
    rdev: at(5),
    inode: at(7),
    size: at(8),
    atimeMs: timeMs,
    mtimeMs: timeMs,
    ctimeMs: timeMs,
    birthtimeMs: timeMs,
  }
}

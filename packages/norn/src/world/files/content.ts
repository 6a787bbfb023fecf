/**
 * The bytes of one regular file.
 *
 * Invariant: bytes from `bytes.length` to `size` are zeros that are not stored (a hole), stored
 * bytes beyond `size` are zeros, and a store shared with the base is copied before a write. Beyond
 * FILE_LIMIT_BYTES a write fails with ENOSPC.
 */
import { fail } from './failure.ts'

/** The bytes that one file may store. Holes after the last write cost nothing. */
const FILE_LIMIT_BYTES = 1 << 30

const NOTHING = new Uint8Array(0)

export class Content {
  size = 0
  #bytes: Uint8Array = NOTHING
  #shared = true
  /** Whether it was ever written or truncated. */
  changed = false

  /** A content over the given bytes, which stay unchanged. */
  static over(bytes: Uint8Array): Content {
    const content = new Content()
    content.#bytes = bytes
    content.size = bytes.length
    return content
  }

  /**
   * Copies up to `length` bytes from `position` into `target` at `offset`; returns how many there
   * were.
   */
  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const count = Math.min(length, this.size - position)
    if (count <= 0) return 0
    const stored = Math.min(count, Math.max(0, this.#bytes.length - position))
    if (stored > 0) target.set(this.#bytes.subarray(position, position + stored), offset)
    if (stored < count) target.fill(0, offset + stored, offset + count)
    return count
  }

  write(source: Uint8Array, position: number): void {
    if (source.length === 0) return
    const end = position + source.length
    if (end > FILE_LIMIT_BYTES) fail('ENOSPC')
    this.changed = true
    this.#reserve(end)
    this.#bytes.set(source, position)
    if (end > this.size) this.size = end
  }

  truncate(size: number): void {
    if (size !== this.size) this.changed = true
    if (size < this.size && size < this.#bytes.length) {
      if (this.#shared) this.#bytes = this.#bytes.subarray(0, size)
      else this.#bytes.fill(0, size, Math.min(this.size, this.#bytes.length))
    }
    this.size = size
  }

  /** A copy of the bytes that are stored; a hole follows them. */
  stored(): Uint8Array {
    return this.#bytes.slice(0, Math.min(this.#bytes.length, this.size))
  }

  /** @param bytes stay unchanged */
  replace(bytes: Uint8Array, size: number): void {
    this.#bytes = bytes
    this.#shared = true
    this.size = size
    this.changed = true
  }

  #reserve(end: number): void {
    if (!this.#shared && end <= this.#bytes.length) return
    const grown = new Uint8Array(
      Math.max(end, this.size === 0 ? 0 : Math.min(this.#bytes.length * 2, FILE_LIMIT_BYTES)),
    )
    grown.set(this.#bytes.subarray(0, Math.min(this.#bytes.length, this.size)))
    this.#bytes = grown
    this.#shared = false
  }
}

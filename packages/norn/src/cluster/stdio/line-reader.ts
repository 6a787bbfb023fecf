/**
 * Reads lines from a blocking descriptor.
 *
 * Invariant: memory is bounded by the limit of a line, whatever the other side writes.
 */
import { readSync } from 'node:fs'

const FIRST_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** A line without its terminator; or why there is none, with the beginning of what was read. */
export type Reading = { readonly line: string } | { readonly ended: 'end' | 'too long'; readonly part: string }

/** Below the longest string of V8. */
export const LARGEST_LINE = 256 * 1024 * 1024

/** Bytes of an incomplete line that are returned. */
const PART_BYTES = 2000

export class LineReader {
  readonly #descriptor: number
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** The unread part of the buffer. */
  #begin = 0
  #end = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** Waits for the next line. @param maxBytes its limit, without its terminator */
  next(maxBytes: number): Reading {
    for (let looked = this.#begin; ; ) {
      const found = looked < this.#end ? this.#buffer.indexOf(NEWLINE, looked) : -1
      // Behind the end is what an earlier line left.
      const at = found < this.#end ? found : -1
      if (at >= 0 && at - this.#begin <= maxBytes) return { line: this.#take(at) }
      const length = this.#end - this.#begin
      if (at >= 0 || length > maxBytes) return { ended: 'too long', part: this.#part() }
      this.#makeRoom(maxBytes)
      looked = this.#end
      const read = readSync(this.#descriptor, this.#buffer, this.#end, this.#buffer.length - this.#end, null)
      if (read === 0) return { ended: 'end', part: this.#part() }
      this.#end += read
    }
  }

  #take(at: number): string {
    const line = this.#buffer.toString('utf8', this.#begin, at)
    this.#begin = at + 1
    if (this.#begin < this.#end) return line
    this.#begin = this.#end = 0
    if (this.#buffer.length > FIRST_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
    return line
  }

  #part(): string {
    return this.#buffer.toString('utf8', this.#begin, Math.min(this.#end, this.#begin + PART_BYTES))
  }

  #makeRoom(maxBytes: number): void {
    if (this.#begin > 0) {
      this.#buffer.copy(this.#buffer, 0, this.#begin, this.#end)
      this.#end -= this.#begin
      this.#begin = 0
    }
    if (this.#end < this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#buffer.length * 2, maxBytes + 1))
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}

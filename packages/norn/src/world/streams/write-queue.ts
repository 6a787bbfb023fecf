/**
 * The writes of a stream that are not done at once.
 *
 * Follows src/unix/stream.c of libuv: a queue of writes that wait for room in the other side's
 * buffer, and one of those that are done and have yet to call back.
 */
import type { Side } from '../network/connection.ts'
import type { Passed } from '../network/flow.ts'
import { uv } from '../realm/uv.ts'
import type { Waiting } from './stream-request.ts'

export interface Write extends Waiting {
  bytes: Uint8Array
  passed: Passed | undefined
  status: number
}

/** Knows the parts that bytes consist of. */
export interface Framing {
  /**
   * The lengths of the parts that the next bytes sent consist of, each byte asked for once and in
   * order; for bytes whose lengths may vary, while parts do not.
   */
  parts?(bytes: Uint8Array): readonly number[]
}

export class WriteQueue {
  /** What waits for room, the first perhaps sent in part. */
  #waiting: Write[] = []
  #completed: Write[] = []
  #writableUs = Number.POSITIVE_INFINITY

  /** Whether nothing waits for room. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** The number of bytes that wait for room. */
  get size(): number {
    let size = 0
    for (const { bytes } of this.#waiting) size += bytes.length
    return size
  }

  /** All writes that have yet to call back, the last ones first. */
  get unanswered(): { readonly waiting: readonly Write[]; readonly completed: readonly Write[] } {
    return { waiting: this.#waiting.toReversed(), completed: this.#completed.toReversed() }
  }

  /** When the first that waits can go on. */
  readyUs({ inbound }: Side): number {
    return Math.min(this.#writableUs, inbound.reset?.atUs ?? Number.POSITIVE_INFINITY)
  }

  /** Whether something waits for which there is room. */
  isWritable(nowUs: number): boolean {
    return !this.isEmpty && this.#writableUs <= nowUs
  }

  /** The other side has read. Returns whether what waits can go on. */
  drained({ outbound }: Side, nowUs: number): boolean {
    if (this.isEmpty || outbound.room < outbound.capacity / 3) return false
    this.#writableUs = Math.min(this.#writableUs, nowUs)
    return true
  }

  /** Sends what there is room for; returns the rest. */
  send(side: Side, bytes: Uint8Array, framing: Framing | undefined, passed?: Passed): Uint8Array {
    const sent = Math.min(bytes.length, side.outbound.room)
    const now = sent === bytes.length ? bytes : bytes.subarray(0, sent)
    if (sent > 0) side.send(now, framing?.parts?.(now), passed)
    if (sent < bytes.length) this.#writableUs = Number.POSITIVE_INFINITY
    return bytes.subarray(sent)
  }

  /** Adds a write that waits for room. */
  push(write: Write): void {
    this.#waiting.push(write)
  }

  /** Adds a write that is done. */
  complete(write: Write): void {
    this.#completed.push(write)
  }

  /** Sends what waits, as far as there is room. */
  flush(side: Side, framing: Framing | undefined, nowUs: number): void {
    while (!this.isEmpty) {
      const write = this.#waiting[0]!
      const error = side.writeError(nowUs)
      if (error === undefined) {
        const before = write.bytes
        write.bytes = this.send(side, before, framing, write.passed)
        if (write.bytes.length < before.length) write.passed = undefined
        if (write.bytes.length > 0) break
      } else write.status = uv[`UV_${error}`]!
      this.#completed.push(this.#waiting.shift()!)
      if (error !== undefined) break
    }
  }

  /** The write that calls back next. */
  get next(): Write | undefined {
    return this.#completed[0]
  }

  /** That write calls back. */
  takeNext(): void {
    this.#completed.shift()
  }

  /** Forgets all. */
  clear(): void {
    for (const { passed } of this.#waiting) passed?.close()
    this.#waiting = this.#completed = []
  }
}

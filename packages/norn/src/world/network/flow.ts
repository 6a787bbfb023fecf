/**
 * One direction of a connection: the bytes on their way from a writer to a reader.
 *
 * Follows Linux's TCP: bytes arrive in order and are readable from a moment on; the end (FIN) or a
 * reset (RST) comes behind them; a reader sees the bytes that came before a reset. Invariants: no
 * byte is lost, doubled or overtaken; times of arrival never decrease. Pure.
 */
import type { Step } from '../loop/causality.ts'

/** Something that arrives, as a step of its own. */
export interface Mark {
  readonly step: Step
  /** When it is readable, in microseconds of virtual time. */
  readonly atUs: number
  /** The drawn delay, in microseconds. */
  readonly delayUs: number
}

/** A descriptor that travels with bytes (SCM_RIGHTS). */
export interface Passed {
  /** Nobody has received it. */
  close(): void
}

interface Segment extends Mark {
  readonly bytes: Uint8Array
  readonly passed?: Passed
}

/**
 * How many segments are on their way one by one. What is written behind them joins the last one, up
 * to JOINED_BYTES, as Linux joins small segments in its queues: a program that writes half a million
 * times without waiting costs no half a million steps.
 */
const MOST_SEGMENTS = 1_024
const JOINED_BYTES = 65_536

export class Flow {
  /** How many bytes fit between writer and reader. */
  readonly capacity: number
  #segments: Segment[] = []
  /** Bytes of the first segment that were read. */
  #offset = 0
  #size = 0
  #lastUs = 0
  /** The memory of the last segment that others joined. */
  #joined: Uint8Array | undefined
  end: Mark | undefined
  reset: Mark | undefined

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** Bytes written and not read. */
  get size(): number {
    return this.#size
  }

  get room(): number {
    return Math.max(0, this.capacity - this.#size)
  }

  /** The time at which something sent at `atUs` arrives: behind all that was sent before. */
  arrival(atUs: number): number {
    this.#lastUs = Math.max(this.#lastUs, atUs)
    return this.#lastUs
  }

  /** Nothing arrives before `atUs`. */
  holdUntil(atUs: number): void {
    this.#lastUs = Math.max(this.#lastUs, atUs)
  }

  /** @param parts lengths of the segments that the bytes are; by default they are one */
  push(bytes: Uint8Array, mark: Mark & Pick<Segment, 'passed'>, parts: readonly number[] = [bytes.length]): void {
    let at = 0
    for (const length of parts) {
      this.#segments.push({ bytes: parts.length === 1 ? bytes : bytes.subarray(at, at + length), ...mark })
      at += length
    }
    this.#size += bytes.length
  }

  /** Whether bytes written now may join the last segment: many are not read. */
  canJoin(length: number): boolean {
    if (this.#segments.length < MOST_SEGMENTS) return false
    const { bytes, passed } = this.#segments.at(-1)!
    return passed === undefined && bytes.length + length <= JOINED_BYTES
  }

  join(bytes: Uint8Array): void {
    const last = this.#segments.at(-1)!
    const { length } = last.bytes
    let room = this.#joined
    if (room?.buffer !== last.bytes.buffer) {
      this.#joined = room = new Uint8Array(JOINED_BYTES)
      room.set(last.bytes)
    }
    room.set(bytes, length)
    this.#segments[this.#segments.length - 1] = { ...last, bytes: room.subarray(0, length + bytes.length) }
    this.#size += bytes.length
  }

  /** When something is readable: bytes, the end or a reset; infinite if nothing is on its way. */
  get readableUs(): number {
    const first = this.#segments[0]
    if (first !== undefined) return first.atUs
    return Math.min(this.end?.atUs ?? Number.POSITIVE_INFINITY, this.reset?.atUs ?? Number.POSITIVE_INFINITY)
  }

  /** The first bytes to read; undefined if none have arrived. */
  first(nowUs: number): Mark | undefined {
    const first = this.#segments[0]
    return first !== undefined && first.atUs <= nowUs ? first : undefined
  }

  /** How many bytes one read gives, up to `most`: it ends behind bytes with a descriptor. */
  available(nowUs: number, most: number): number {
    let size = -this.#offset
    for (const { bytes, atUs, passed } of this.#segments) {
      if (atUs > nowUs || size >= most) break
      size += bytes.length
      if (passed !== undefined) break
    }
    return Math.min(most, Math.max(0, size))
  }

  /**
   * The bytes of the first segments that have arrived, up to a limit; and whether that was all.
   *
   * @param costOf what a segment takes of the limit
   */
  segments(nowUs: number, limit: number, costOf: (length: number) => number): { size: number; isAll: boolean } {
    let size = -this.#offset
    let cost = 0
    for (const { bytes, atUs } of this.#segments) {
      if (atUs > nowUs) break
      cost += costOf(bytes.length)
      if (cost > limit && size > 0) return { size, isAll: false }
      size += bytes.length
    }
    return { size, isAll: true }
  }

  /** Takes the descriptor that comes with the next `size` bytes. */
  takePassed(size: number): Passed | undefined {
    let before = -this.#offset
    for (const [at, segment] of this.#segments.entries()) {
      if (before >= size) return undefined
      if (segment.passed !== undefined) {
        const { passed, ...rest } = segment
        this.#segments[at] = rest
        return passed
      }
      before += segment.bytes.length
    }
    return undefined
  }

  /** Nobody reads any more: closes the descriptors on their way. */
  dropPassed(): void {
    for (const { passed } of this.#segments) passed?.close()
  }

  /** The steps that bring the next bytes. */
  steps(size: number): Step[] {
    const steps: Step[] = []
    let left = size + this.#offset
    for (const { bytes, step } of this.#segments) {
      if (left <= 0) break
      steps.push(step)
      left -= bytes.length
    }
    return steps
  }

  /** Takes bytes that have arrived; a whole segment is handed on without a copy. */
  take(size: number): Uint8Array {
    const { bytes } = this.#segments[0]!
    if (this.#offset === 0 && bytes.length === size) {
      this.#segments.shift()
      this.#size -= size
      return bytes
    }
    const taken = new Uint8Array(size)
    this.takeInto(taken, size)
    return taken
  }

  takeInto(target: Uint8Array, size: number): void {
    let filled = 0
    while (filled < size) {
      const { bytes } = this.#segments[0]!
      const part = Math.min(bytes.length - this.#offset, size - filled)
      target.set(bytes.subarray(this.#offset, this.#offset + part), filled)
      filled += part
      this.#offset += part
      if (this.#offset < bytes.length) continue
      this.#segments.shift()
      this.#offset = 0
    }
    this.#size -= size
  }

  /** Whether the end has arrived, perhaps behind bytes to read. */
  hasEnd(nowUs: number): boolean {
    return this.end !== undefined && this.end.atUs <= nowUs
  }

  /** Whether the end has arrived, and nothing is left before it. */
  hasEnded(nowUs: number): boolean {
    return this.#segments.length === 0 && this.hasEnd(nowUs)
  }

  hasReset(nowUs: number): boolean {
    return this.reset !== undefined && this.reset.atUs <= nowUs
  }
}

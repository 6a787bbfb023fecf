/**
 * The frames of HTTP/2 in the bytes that one side receives and sends (RFC 9113, 4).
 *
 * nghttp2 sends in native immediates, which norn's loop cannot run; but it also sends after it has
 * received something. So norn hands it an empty SETTINGS frame where Node would send, and takes the
 * acknowledgement out again. This needs nghttp2 to stand between two frames: a frame that has
 * arrived in part is held back, except DATA, which is handed on as a frame of its own. Pure.
 */

const HEADER_BYTES = 9
const MAGIC = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

const DATA = 0
const HEADERS = 1
const SETTINGS = 4
const PUSH_PROMISE = 5
const GOAWAY = 7
const CONTINUATION = 9

const ACK = 0x1
const END_STREAM = 0x1
const END_HEADERS = 0x4
const PADDED = 0x8

const ENTRY_BYTES = 6
const MAX_CONCURRENT_STREAMS = 3
const MAX_FRAME_SIZE = 5
/** nghttp2 knows it, and rejects a change of it (RFC 9218). */
const NO_RFC7540_PRIORITIES = 9
const UNLIMITED = 0xffffffff

/** nghttp2 rejects a block of headers in more frames than that (NGHTTP2_DEFAULT_MAX_CONTINUATIONS). */
const CONTINUATIONS = 8
const DEFAULT_FRAME_BYTES = 16384

interface Frame {
  readonly length: number
  readonly type: number
  readonly flags: number
  readonly stream: number
}

function frameAt(bytes: Uint8Array, at: number): Frame {
  return {
    length: (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!,
    type: bytes[at + 3]!,
    flags: bytes[at + 4]!,
    stream: ((bytes[at + 5]! & 0x7f) << 24) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 8) | bytes[at + 8]!,
  }
}

function headerOf({ length, type, flags, stream }: Frame): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUIntBE(length, 0, 3)
  bytes[3] = type
  bytes[4] = flags
  bytes.writeUInt32BE(stream, 5)
  return bytes
}

function settings(entries: readonly (readonly [id: number, value: number])[]): Uint8Array {
  const payload = Buffer.alloc(entries.length * ENTRY_BYTES)
  for (const [index, [id, value]] of entries.entries()) {
    payload.writeUInt16BE(id, index * ENTRY_BYTES)
    payload.writeUInt32BE(value, index * ENTRY_BYTES + 2)
  }
  return Buffer.concat([headerOf({ length: payload.length, type: SETTINGS, flags: 0, stream: 0 }), payload])
}

function entriesOf(payload: Uint8Array): [id: number, value: number][] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const entries: [number, number][] = []
  for (let at = 0; at + ENTRY_BYTES <= payload.length; at += ENTRY_BYTES)
    entries.push([view.getUint16(at), view.getUint32(at + 2)])
  return entries
}

const NONE = new Uint8Array(0)

/** What a side that speaks something else than HTTP/2 breaks first. */
export type Fault = 'magic' | 'settings'

/** SETTINGS that are none, on a stream: nghttp2 ends the session, as it does without any SETTINGS. */
export const NO_SETTINGS = headerOf({ length: 0, type: SETTINGS, flags: 0, stream: 1 })
export const NO_SETTINGS_REASON = 'SETTINGS expected'

/** The bytes that a session receives. */
export class Inbound {
  #held: Uint8Array = NONE
  /** What has to come next; `anything` once nghttp2 has met an error. */
  #next: 'magic' | 'settings' | 'frame' | 'anything'
  /** Whether norn has spoken in the place of the other side's first SETTINGS. */
  #hasSpoken = false
  /** The rest of a DATA frame that came in part. */
  #rest: Frame | undefined
  #maxFrameBytes = DEFAULT_FRAME_BYTES
  fault: Fault | undefined
  readonly #settled: () => void

  /** @param settled called with SETTINGS of the other side */
  constructor(isServer: boolean, settled: () => void) {
    this.#next = isServer ? 'magic' : 'settings'
    this.#settled = settled
  }

  /** This side announces how long a frame it accepts. */
  accepts(frameBytes: number): void {
    this.#maxFrameBytes = Math.max(this.#maxFrameBytes, frameBytes)
  }

  /** Whether the other side has not sent its SETTINGS yet. */
  get isEarly(): boolean {
    return !this.#hasSpoken && (this.#next === 'magic' || this.#next === 'settings')
  }

  /**
   * What nghttp2 gets in order to send; undefined where it is past receiving anything.
   *
   * @param streams the limit on streams that holds until the first SETTINGS of the other side
   */
  speak(streams: number): Uint8Array | undefined {
    if (this.#next === 'anything') return undefined
    if (!this.isEarly) return settings([])
    this.#hasSpoken = true
    const first = settings([[MAX_CONCURRENT_STREAMS, streams]])
    return this.#next === 'magic' ? Buffer.concat([MAGIC, first]) : first
  }

  /** Takes bytes that have arrived; returns what nghttp2 gets. */
  take(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    this.#held = NONE
    const parts: Uint8Array[] = []
    let at = 0
    while (at < all.length) {
      const end = this.#part(all, at, parts)
      if (end === at) break
      at = end
    }
    if (at < all.length) this.#held = all.slice(at)
    if (parts.length === 1) return parts[0]!
    return parts.length === 0 ? NONE : Buffer.concat(parts)
  }

  /** Hands on what begins at a place; returns where the rest begins. */
  #part(all: Uint8Array, at: number, parts: Uint8Array[]): number {
    if (this.fault !== undefined) return all.length
    if (this.#next === 'anything') return this.#through(all, at, parts)
    if (this.#next === 'magic') return this.#magic(all, at, parts)
    if (this.#rest !== undefined) return this.#dataPart(all, at, this.#rest, parts)
    if (all.length - at < HEADER_BYTES) return at
    const frame = frameAt(all, at)
    if (this.#next === 'settings' && (frame.type !== SETTINGS || (frame.flags & ACK) !== 0))
      return this.#fails('settings', all, at, parts)
    if (frame.length > this.#maxFrameBytes) return this.#through(all, at, parts)
    const end = at + HEADER_BYTES + frame.length
    if (end > all.length) {
      if (frame.type !== DATA || (frame.flags & PADDED) !== 0 || all.length === at + HEADER_BYTES) return at
      return this.#dataPart(all, at + HEADER_BYTES, frame, parts)
    }
    if (frame.type === SETTINGS && (frame.flags & ACK) === 0) {
      parts.push(this.#settings(all.subarray(at, end), frame))
      this.#settled()
      this.#next = 'frame'
      return end
    }
    if ((frame.type === HEADERS || frame.type === PUSH_PROMISE) && (frame.flags & END_HEADERS) === 0)
      return this.#block(all, at, end, parts)
    parts.push(all.subarray(at, end))
    return end
  }

  #through(all: Uint8Array, at: number, parts: Uint8Array[]): number {
    this.#next = 'anything'
    parts.push(all.subarray(at))
    return all.length
  }

  #fails(fault: Fault, all: Uint8Array, at: number, parts: Uint8Array[]): number {
    if (!this.#hasSpoken) return this.#through(all, at, parts)
    this.#next = 'anything'
    this.fault = fault
    return all.length
  }

  #magic(all: Uint8Array, at: number, parts: Uint8Array[]): number {
    const given = all.subarray(at, at + MAGIC.length)
    if (Buffer.compare(given, MAGIC.subarray(0, given.length)) !== 0) return this.#fails('magic', all, at, parts)
    if (given.length < MAGIC.length) return at
    if (!this.#hasSpoken) parts.push(given)
    this.#next = 'settings'
    return at + MAGIC.length
  }

  #dataPart(all: Uint8Array, at: number, frame: Frame, parts: Uint8Array[]): number {
    const length = Math.min(all.length - at, frame.length)
    const isLast = length === frame.length
    parts.push(headerOf({ ...frame, length, flags: isLast ? frame.flags & END_STREAM : 0 }))
    parts.push(all.subarray(at, at + length))
    this.#rest = isLast ? undefined : { ...frame, length: frame.length - length }
    return at + length
  }

  /** A block of headers must not be interrupted. */
  #block(all: Uint8Array, from: number, first: number, parts: Uint8Array[]): number {
    let at = first
    for (let count = 0; count <= CONTINUATIONS; count++) {
      if (all.length - at < HEADER_BYTES) return from
      const frame = frameAt(all, at)
      if (frame.type !== CONTINUATION || frame.length > this.#maxFrameBytes) break
      at += HEADER_BYTES + frame.length
      if (at > all.length) return from
      if ((frame.flags & END_HEADERS) === 0) continue
      parts.push(all.subarray(from, at))
      return at
    }
    return this.#through(all, from, parts)
  }

  /** The first SETTINGS lift the limit on streams that they do not name; norn's have come before. */
  #settings(bytes: Uint8Array, frame: Frame): Uint8Array {
    if (!this.#hasSpoken || frame.stream !== 0 || frame.length % ENTRY_BYTES !== 0) return bytes
    const entries = entriesOf(bytes.subarray(HEADER_BYTES))
    const kept = entries.filter(([id]) => id !== NO_RFC7540_PRIORITIES)
    const isFirst = this.#next === 'settings'
    if (isFirst && !kept.some(([id]) => id === MAX_CONCURRENT_STREAMS)) kept.push([MAX_CONCURRENT_STREAMS, UNLIMITED])
    return kept.length === entries.length ? bytes : settings(kept)
  }
}

/** The bytes that a session sends: nghttp2 hands over whole frames. */
export class Outbound {
  #needsMagic: boolean
  /** Bytes of DATA sent, by stream. */
  readonly #sent = new Map<number, number>()
  /** The reason of a GOAWAY, where nghttp2 would give another. */
  reason: string | undefined
  /** SETTINGS to acknowledge, in order: whether they are norn's. */
  readonly #toAcknowledge: boolean[] = []

  constructor(isServer: boolean) {
    this.#needsMagic = !isServer
  }

  /** nghttp2 gets SETTINGS. */
  received(isOwn: boolean): void {
    this.#toAcknowledge.push(isOwn)
  }

  /** Norn's SETTINGS, if they were the last, are not acknowledged any more. */
  forgetOwn(): void {
    if (this.#toAcknowledge.at(-1) === true) this.#toAcknowledge.pop()
  }

  sentOf(stream: number): number {
    return this.#sent.get(stream) ?? 0
  }

  /**
   * Takes what nghttp2 sends; returns what goes to the other side. A frame begins where a buffer
   * does.
   *
   * @param announced called with the length of frames that this side accepts
   */
  take(buffers: readonly Uint8Array[], announced: (frameBytes: number) => void): Uint8Array[] {
    const taken: Uint8Array[] = []
    let left = 0
    for (const [index, buffer] of buffers.entries()) {
      if (left > 0) left -= buffer.length
      else if (this.#needsMagic) this.#needsMagic = false
      else {
        const frame = frameAt(buffer, 0)
        left = HEADER_BYTES + frame.length - buffer.length
        if (frame.type === DATA) {
          const padding = (frame.flags & PADDED) === 0 ? 0 : 1 + buffers[index + 1]![0]!
          this.#sent.set(frame.stream, this.sentOf(frame.stream) + frame.length - padding)
        }
        if (frame.type === GOAWAY && this.reason !== undefined) {
          taken.push(...goaway(buffer, this.reason))
          continue
        }
        if (frame.type === SETTINGS && (frame.flags & ACK) !== 0 && this.#toAcknowledge.shift() === true) continue
        if (frame.type === SETTINGS && (frame.flags & ACK) === 0)
          for (const [id, value] of entriesOf(buffer.subarray(HEADER_BYTES)))
            if (id === MAX_FRAME_SIZE) announced(value)
      }
      taken.push(buffer)
    }
    return taken
  }
}

/** A GOAWAY with another reason in words. */
function goaway(bytes: Uint8Array, reason: string): Uint8Array[] {
  const words = Buffer.from(reason)
  const payload = bytes.subarray(HEADER_BYTES, HEADER_BYTES + 8)
  return [Buffer.concat([headerOf({ ...frameAt(bytes, 0), length: payload.length + words.length }), payload, words])]
}

/**
 * What bytes on a connection say, in a line for people: the first line of an HTTP message and the
 * beginning of its body, frames of a WebSocket, commands and answers of Redis, the first line of
 * other text, the length of anything else. It reads each send by itself, as programs write messages,
 * and remembers only what a later one needs: a wrong guess misleads no one but the reader.
 */
import type { End } from '../../contract/traffic.ts'
import { messageLine } from './message-line.ts'

/** Bytes that are looked at, and characters kept of a body or a line. */
const MAX_BYTES = 4096
const MAX_TEXT = 120
/** Frames, commands or answers of one send that are named. */
const MAX_PARTS = 4

/** One connection's readings. */
export class MessageTexts {
  #isWebSocket = false
  /** Bytes that are still to come of the last frame, by the end they go to. */
  readonly #rest = { client: 0, server: 0 }
  /** Whether a body comes in chunks. */
  readonly #isChunked = { client: false, server: false }

  of(bytes: Uint8Array, to: End): string {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (this.#isWebSocket) return this.#frames(buffer, to)
    const line = messageLine(bytes)
    if (line !== undefined) return this.#message(buffer, line, to)
    if (this.#isChunked[to]) return joined(chunksOf(buffer).map(shown)) || 'end of the body'
    if (isRedis(buffer)) return joined(valuesOf(buffer))
    return shown(buffer)
  }

  #message(buffer: Buffer, line: string, to: End): string {
    const end = buffer.indexOf('\r\n\r\n')
    const head = buffer.subarray(0, end < 0 ? buffer.length : end).toString('latin1')
    this.#isChunked[to] = /\r\ntransfer-encoding:[^\r]*chunked/i.test(head)
    if (to === 'client' && /^HTTP\/1\.1 101 [\s\S]*\r\nupgrade: *websocket/i.test(head)) this.#isWebSocket = true
    const rest = end < 0 ? buffer.subarray(0, 0) : buffer.subarray(end + 4)
    if (this.#isWebSocket && rest.length > 0) return `${line}, ${this.#frames(rest, to)}`
    const [body] = this.#isChunked[to] ? chunksOf(rest) : [rest]
    return body === undefined || body.length === 0 ? line : `${line}: ${shown(body)}`
  }

  /** RFC 6455, 5.2. */
  #frames(buffer: Buffer, to: End): string {
    const frames: string[] = []
    let at = this.#rest[to]
    while (at + 2 <= buffer.length) {
      const opcode = buffer[at]! & 15
      const isMasked = buffer[at + 1]! >= 128
      let length = buffer[at + 1]! & 127
      const extended = length === 126 ? 2 : length === 127 ? 8 : 0
      if (at + 2 + extended > buffer.length) break
      if (extended === 2) length = buffer.readUInt16BE(at + 2)
      if (extended === 8) length = Number(buffer.readBigUInt64BE(at + 2))
      const start = at + 2 + extended + (isMasked ? 4 : 0)
      const payload = Buffer.from(buffer.subarray(start, Math.min(start + length, start + MAX_BYTES)))
      if (isMasked)
        for (const [index, byte] of payload.entries()) payload[index] = byte ^ buffer[start - 4 + (index & 3)]!
      // A compressed payload (RSV1) is no text.
      frames.push(frameText(opcode, payload, length, (buffer[at]! & 0x40) !== 0))
      at = start + length
    }
    this.#rest[to] = Math.max(0, at - buffer.length)
    return frames.length === 0 ? sizeText(buffer.length) : joined(frames)
  }
}

const FRAMES: Readonly<Record<number, string>> = {
  0: 'continuation',
  1: 'text',
  2: 'binary',
  8: 'close',
  9: 'ping',
  10: 'pong',
}

function frameText(opcode: number, payload: Buffer, length: number, isCompressed: boolean): string {
  const kind = `ws ${FRAMES[opcode] ?? `frame ${opcode}`}`
  if (length === 0) return kind
  if (opcode === 8 && payload.length >= 2) return `${kind} ${payload.readUInt16BE(0)}`
  // A writer may send the header of a frame apart.
  const isWhole = payload.length === length && !isCompressed
  return `${kind} ${isWhole && opcode !== 2 ? shown(payload) : sizeText(length)}`
}

/** The data of the chunks that a body begins with (RFC 9112, 7.1), without the last, empty one. */
function chunksOf(buffer: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < buffer.length && chunks.length < MAX_PARTS; ) {
    const end = buffer.indexOf('\r\n', at)
    const size = Number.parseInt(buffer.subarray(at, Math.max(at, end)).toString('latin1'), 16)
    // The rest of a chunk that began before.
    if (end < 0 || Number.isNaN(size)) return [...chunks, buffer.subarray(at)]
    if (size > 0) chunks.push(buffer.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return chunks
}

/** Whether bytes begin as those of Redis' protocol: a type, and a line that ends as it should. */
function isRedis(buffer: Buffer): boolean {
  return /^(?:[*$:](?:-?\d+)|[+-][ -~]*)\r\n/.test(buffer.subarray(0, 64).toString('latin1'))
}

/** Commands and answers (RESP), one text each; strings within arrays are separated by spaces. */
function valuesOf(buffer: Buffer): string[] {
  const lines = buffer.subarray(0, MAX_BYTES).toString('latin1').split('\r\n')
  const values: string[] = []
  let open = 0
  const add = (text: string) => {
    if (open > 0) values[values.length - 1] += values.at(-1) === '' ? text : ` ${text}`
    else values.push(text)
    if (open > 0) open--
  }
  for (let at = 0; at < lines.length && lines[at] !== ''; at++) {
    const [type, text] = [lines[at]![0], lines[at]!.slice(1)]
    if (type === '*') {
      values.push('')
      open = Math.max(0, Number(text))
    } else if (type === '$') add(text === '-1' ? '(nil)' : (lines[++at] ?? ''))
    else add(text)
  }
  return values
}

/** Text as its first line, and anything else by its length. */
function shown(buffer: Buffer): string {
  const text = buffer.subarray(0, MAX_BYTES).toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these make bytes no text
  if (/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(text.slice(0, -1))) return sizeText(buffer.length)
  const [first = '', ...more] = text.trim().split(/\r?\n/)
  if (first === '') return sizeText(buffer.length)
  return first.length > MAX_TEXT || more.length > 0 ? `${first.slice(0, MAX_TEXT)}…` : first
}

function joined(parts: readonly string[]): string {
  const more = parts.length - MAX_PARTS
  return [...parts.slice(0, MAX_PARTS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

const sizeText = (bytes: number) => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`

/** Decodes UTF-8 that comes in chunks. */

/** Bytes of a character at most. */
const MAX_BYTES = 4

/** Keeps no state, so all can use it. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Bytes are not UTF-8: they must not become one and the same replacement, for keys would be mixed up. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError'
  /** The text before them that the decoder has not returned yet. */
  readonly before: string
  readonly byte: number

  constructor(before: string, byte: number) {
    super(`not UTF-8: found the byte 0x${byte.toString(16).padStart(2, '0')}`)
    this.before = before
    this.byte = byte
  }
}

/**
 * A decoder that keeps state gives text of two bytes a character; this one decodes whole characters
 * without state, which is several times as fast, and what is ASCII stays one byte a character.
 */
export class Utf8Decoder {
  #rest: Uint8Array = new Uint8Array(0)

  /** @throws EncodingError */
  decode(chunk: Uint8Array): string {
    let bytes = chunk
    if (this.#rest.length > 0) {
      bytes = new Uint8Array(this.#rest.length + chunk.length)
      bytes.set(this.#rest)
      bytes.set(chunk, this.#rest.length)
    }
    const end = wholeCharacters(bytes)
    this.#rest = bytes.slice(end)
    return this.#decoded(bytes.subarray(0, end))
  }

  /**
   * What is left.
   *
   * @throws EncodingError
   */
  end(): string {
    return this.#decoded(this.#rest)
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return DECODER.decode(bytes)
    } catch {
      const end = validUntil(bytes)
      throw new EncodingError(DECODER.decode(bytes.subarray(0, end)), bytes[end]!)
    }
  }
}

/** The index of the first byte that belongs to no character. */
function validUntil(bytes: Uint8Array): number {
  const isValid = (end: number) => {
    try {
      DECODER.decode(bytes.subarray(0, wholeCharacters(bytes.subarray(0, end))))
      return true
    } catch {
      return false
    }
  }
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1
    if (isValid(middle)) valid = middle
    else invalid = middle
  }
  return wholeCharacters(bytes.subarray(0, valid))
}

/** How many lines end in a text. */
export function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The index after the last character that is complete. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(MAX_BYTES, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    // A byte that continues a character.
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Decodes UTF-8 that comes in chunks. */

/** Bytes of a character at most. */
const MAX_BYTES = 4

/**
 * A decoder that keeps state gives text of two bytes a character; this one decodes whole characters
 * without state, which is several times as fast, and what is ASCII stays one byte a character.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #rest: Uint8Array = new Uint8Array(0)

  decode(chunk: Uint8Array): string {
    let bytes = chunk
    if (this.#rest.length > 0) {
      bytes = new Uint8Array(this.#rest.length + chunk.length)
      bytes.set(this.#rest)
      bytes.set(chunk, this.#rest.length)
    }
    const end = wholeCharacters(bytes)
    this.#rest = bytes.slice(end)
    return this.#decoder.decode(bytes.subarray(0, end))
  }

  /** What is left. */
  end(): string {
    return this.#decoder.decode(this.#rest)
  }
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

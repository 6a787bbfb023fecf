/**
 * The records of TLS in a run of bytes (RFC 8446, 5.1).
 *
 * Lengths of handshake records vary from run to run: signatures by ECDSA, tickets. Records do not,
 * so what norn decides about encrypted bytes it decides by record.
 */

const HEADER_BYTES = 5
/** Types of records: from a change of the cipher to a heartbeat. */
const FIRST_TYPE = 20
const LAST_TYPE = 24

/**
 * The records of one direction of a connection. OpenSSL's bytes leave in writes that end anywhere in
 * a record, so the next write may begin in the middle of one.
 */
export class RecordStream {
  /** The header of the current record, as far as it has come. */
  #header: number[] = []
  /** Bytes of the current record still to come, once its header has. */
  #left = 0

  /** The lengths of the records, or of the pieces of records, that the next bytes consist of. */
  next(bytes: Uint8Array): number[] {
    const lengths: number[] = []
    for (let at = 0; at < bytes.length; ) {
      const start = at
      if (this.#left === 0) {
        while (this.#header.length < HEADER_BYTES && at < bytes.length) this.#header.push(bytes[at++]!)
        if (this.#header.length === HEADER_BYTES) {
          const [type] = this.#header as [number]
          const isRecord = FIRST_TYPE <= type && type <= LAST_TYPE
          // What a program wrote before TLS began is one piece.
          this.#left = isRecord ? (this.#header[3]! << 8) | this.#header[4]! : bytes.length - at
          this.#header = []
        }
      }
      const size = Math.min(this.#left, bytes.length - at)
      this.#left -= size
      at += size
      lengths.push(at - start)
    }
    return lengths
  }
}

/** Places at which a part can be cut: behind its first byte, in the middle, behind it. */
const PLACES = 3

/** The number of places at which bytes in such parts can be cut. */
export function placesIn(parts: readonly number[]): number {
  return PLACES * parts.length - 1
}

/** Cuts one part; the result has the lengths before and behind the cut. */
export function cutAt(parts: readonly number[], place: number): { before: number[]; behind: number[] } {
  const index = Math.floor(place / PLACES)
  const part = parts[index]!
  const size = [Math.min(1, part), part >>> 1, part][place % PLACES]!
  const full = (lengths: number[]) => lengths.filter((length) => length > 0)
  return {
    before: full([...parts.slice(0, index), size]),
    behind: full([part - size, ...parts.slice(index + 1)]),
  }
}

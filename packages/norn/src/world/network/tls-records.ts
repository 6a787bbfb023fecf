/**
 * The records of TLS in a run of bytes (RFC 8446, 5.1).
 *
 * Lengths of handshake records vary from run to run: signatures by ECDSA, tickets. Records do not,
 * so what norn decides about encrypted bytes it decides by record. Pure.
 */

const HEADER_BYTES = 5

/** The lengths of the records that the bytes consist of; the last one may be cut off. */
export function recordsOf(bytes: Uint8Array): number[] {
  const lengths: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const left = bytes.length - at
    const length = left < HEADER_BYTES ? left : HEADER_BYTES + ((bytes[at + 3]! << 8) | bytes[at + 4]!)
    lengths.push(Math.min(length, left))
    at += length
  }
  return lengths
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

/**
 * ECDSA with numbers drawn from the world's chance (FIPS 186-5, 6.4.1): OpenSSL draws the secret number of each signature
 * from a source of its own. The points are OpenSSL's.
 */
import { Buffer } from 'node:buffer'
import type { createECDH, createPrivateKey } from 'node:crypto'
import type { Chance } from '../../tape/chance.ts'
import { bytesOf, element, integer, numberOf, SEQUENCE } from './der.ts'
import { type Curve, drawScalar, pointOf } from './keys.ts'
import { inverse } from './primes.ts'

/**
 * @param key the private number
 * @param plain the two numbers one after the other (IEEE P1363) instead of in DER
 */
export function signEcdsa(
  crypto: { createECDH: typeof createECDH; createPrivateKey: typeof createPrivateKey },
  curve: Curve,
  key: bigint,
  digest: Uint8Array,
  plain: boolean,
  chance: Chance,
): Buffer {
  const { order } = curve
  const length = bytesOf(order).length
  const excess = digest.length * 8 - order.toString(2).length
  const hash = numberOf(digest) >> BigInt(Math.max(0, excess))
  for (;;) {
    const secret = drawScalar(curve, chance)
    const point = pointOf(crypto, curve, secret)
    const r = numberOf(point.subarray(1, 1 + (point.length - 1) / 2)) % order
    const s = (inverse(secret, order)! * (hash + r * key)) % order
    if (r === 0n || s === 0n) continue
    return plain ? Buffer.concat([bytesOf(r, length), bytesOf(s, length)]) : element(SEQUENCE, integer(r), integer(s))
  }
}

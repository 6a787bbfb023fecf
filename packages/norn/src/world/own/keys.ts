/**
 * Keys drawn from the world's chance instead of OpenSSL's own source: secret keys, those of elliptic curves, of RSA, and
 * the private numbers of Diffie-Hellman.
 *
 * A real key of the kind is made first and serves as a mould: its DER keeps whatever describes the kind, its private part
 * is replaced by a drawn one. What has no such form here (DSA, parameters of Diffie-Hellman, the post-quantum kinds, RSA-PSS
 * keys, keys that are encrypted as they are made) is left to OpenSSL: then the order is controlled, and the value is not.
 */
import { Buffer } from 'node:buffer'
import type { KeyObject } from 'node:crypto'
import type { Chance } from '../../tape/chance.ts'
import { fillRandom } from './chance.ts'
import { BIT_STRING, bytesOf, children, content, element, integer, numberOf, OCTET_STRING, SEQUENCE } from './der.ts'
import { drawPrime, type IsPrime, inverse } from './primes.ts'

type Crypto = Pick<typeof import('node:crypto'), 'createECDH' | 'createPrivateKey'>

/** Lengths of the private keys of Curve25519 and Curve448, in bytes. */
const RAW_LENGTHS = new Set([32, 56, 57])

/** A secret key of as many bytes as a real one. */
export function drawSecret(bits: number, length: number, chance: Chance): Uint8Array {
  const bytes = new Uint8Array(length)
  fillRandom(chance, bytes)
  // Of a length that is no whole number of bytes the last bits are 0.
  if (bits % 8 !== 0 && length * 8 > bits) bytes[length - 1]! &= 0xff << (8 - (bits % 8))
  return bytes
}

/** An Ed25519, X25519, Ed448 or X448 key; undefined if the mould (PKCS #8) is of another kind. */
export function drawRaw(crypto: Crypto, mould: Buffer, chance: Chance): KeyObject | undefined {
  const parts = children(mould)
  const key = parts.length === 3 ? content(parts[2]!) : Buffer.of()
  if (key[0] !== OCTET_STRING || !RAW_LENGTHS.has(content(key).length)) return undefined
  const drawn = new Uint8Array(content(key).length)
  fillRandom(chance, drawn)
  const der = element(SEQUENCE, parts[0]!, parts[1]!, element(OCTET_STRING, element(OCTET_STRING, drawn)))
  return crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** A curve, as far as numbers of it are drawn. */
export interface Curve {
  readonly name: string
  /** Of its group. */
  readonly order: bigint
}

/** @param spki a public key with the parameters of its curve written out */
export function curveOf(name: string, spki: Buffer): Curve {
  const [algorithm] = children(spki)
  const parameters = children(children(algorithm!)[1]!)
  return { name, order: numberOf(content(parameters[4]!)) }
}

export function drawScalar({ order }: Curve, chance: Chance): bigint {
  return chance.bigint(1n, order - 1n)
}

/** The public point of a private number, uncompressed. */
export function pointOf(crypto: Crypto, { name, order }: Curve, scalar: bigint): Buffer {
  const pair = crypto.createECDH(name)
  pair.setPrivateKey(bytesOf(scalar, bytesOf(order).length))
  return pair.getPublicKey()
}

/** @param mould the private key of another, as SEC 1 has it */
export function drawEc(crypto: Crypto, curve: Curve, mould: Buffer, chance: Chance): KeyObject {
  const [version, , parameters] = children(mould)
  const scalar = drawScalar(curve, chance)
  const point = element(BIT_STRING, Buffer.of(0), pointOf(crypto, curve, scalar))
  const key = element(OCTET_STRING, bytesOf(scalar, bytesOf(curve.order).length))
  const der = element(SEQUENCE, version!, key, parameters!, element(0xa1, point))
  return crypto.createPrivateKey({ key: der, format: 'der', type: 'sec1' })
}

/** An RSA key (PKCS #1, RFC 8017 A.1.2); undefined if no primes were found. */
export function drawRsa(
  crypto: Crypto,
  bits: number,
  exponent: number,
  chance: Chance,
  isPrime: IsPrime,
): KeyObject | undefined {
  const e = BigInt(exponent)
  const fitting = (size: number, other?: bigint): bigint | undefined => {
    for (let tried = 0; tried < 20; tried++) {
      const prime = drawPrime(size, {}, chance, isPrime)
      if (prime === undefined) return undefined
      if (prime !== other && inverse(e, prime - 1n) !== undefined) return prime
    }
    return undefined
  }
  const first = fitting(Math.ceil(bits / 2))
  const second = first && fitting(Math.floor(bits / 2), first)
  if (first === undefined || second === undefined) return undefined
  const [p, q] = first > second ? [first, second] : [second, first]
  const d = inverse(e, (p - 1n) * (q - 1n))!
  const numbers = [0n, p * q, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)!]
  const der = element(SEQUENCE, ...numbers.map(integer))
  return crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs1' })
}

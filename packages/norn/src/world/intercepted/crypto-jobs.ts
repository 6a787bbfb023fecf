/**
 * Performs the jobs of `node:crypto` synchronously, when their operation takes effect.
 *
 * Random bytes and secret keys are drawn from the world's chance. Key pairs, primes and signatures are gated: OpenSSL
 * draws them itself. Follows the constructors' arguments in lib/internal/crypto/keygen.js, ec.js, cfrg.js and rsa.js:
 * those that describe the kind come first, then how the result is given: encodings (`node:crypto`), or an algorithm,
 * usages and whether the key can be exported (`crypto.subtle`).
 */
import type { KeyObject } from 'node:crypto'
import { requireInternal } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import { fillRandom } from './chance.ts'

export type Outcome = [error: unknown, result: unknown]
export interface Job {
  run(): unknown
  ondone?: (error: unknown, result: unknown) => void
}
export type JobClass = new (mode: number, ...args: unknown[]) => Job

/** Modes of a job: calls `ondone`, returns its outcome from `run`, or returns a promise from `run`. */
export const ASYNC = 0
export const SYNC = 1
export const PROMISE = 2

/** Arguments at the end of a job that generates a key, for encodings or in `crypto.subtle`. */
const ENCODINGS = 6
const PAIR_TRAITS = 4
const SECRET_TRAITS = 3

/** `KeyObjectHandle`, as far as it is used. */
interface Handle {
  getSymmetricKeySize(): number
}

/** Returns what performs a job; throws at once for wrong arguments. */
export function performer(
  name: string,
  Real: JobClass,
  mode: number,
  args: unknown[],
  chance: () => Chance,
): () => Outcome {
  if (/^SecretKeyGen(erate)?Job$/.test(name)) return secretKey(Real, mode, args, chance)
  if (mode === PROMISE && name.endsWith('KeyPairGenJob')) return keyPair(Real, args)
  const job = new Real(SYNC, ...args)
  return () => job.run() as Outcome
}

function secretKey(Real: JobClass, mode: number, args: unknown[], chance: () => Chance): () => Outcome {
  const [bits] = args as [number]
  const job = new Real(SYNC, bits)
  const traits = mode === PROMISE ? args.slice(-SECRET_TRAITS) : undefined
  return () => {
    const [error, real] = job.run() as [unknown, Handle]
    if (error !== undefined && error !== null) return [error, undefined]
    const { createSecretKey } = requireInternal<typeof import('node:crypto')>('node:crypto')
    const handle = handleOf(createSecretKey(secretBytes(bits, real.getSymmetricKeySize(), chance())))
    return [undefined, traits === undefined ? handle : cryptoKey(handle, ...traits)]
  }
}

function secretBytes(bits: number, length: number, chance: Chance): Uint8Array {
  const bytes = new Uint8Array(length)
  fillRandom(chance, bytes)
  // Of a length that is not a whole number of bytes the last bits are 0.
  if (bits % 8 !== 0 && length * 8 > bits) bytes[length - 1]! &= 0xff << (8 - (bits % 8))
  return bytes
}

/** A key pair of `crypto.subtle`: the synchronous job gives native keys. */
function keyPair(Real: JobClass, args: unknown[]): () => Outcome {
  const [algorithm, publicUsages, privateUsages, extractable] = args.slice(-PAIR_TRAITS)
  const job = new Real(SYNC, ...args.slice(0, -PAIR_TRAITS), ...Array(ENCODINGS).fill(undefined))
  return () => {
    const [error, keys] = job.run() as [unknown, [Handle, Handle]]
    if (error !== undefined && error !== null) return [error, undefined]
    const publicKey = cryptoKey(keys[0], algorithm, publicUsages, true)
    return [undefined, { publicKey, privateKey: cryptoKey(keys[1], algorithm, privateUsages, extractable) }]
  }
}

/** The native key of a key object; how Node keeps it differs between versions. */
function handleOf(key: KeyObject): Handle {
  const { getKeyObjectHandle } = requireInternal<{ getKeyObjectHandle?: (key: KeyObject) => Handle }>(
    'internal/crypto/keys',
  )
  if (getKeyObjectHandle !== undefined) return getKeyObjectHandle(key)
  const symbol = Object.getOwnPropertySymbols(key).find(({ description }) => description === 'kHandle')
  return Reflect.get(key, symbol!) as Handle
}

function cryptoKey(handle: Handle, ...traits: unknown[]): object {
  const { InternalCryptoKey } = requireInternal<{ InternalCryptoKey: new (...args: unknown[]) => object }>(
    'internal/crypto/keys',
  )
  return new InternalCryptoKey(handle, ...traits)
}

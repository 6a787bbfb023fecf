/**
 * Runs the jobs of `node:crypto` synchronously, when their operation takes effect.
 *
 * The world draws random bytes and secret keys. OpenSSL draws key pairs, primes and signatures,
 * which are gated. Arguments follow lib/internal/crypto/keygen.js, ec.js, cfrg.js and rsa.js: first
 * the kind, then the form of the result: encodings (`node:crypto`), or algorithm, usages and
 * extractability (`crypto.subtle`).
 */
import type { KeyObject } from 'node:crypto'
import { requireInternal } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import { RealError } from '../realm/language.ts'
import { fillRandom } from './random.ts'

export type Outcome = [error: unknown, result: unknown]
export interface Job {
  run(): unknown
  getAsyncId?(): number
  ondone?: (error: unknown, result: unknown) => void
}
export type JobClass = new (mode: number, ...args: unknown[]) => Job

/**
 * Modes of a job: calls `ondone`, returns its outcome from `run`, or returns a promise from `run`.
 */
export const ASYNC = 0
export const SYNC = 1
export const PROMISE = 2

/** Trailing arguments of key generation: encodings, or traits in `crypto.subtle`. */
const ENCODINGS = 6
const PAIR_TRAITS = 4
const SECRET_TRAITS = 3

/** The used part of `KeyObjectHandle`. */
interface Handle {
  getSymmetricKeySize(): number
}

/** A job of Node's, and what runs it. */
export interface Prepared {
  readonly job: Job
  readonly perform: () => Outcome
}

/**
 * Prepares a job; throws at once for wrong arguments. A synchronous job reads the bytes of its
 * arguments where they are, so they must live until it has run.
 */
export function performer(name: string, Real: JobClass, mode: number, args: unknown[], chance: () => Chance): Prepared {
  const { job, perform } = prepared(name, Real, mode, args, chance)
  const performOnce = () => {
    const outcome = perform()
    args.length = 0
    return outcome
  }
  return { job, perform: performOnce }
}

function prepared(name: string, Real: JobClass, mode: number, args: unknown[], chance: () => Chance): Prepared {
  if (/^SecretKeyGen(erate)?Job$/.test(name)) return secretKey(Real, mode, args, chance)
  if (mode === PROMISE && name.endsWith('KeyPairGenJob')) return keyPair(Real, args)
  if (mode === PROMISE && name.startsWith('KEM')) return encapsulation(Real, args)
  const job = new Real(SYNC, ...args)
  return { job, perform: () => job.run() as Outcome }
}

function secretKey(Real: JobClass, mode: number, args: unknown[], chance: () => Chance): Prepared {
  const [bits] = args as [number]
  const job = new Real(SYNC, bits)
  const traits = mode === PROMISE ? args.slice(-SECRET_TRAITS) : undefined
  const perform = (): Outcome => {
    const [error, real] = job.run() as [unknown, Handle]
    if (error !== undefined && error !== null) return [error, undefined]
    const { createSecretKey } = requireInternal<typeof import('node:crypto')>('node:crypto')
    const handle = handleOf(createSecretKey(secretBytes(bits, real.getSymmetricKeySize(), chance())))
    return [undefined, traits === undefined ? handle : cryptoKey(handle, ...traits)]
  }
  return { job, perform }
}

function secretBytes(bits: number, length: number, chance: Chance): Uint8Array {
  const bytes = new Uint8Array(length)
  fillRandom(chance, bytes)
  // Bits beyond the length are 0.
  if (bits % 8 !== 0 && length * 8 > bits) bytes[length - 1]! &= 0xff << (8 - (bits % 8))
  return bytes
}

/** A key pair for `crypto.subtle`: the synchronous job returns native keys. */
function keyPair(Real: JobClass, args: unknown[]): Prepared {
  const [algorithm, publicUsages, privateUsages, extractable] = args.slice(-PAIR_TRAITS)
  const job = new Real(SYNC, ...args.slice(0, -PAIR_TRAITS), ...Array(ENCODINGS).fill(undefined))
  const perform = (): Outcome => {
    const [error, keys] = job.run() as [unknown, [Handle, Handle]]
    if (error !== undefined && error !== null) return [error, undefined]
    const publicKey = cryptoKey(keys[0], algorithm, publicUsages, true)
    return [undefined, { publicKey, privateKey: cryptoKey(keys[1], algorithm, privateUsages, extractable) }]
  }
  return { job, perform }
}

/** Encapsulation for `crypto.subtle`: the synchronous job returns a pair of buffers, or one for a shared key alone. */
function encapsulation(Real: JobClass, args: unknown[]): Prepared {
  const job = new Real(SYNC, ...args)
  const perform = (): Outcome => {
    const result = resultOf(job) as Uint8Array | [Uint8Array, Uint8Array] | undefined
    if (result === undefined) return [new RealError('Deriving bits failed'), undefined]
    const bytesOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
    if (!Array.isArray(result)) return [undefined, bytesOf(result)]
    const [sharedKey, ciphertext] = result.map(bytesOf)
    return [undefined, { sharedKey, ciphertext }]
  }
  return { job, perform }
}

/** Undefined if a synchronous job fails; one kind of them throws, another returns the error. */
function resultOf(job: Job): unknown {
  try {
    const [error, result] = job.run() as Outcome
    return error === undefined || error === null ? result : undefined
  } catch {
    return undefined
  }
}

/** The native handle of a key object; its place differs between versions of Node. */
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

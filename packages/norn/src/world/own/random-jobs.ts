/**
 * The jobs and handles of `node:crypto` that draw inside OpenSSL: keys, primes, the secret numbers of ECDSA. Under the world
 * they are drawn from its chance, in the synchronous forms as in the others.
 *
 * Follows the constructors' arguments in lib/internal/crypto/keygen.js, ec.js, cfrg.js, rsa.js, sig.js and random.js: those
 * that describe the kind come first, then how the result is to be given: encodings (`node:crypto`), or an algorithm, usages
 * and whether the key can be exported (`crypto.subtle`). A job whose result cannot be drawn is OpenSSL's own.
 */
import { Buffer } from 'node:buffer'
import type { Hash, KeyObject } from 'node:crypto'
import { type Binding, internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import { type Control, define } from '../replace.ts'
import { bytesOf, children, content, numberOf } from './der.ts'
import { type Curve, curveOf, drawEc, drawRaw, drawRsa, drawScalar, drawSecret } from './keys.ts'
import { drawPrime } from './primes.ts'
import { signEcdsa } from './signatures.ts'

export interface RandomJobsHost extends Control {
  chance(): Chance
}

export type Outcome = [error: unknown, result: unknown]
export interface Job {
  run(): unknown
  ondone?: (error: unknown, result: unknown) => void
}
export type JobClass = new (mode: number, ...args: unknown[]) => Job

export const ASYNC = 0
export const SYNC = 1
export const PROMISE = 2

/** How many of a generating job's arguments say how the result is to be given, by mode. */
const ENCODINGS = 6
const PAIR_TRAITS = 4
const SECRET_TRAITS = 3

/** `KeyObjectHandle`, as far as it is used. */
interface Handle {
  init(...args: unknown[]): void
  export(...options: unknown[]): Buffer
  exportJwk(target: object, pss: boolean): object
  keyDetail(target: object): { namedCurve?: string }
  getSymmetricKeySize(): number
}

type Perform = () => Outcome

/** The number of bytes in a `Diffie-Hellman` private number that is drawn, at most. */
const PRIVATE_BYTES = 32

export class RandomJobs {
  readonly #host: RandomJobsHost
  readonly #real: Readonly<Record<string, JobClass>>
  readonly #binding: Binding
  readonly #curves = new Map<string, Curve>()

  /** @param real the job classes as Node made them */
  constructor(host: RandomJobsHost, real: Readonly<Record<string, JobClass>>) {
    this.#host = host
    this.#real = real
    this.#binding = internalBinding('crypto')
  }

  /** What a job does when it takes effect; throws at once what its arguments are wrong by. */
  performer(name: string, Real: JobClass, mode: number, args: unknown[]): Perform {
    if (name.endsWith('KeyPairGenJob')) return this.#pair(name, Real, mode, args)
    if (/^SecretKeyGen(erate)?Job$/.test(name)) return this.#secret(Real, mode, args)
    const job = new Real(SYNC, ...args)
    const natively = () => job.run() as Outcome
    if (name === 'RandomPrimeJob') return this.#drawn(() => this.#prime(args), natively)
    if (name === 'SignJob' && args[0] === this.#binding.kSignJobModeSign) {
      return this.#drawn(() => this.#signature(args), natively)
    }
    return natively
  }

  /** Objects that draw by a method: key exchanges and `crypto.createSign`. To be called before `node:crypto` loads. */
  ownHandles(): void {
    const { ECDH, DiffieHellman, DiffieHellmanGroup, Sign } = this.#binding
    const curves = new WeakMap<object, string>()
    this.#binding.ECDH = new Proxy(ECDH, {
      construct(target, args, newTarget) {
        const handle = Reflect.construct(target, args, newTarget)
        curves.set(handle, args[0])
        return handle
      },
    })
    this.#replace(ECDH.prototype, 'generateKeys', (handle) => {
      const name = curves.get(handle)
      if (name === undefined) return false
      const curve = this.#curve(name)
      handle.setPrivateKey!(bytesOf(drawScalar(curve, this.#host.chance()), bytesOf(curve.order).length))
      return true
    })
    for (const { prototype } of [DiffieHellman, DiffieHellmanGroup]) {
      // With a private number set, the real function derives the public one from it.
      this.#replace(prototype, 'generateKeys', (handle) => {
        if (hasPrivateKey(handle)) return false
        const length = Math.min(PRIVATE_BYTES, (handle.getPrime!() as Buffer).length - 1)
        if (length < 1) return false
        const drawn = drawSecret(length * 8, length, this.#host.chance())
        drawn[length - 1]! |= 1
        handle.setPrivateKey!(Buffer.from(drawn))
        return false
      })
    }
    this.#ownSign(Sign.prototype)
  }

  /** A function of a handle that does the whole work if it says so, and otherwise goes before the real one. */
  #replace(
    prototype: Record<string, Function>,
    name: string,
    mine: (handle: Record<string, Function>) => boolean,
  ): void {
    const real = prototype[name]!
    const { active } = this.#host
    define(prototype, name, function (this: Record<string, Function>, ...args: unknown[]) {
      return active() && mine(this) ? undefined : Reflect.apply(real, this, args)
    })
  }

  /** `crypto.createSign` hashes as it goes: the hash is kept beside it, for a key that is drawn for. */
  #ownSign(prototype: Record<string, Function>): void {
    const { init, update, sign } = prototype as Record<'init' | 'update' | 'sign', Function>
    const { active, chance } = this.#host
    const hashes = new WeakMap<object, Hash>()
    define(prototype, 'init', function (this: object, ...args: [string]) {
      const result = Reflect.apply(init, this, args)
      try {
        if (active()) hashes.set(this, crypto().createHash(args[0]))
      } catch {
        // A name that only signatures know: the signature is OpenSSL's.
      }
      return result
    })
    define(prototype, 'update', function (this: object, ...args: [string | Buffer, BufferEncoding]) {
      const result = Reflect.apply(update, this, args)
      if (typeof args[0] === 'string') hashes.get(this)?.update(args[0], args[1])
      else hashes.get(this)?.update(args[0])
      return result
    })
    const ecKey = (args: unknown[]) => this.#ecKey(args)
    define(prototype, 'sign', function (this: object, ...args: unknown[]) {
      const hash = hashes.get(this)
      const key = active() && hash !== undefined ? ecKey(args.slice(0, -3)) : undefined
      if (key === undefined) return Reflect.apply(sign, this, args)
      const plain = args.at(-1) === internalBinding('crypto').kSigEncP1363
      return signEcdsa(crypto(), key.curve, key.scalar, hash!.digest(), plain, chance())
    })
  }

  #drawn(draw: () => unknown, natively: Perform): Perform {
    return () => {
      const result = draw()
      return result === undefined ? natively() : [undefined, result]
    }
  }

  #secret(Real: JobClass, mode: number, args: unknown[]): Perform {
    const [bits] = args as [number]
    const job = new Real(SYNC, bits)
    const traits = mode === PROMISE ? args.slice(-SECRET_TRAITS) : undefined
    return () => {
      const [error, mould] = job.run() as [unknown, Handle]
      if (error !== undefined && error !== null) return [error, undefined]
      const bytes = drawSecret(bits, mould.getSymmetricKeySize(), this.#host.chance())
      const handle = handleOf(crypto().createSecretKey(bytes))
      return [undefined, traits === undefined ? handle : cryptoKey(handle, ...traits)]
    }
  }

  #pair(name: string, Real: JobClass, mode: number, args: unknown[]): Perform {
    const traits = mode === PROMISE ? args.slice(-PAIR_TRAITS) : undefined
    const description = args.slice(0, traits === undefined ? -ENCODINGS : -PAIR_TRAITS)
    // A key of Node's own gives no parameters of its curve here.
    if (name === 'EcKeyPairGenJob') description[1] ??= this.#binding.OPENSSL_EC_NAMED_CURVE
    const encodings = traits === undefined ? args.slice(-ENCODINGS) : Array(ENCODINGS).fill(undefined)
    const validated = new Real(SYNC, ...description, ...encodings)
    return () => {
      const isEncrypted = encodings[4] !== undefined && encodings[4] !== null
      const key = isEncrypted ? undefined : this.#key(name, Real, description)
      if (key === undefined && traits === undefined) return validated.run() as Outcome
      if (key === undefined) {
        const [error, handles] = validated.run() as [unknown, [Handle, Handle]]
        if (error !== undefined && error !== null) return [error, undefined]
        return [undefined, cryptoKeyPair(handles, traits!)]
      }
      const handles: [Handle, Handle] = [handleOf(crypto().createPublicKey(key as never)), handleOf(key)]
      if (traits !== undefined) return [undefined, cryptoKeyPair(handles, traits)]
      const [publicFormat, publicType, privateFormat, privateType] = encodings
      return [
        undefined,
        [
          this.#encoded(handles[0], publicFormat, publicType),
          this.#encoded(handles[1], privateFormat, privateType, null, null),
        ],
      ]
    }
  }

  #encoded(handle: Handle, format: unknown, ...options: unknown[]): unknown {
    if (format === undefined) return handle
    if (format === this.#binding.kKeyFormatJWK) return handle.exportJwk({}, false)
    return handle.export(format, ...options)
  }

  /** A drawn key of a kind; undefined if OpenSSL has to draw it. */
  #key(name: string, Real: JobClass, description: unknown[]): KeyObject | undefined {
    const chance = this.#host.chance()
    if (name === 'RsaKeyPairGenJob') {
      const [variant, bits, exponent] = description as [number, number, number]
      if (variant !== this.#binding.kKeyVariantRSA_SSA_PKCS1_v1_5) return undefined
      return drawRsa(crypto(), bits, exponent, chance, this.#isPrime)
    }
    if (name === 'EcKeyPairGenJob') {
      const curve = this.#curve(description[0] as string)
      return drawEc(crypto(), curve, this.#privateMould(Real, description, this.#binding.kKeyEncodingSEC1), chance)
    }
    if (name !== 'NidKeyPairGenJob') return undefined
    return drawRaw(crypto(), this.#privateMould(Real, description, this.#binding.kKeyEncodingPKCS8), chance)
  }

  /** A real key pair of a kind, public and private. */
  #mould(Real: JobClass, description: unknown[]): [Handle, Handle] {
    const [error, keys] = new Real(SYNC, ...description, ...Array(ENCODINGS).fill(undefined)).run() as Outcome
    if (error !== undefined && error !== null) throw error
    return keys as [Handle, Handle]
  }

  #privateMould(Real: JobClass, description: unknown[], encoding: number): Buffer {
    return this.#mould(Real, description)[1].export(this.#binding.kKeyFormatDER, encoding, null, null)
  }

  #curve(name: string): Curve {
    let curve = this.#curves.get(name)
    if (curve === undefined) {
      const { OPENSSL_EC_NAMED_CURVE, OPENSSL_EC_EXPLICIT_CURVE, kKeyFormatDER, kKeyEncodingSPKI } = this.#binding
      const EcKeyPairGenJob = this.#real.EcKeyPairGenJob!
      // A key tells the name that a key exchange knows the curve by: `P-256` is `prime256v1` there.
      const [named] = this.#mould(EcKeyPairGenJob, [name, OPENSSL_EC_NAMED_CURVE])
      const [explicit] = this.#mould(EcKeyPairGenJob, [name, OPENSSL_EC_EXPLICIT_CURVE])
      curve = curveOf(named.keyDetail({}).namedCurve ?? name, explicit.export(kKeyFormatDER, kKeyEncodingSPKI))
      this.#curves.set(name, curve)
    }
    return curve
  }

  /** Arguments: bits, whether it is to be a safe one, and what it has to leave divided by what. */
  #prime(args: unknown[]): unknown {
    const [bits, safe, add, rem] = args as [number, boolean, ArrayBufferView | undefined, ArrayBufferView | undefined]
    // What a safe prime has to leave without being told is OpenSSL's affair.
    if (safe && add !== undefined) return undefined
    const options = { safe, add: optional(add), rem: optional(rem) }
    const prime = drawPrime(bits, options, this.#host.chance(), this.#isPrime)
    if (prime === undefined) return undefined
    const bytes = bytesOf(prime, Math.ceil(bits / 8))
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  }

  readonly #isPrime = (candidate: bigint): boolean => {
    const [, answer] = new this.#real.CheckPrimeJob!(SYNC, bytesOf(candidate), 0).run() as Outcome
    return answer === true
  }

  /** Arguments: the mode, the key in up to five, the data, the hash, two of RSA, the encoding, a context, a signature. */
  #signature(args: unknown[]): unknown {
    const dataAt = args.findIndex((each, index) => index > 4 && isBytes(each))
    const key = dataAt < 0 ? undefined : this.#ecKey(args.slice(1, dataAt))
    if (key === undefined) return undefined
    const data = args[dataAt] as Uint8Array
    const digest = crypto()
      .createHash((args[dataAt + 1] as string | undefined) ?? 'sha256')
      .update(ArrayBuffer.isView(data) ? data : new Uint8Array(data))
      .digest()
    const plain = args[dataAt + 4] === this.#binding.kSigEncP1363
    const signed = signEcdsa(crypto(), key.curve, key.scalar, digest, plain, this.#host.chance())
    return signed.buffer.slice(signed.byteOffset, signed.byteOffset + signed.length)
  }

  /** The private number of a key of a named curve; undefined for any other. */
  #ecKey([data, ...form]: unknown[]): { curve: Curve; scalar: bigint } | undefined {
    const { KeyObjectHandle, kKeyTypePrivate, kKeyFormatDER, kKeyEncodingSEC1 } = this.#binding
    let handle = data as Handle
    try {
      if (!(data instanceof KeyObjectHandle)) {
        handle = new KeyObjectHandle() as Handle
        handle.init(kKeyTypePrivate, data, ...form)
      }
      const { namedCurve } = handle.keyDetail({})
      if (namedCurve === undefined) return undefined
      const sec1 = handle.export(kKeyFormatDER, kKeyEncodingSEC1, null, null)
      return { curve: this.#curve(namedCurve), scalar: numberOf(content(children(sec1)[1]!)) }
    } catch {
      // Not a key for this: Node says so itself.
      return undefined
    }
  }
}

function crypto(): typeof import('node:crypto') {
  return requireInternal('node:crypto')
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

function cryptoKey(handle: Handle, algorithm?: unknown, usages?: unknown, extractable?: unknown): object {
  const { InternalCryptoKey } = requireInternal<{ InternalCryptoKey: new (...args: unknown[]) => object }>(
    'internal/crypto/keys',
  )
  return new InternalCryptoKey(handle, algorithm, usages, extractable)
}

function cryptoKeyPair(handles: [Handle, Handle], traits: unknown[]): object {
  const [algorithm, publicUsages, privateUsages, extractable] = traits
  return {
    publicKey: cryptoKey(handles[0], algorithm, publicUsages, true),
    privateKey: cryptoKey(handles[1], algorithm, privateUsages, extractable),
  }
}

function hasPrivateKey(handle: Record<string, Function>): boolean {
  try {
    return (handle.getPrivateKey!() as Buffer).length > 0
  } catch {
    return false
  }
}

function optional(bytes: ArrayBufferView | ArrayBufferLike | undefined): bigint | undefined {
  if (bytes === undefined || bytes === null) return undefined
  return numberOf(
    ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes),
  )
}

function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
}

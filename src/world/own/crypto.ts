/**
 * Owns the jobs of `node:crypto` that run on the thread pool: under the world an asynchronous job becomes a synchronous
 * one that is performed when the operation takes effect, and calls back when its callback is due.
 *
 * Follows lib/internal/crypto/*.js: a job is made with a mode (0 asynchronous, 1 synchronous) and arguments, gets an
 * `ondone`, and is run; the classes are taken from the binding when `node:crypto` loads, so this has to be installed
 * before. What draws random numbers inside OpenSSL (keys, primes, the nonces of most signatures, the padding of an
 * encryption to a public key) and the promise jobs of `crypto.subtle` are not controlled.
 */
import { AsyncResource } from 'node:async_hooks'
import { internalBinding, requireInternal } from '../../instrument/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import type { PoolOperation } from '../pool.ts'
import { type Control, define } from '../replace.ts'
import { fillRandom } from './chance.ts'

export interface CryptoHost extends Control {
  submit(operation: PoolOperation): void
  chance(): Chance
}

type Job = { run(): [error: unknown, result: unknown] | undefined; ondone?: (error: unknown, result: unknown) => void }
type JobClass = new (mode: number, ...args: unknown[]) => Job

const ASYNC = 0
const SYNC = 1

/** Jobs whose result is a function of their arguments. */
const DETERMINISTIC = new Set(['PBKDF2Job', 'ScryptJob', 'HKDFJob', 'Argon2Job', 'CheckPrimeJob', 'HashJob', 'SignJob'])

export function ownCrypto(host: CryptoHost): void {
  const binding = internalBinding('crypto')
  for (const name of Object.keys(binding)) {
    const Real = binding[name] as unknown
    if (!name.endsWith('Job') || typeof Real !== 'function') continue
    binding[name] = ownedJob(name, Real as JobClass, host)
  }
}

/** Synchronous functions that draw inside OpenSSL. To be called when `node:crypto` may load. */
export function refuseHiddenChance(host: CryptoHost): void {
  const crypto = requireInternal<typeof import('node:crypto')>('node:crypto')
  const before = (object: object, name: string, check: (...args: never[]) => void) => {
    const real = (object as Record<string, Function>)[name]!
    define(object, name, function (this: unknown, ...args: never[]) {
      if (host.active()) check(...args)
      return Reflect.apply(real, this, args)
    })
  }
  const binding = internalBinding('crypto')
  before(binding.DiffieHellman.prototype, 'generateKeys', () => host.refuse('crypto DiffieHellman keys'))
  before(binding.DiffieHellmanGroup.prototype, 'generateKeys', () => host.refuse('crypto DiffieHellman keys'))
  before(binding.ECDH.prototype, 'generateKeys', () => host.refuse('crypto ECDH keys'))
  before(crypto, 'publicEncrypt', () => host.refuse('crypto publicEncrypt'))
  before(crypto, 'sign', (_algorithm, _data, key) => refuseRandomSignature(host, crypto, key))
  before(crypto.Sign.prototype, 'sign', (key) => refuseRandomSignature(host, crypto, key))
}

/** Of the kinds of signatures, Ed25519, Ed448 and RSA in its older form are functions of the data and the key. */
function refuseRandomSignature(host: CryptoHost, crypto: typeof import('node:crypto'), given: unknown): void {
  const options = given as { key?: unknown; padding?: number } | undefined
  let key: import('node:crypto').KeyObject
  try {
    if (given instanceof crypto.KeyObject) key = given
    else if (options?.key instanceof crypto.KeyObject) key = options.key
    else key = crypto.createPrivateKey(given as string)
  } catch {
    // Not a key: Node says so itself.
    return
  }
  const { asymmetricKeyType: type } = key
  if (type === 'ed25519' || type === 'ed448') return
  if (type === 'rsa' && options?.padding !== crypto.constants.RSA_PKCS1_PSS_PADDING) return
  host.refuse(`crypto signature with a random part (${type})`)
}

function ownedJob(name: string, Real: JobClass, host: CryptoHost): JobClass {
  const kind = name.replace(/Job$/, '')
  return new Proxy(Real, {
    construct(_, [mode, ...args]: [number, ...unknown[]], newTarget) {
      const real = () => Reflect.construct(Real, [mode, ...args], newTarget) as Job
      if (!host.active()) return real()
      if (name === 'RandomBytesJob') return randomBytesJob(mode, args, host)
      if (mode === SYNC) return isRandom(name) ? host.refuse(`crypto ${kind}`) : real()
      if (mode !== ASYNC || !DETERMINISTIC.has(name)) return host.refuse(`crypto ${kind}`)
      return pooled(kind, new Real(SYNC, ...args), host)
    },
  })
}

/** Key generation and primes draw from OpenSSL's own source. */
function isRandom(name: string): boolean {
  return /KeyPairGen|KeyGen|RandomPrime|KEMEncapsulate/.test(name)
}

function pooled(kind: string, job: Job, host: CryptoHost): Job {
  // As the native job, it calls back in the context it was made in.
  const context = new AsyncResource(kind)
  const wrapper: Job = {
    run() {
      host.submit({
        kind,
        resource: '',
        effect: () => job.run(),
        complete: (_, outcome) => {
          const [error, result] = outcome as [unknown, unknown]
          context.runInAsyncScope(() => wrapper.ondone?.(error, result))
        },
      })
      return undefined
    },
  }
  return wrapper
}

/** Arguments: the buffer to fill, where in it to begin, and how many bytes. */
function randomBytesJob(mode: number, args: unknown[], host: CryptoHost): Job {
  const [buffer, offset, size] = args as [ArrayBufferView | ArrayBufferLike, number, number]
  const fill = () => {
    const bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size)
      : new Uint8Array(buffer, offset, size)
    fillRandom(host.chance(), bytes)
    return [undefined, undefined] as [unknown, unknown]
  }
  return mode === SYNC ? { run: fill } : pooled('randomBytes', { run: fill }, host)
}

/**
 * Intercepts the jobs of `node:crypto` and `crypto.subtle`: an asynchronous job runs synchronously
 * when its operation takes effect, and calls back when its callback is due.
 *
 * Follows lib/internal/crypto/*.js. `node:crypto` reads the classes from the binding when it loads,
 * so interception comes first. Invariant: a job uses its arguments' bytes as of the call, like the
 * native one.
 */

import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { PoolOperation } from '../loop/pool.ts'
import { type CallbackContext, contextOf, endContext, newContext } from '../realm/callback-scope.ts'
import type { Control } from '../realm/replace.ts'
import { ASYNC, type Job, type JobClass, type Outcome, PROMISE, performer, SYNC } from './crypto-jobs.ts'
import { fillRandom } from './random.ts'

export interface CryptoHost extends Control {
  chance(): Chance
  submit(operation: PoolOperation): void
}

export const cryptoJobs: Interceptor<CryptoHost> = {
  name: 'jobs of node:crypto',
  builtins: {
    crypto: {
      controlled:
        'checkPrime checkPrimeSync hkdf hkdfSync pbkdf2 pbkdf2Sync scrypt scryptSync argon2 argon2Sync generateKey ' +
        'generateKeySync randomBytes randomFill randomFillSync randomInt randomUUID randomUUIDv7 getRandomValues verify ' +
        'decapsulate',
      gated:
        'generateKeyPair generateKeyPairSync generatePrime generatePrimeSync sign createSign Sign createECDH ECDH ' +
        'createDiffieHellman DiffieHellman createDiffieHellmanGroup getDiffieHellman DiffieHellmanGroup diffieHellman ' +
        'publicEncrypt encapsulate',
      uncontrolled: 'setEngine setFips',
      plain:
        'createCipheriv createDecipheriv createHash createHmac createMac createPrivateKey createPublicKey createSecretKey ' +
        'createVerify getCiphers getCipherInfo getCurves getHashes getMacs privateDecrypt privateEncrypt publicDecrypt ' +
        'timingSafeEqual getFips hash Certificate Cipheriv Decipheriv Hash Hmac KeyObject Verify X509Certificate ' +
        'secureHeapUsed parsePKCS12',
      note:
        'The tape draws random bytes, UUIDs and secret keys, in `crypto.subtle` too. OpenSSL draws key pairs, primes, and ' +
        'the random numbers of signatures and of encryption with a public key: these are gated.',
    },
    globals: { controlled: 'crypto.subtle' },
  },
  install: interceptCrypto,
}

function interceptCrypto(host: CryptoHost): void {
  const binding = internalBinding('crypto')
  for (const [name, Real] of Object.entries(binding)) {
    if (name.endsWith('Job') && typeof Real === 'function') binding[name] = interceptedJob(name, Real as JobClass, host)
  }
}

function interceptedJob(name: string, Real: JobClass, host: CryptoHost): JobClass {
  const kind = name.replace(/Job$/, '')
  return new Proxy(Real, {
    construct(_, [mode, ...args]: [number, ...unknown[]], newTarget) {
      if (!host.active()) return Reflect.construct(Real, [mode, ...args], newTarget) as Job
      if (name === 'RandomBytesJob') return randomBytesJob(mode, args, host)
      const { job, perform } = performer(name, Real, mode, mode === SYNC ? args : args.map(copied), host.chance)
      if (mode === SYNC) return { run: perform }
      const context = contextOf(job)
      if (mode === ASYNC) return called(kind, perform, context, host)
      if (mode === PROMISE) return promised(kind, perform, context, host)
      return host.refuse(`crypto ${kind}`)
    },
  })
}

/** The bytes of an argument as they are now. */
function copied(argument: unknown): unknown {
  if (argument instanceof ArrayBuffer) return argument.slice(0)
  // V8 cannot slice an empty one.
  if (argument instanceof SharedArrayBuffer) return argument.byteLength === 0 ? argument : argument.slice(0)
  if (!ArrayBuffer.isView(argument)) return argument
  return new Uint8Array(argument.buffer, argument.byteOffset, argument.byteLength).slice()
}

type Done = (error: unknown, result: unknown) => void

/** Submits a job to the pool; calls `done` with its outcome. */
function submit(kind: string, perform: () => Outcome, host: CryptoHost, done: Done): void {
  host.submit({
    kind,
    resource: '',
    effect: perform,
    complete: (thrown, outcome) => {
      const [error, result] = thrown === undefined ? (outcome as Outcome) : [thrown, undefined]
      done(error, result)
    },
  })
}

/** @param context of the native job: it calls back there */
function called(kind: string, perform: () => Outcome, context: CallbackContext, host: CryptoHost): Job {
  const job: Job = {
    run() {
      submit(kind, perform, host, (error, result) => endContext(context, () => job.ondone?.(error, result)))
      return undefined
    },
  }
  return job
}

/** A job of `crypto.subtle`: every failure becomes one error for the program. */
function promised(kind: string, perform: () => Outcome, context: CallbackContext, host: CryptoHost): Job {
  const { lazyDOMException } = requireInternal<{ lazyDOMException(message: string, options: object): Error }>(
    'internal/util',
  )
  const failed = (cause: unknown) =>
    lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause })
  return {
    run: () =>
      new Promise((resolve, reject) => {
        submit(kind, perform, host, (error, result) => {
          const settle = () => (error === undefined || error === null ? resolve(result) : reject(failed(error)))
          endContext(context, settle)
        })
      }),
  }
}

/** @param args the buffer to fill, the offset, and the number of bytes */
function randomBytesJob(mode: number, args: unknown[], host: CryptoHost): Job {
  const [buffer, offset, size] = args as [ArrayBufferView | ArrayBufferLike, number, number]
  const fill = (): Outcome => {
    const bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size)
      : new Uint8Array(buffer, offset, size)
    fillRandom(host.chance(), bytes)
    return [undefined, undefined]
  }
  const context = newContext('RANDOMBYTESREQUEST')
  return mode === SYNC ? { run: fill } : called('randomBytes', fill, context, host)
}

/**
 * Owns the jobs of `node:crypto` and `crypto.subtle` that run on the thread pool: under the world an asynchronous job
 * becomes a synchronous one that is performed when the operation takes effect, and calls back when its callback is due.
 *
 * Follows lib/internal/crypto/*.js: a job is made with a mode and arguments, and is run. In mode 0 it calls `ondone`, in
 * mode 1 `run` gives the outcome, in mode 2 (`crypto.subtle` of Node 24.21 and later) it gives a promise. The classes are
 * taken from the binding when `node:crypto` loads, so this has to be installed before. Invariant: a job reads the bytes of
 * its arguments as they were at the call, as the native one copies them. What would be drawn inside OpenSSL is drawn from
 * the world's chance where random-jobs.ts knows how, and else is OpenSSL's.
 */
import { AsyncResource } from 'node:async_hooks'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { PoolOperation } from '../pool.ts'
import { fillRandom } from './chance.ts'
import {
  ASYNC,
  type Job,
  type JobClass,
  type Outcome,
  PROMISE,
  RandomJobs,
  type RandomJobsHost,
  SYNC,
} from './random-jobs.ts'

export interface CryptoHost extends RandomJobsHost {
  submit(operation: PoolOperation): void
}

export function ownCrypto(host: CryptoHost): void {
  const binding = internalBinding('crypto')
  const real: Record<string, JobClass> = {}
  for (const name of Object.keys(binding)) {
    if (name.endsWith('Job') && typeof binding[name] === 'function') real[name] = binding[name] as JobClass
  }
  const jobs = new RandomJobs(host, real)
  for (const [name, Real] of Object.entries(real)) binding[name] = ownedJob(name, Real, host, jobs)
  jobs.ownHandles()
}

function ownedJob(name: string, Real: JobClass, host: CryptoHost, jobs: RandomJobs): JobClass {
  const kind = name.replace(/Job$/, '')
  return new Proxy(Real, {
    construct(_, [mode, ...args]: [number, ...unknown[]], newTarget) {
      if (!host.active()) return Reflect.construct(Real, [mode, ...args], newTarget) as Job
      if (name === 'RandomBytesJob') return randomBytesJob(mode, args, host)
      const perform = jobs.performer(name, Real, mode, mode === SYNC ? args : args.map(copied))
      if (mode === SYNC) return { run: perform }
      if (mode === ASYNC) return called(kind, perform, host)
      if (mode === PROMISE) return promised(kind, perform, host)
      return host.refuse(`crypto ${kind}`)
    },
  })
}

/** The bytes of an argument as they are now. */
function copied(argument: unknown): unknown {
  if (argument instanceof ArrayBuffer || argument instanceof SharedArrayBuffer) return argument.slice(0)
  if (!ArrayBuffer.isView(argument)) return argument
  return new Uint8Array(argument.buffer, argument.byteOffset, argument.byteLength).slice()
}

type Done = (error: unknown, result: unknown) => void

/** Hands the work of a job to the pool; `done` hears how it came out. */
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

function called(kind: string, perform: () => Outcome, host: CryptoHost): Job {
  // As the native job, it calls back in the context it was made in.
  const context = new AsyncResource(kind)
  const job: Job = {
    run() {
      submit(kind, perform, host, (error, result) => context.runInAsyncScope(() => job.ondone?.(error, result)))
      return undefined
    },
  }
  return job
}

/** The job of a function of `crypto.subtle`: whatever fails is one error for the program. */
function promised(kind: string, perform: () => Outcome, host: CryptoHost): Job {
  const { lazyDOMException } = requireInternal<{ lazyDOMException(message: string, options: object): Error }>(
    'internal/util',
  )
  const failed = (cause: unknown) =>
    lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause })
  return {
    run: () =>
      new Promise((resolve, reject) => {
        submit(kind, perform, host, (error, result) => {
          if (error === undefined || error === null) resolve(result)
          else reject(failed(error))
        })
      }),
  }
}

/** Arguments: the buffer to fill, where in it to begin, and how many bytes. */
function randomBytesJob(mode: number, args: unknown[], host: CryptoHost): Job {
  const [buffer, offset, size] = args as [ArrayBufferView | ArrayBufferLike, number, number]
  const fill = (): Outcome => {
    const bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size)
      : new Uint8Array(buffer, offset, size)
    fillRandom(host.chance(), bytes)
    return [undefined, undefined]
  }
  return mode === SYNC ? { run: fill } : called('randomBytes', fill, host)
}

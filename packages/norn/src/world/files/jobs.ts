/**
 * Intercepts the jobs with which Node 26 reads or writes a whole file in one trip to the pool.
 *
 * Invariant: a job stays its sequence of system calls (open, fstat, read or write, close), one pool
 * operation each, so that other operations can come in between as in the real pool; callbacks are
 * Node's. lib/fs.js captured the classes, so `run` is replaced on their prototypes: a read finds
 * its options in the job's context, a write in the public `fs.writeFile` around it. An
 * `fs.writeFile` captured before norn started is rejected.
 */
import { Buffer } from 'node:buffer'
import fs from 'node:fs'
import { requireInternal } from '../../loader/internals.ts'
import { contextFor, endContext } from '../realm/callback-scope.ts'
import { bytesOf } from './bytes.ts'
import type { Files } from './files.ts'
import type { Forms } from './forms.ts'
import type { FilesHost } from './host.ts'
import type { Internals, Native, NativeClass } from './internals.ts'
import type { Arguments } from './operation.ts'
import { OPERATIONS } from './operations.ts'

interface Job {
  ondone(...args: unknown[]): void
  context?: { options: { flag?: string | number } }
}

interface Utilities {
  stringToFlags(flag: unknown): number
  constants: { kReadFileBufferLength: number }
}

type Then = (error: unknown, result: unknown) => void

/** The arguments of the WriteFileJob that lib/fs.js is about to create. */
type Write = { data: unknown; options: { flag?: string; mode?: unknown; encoding?: BufferEncoding } }

export function interceptJobs(host: FilesHost, internals: Internals, files: Files, forms: Forms): void {
  const { ReadFileJob, WriteFileJob } = internals.files as unknown as Record<string, NativeClass | undefined>
  if (ReadFileJob === undefined || WriteFileJob === undefined) return
  const { stringToFlags, constants } = requireInternal<Utilities>('internal/fs/utils')
  const { parseFileMode } = requireInternal<{ parseFileMode: Native }>('internal/validators')
  const steps = new Steps(files, forms)

  const runRead = ReadFileJob.prototype.run as Native
  ReadFileJob.prototype.run = function (this: Job, path: string | Buffer): unknown {
    if (!host.active()) return runRead.call(this, path)
    steps.read(this, path, stringToFlags(this.context!.options.flag), constants.kReadFileBufferLength)
    return undefined
  }

  let write: Write | undefined
  const runWrite = WriteFileJob.prototype.run as Native
  WriteFileJob.prototype.run = function (this: Job, path: string | Buffer): unknown {
    if (!host.active()) return runWrite.call(this, path)
    if (write === undefined) return host.refuse('an fs.writeFile captured before norn started')
    const { data, options } = write
    const bytes = typeof data === 'string' ? Buffer.from(data, options.encoding || 'utf8') : (data as ArrayBufferView)
    steps.write(this, path, stringToFlags(options.flag || 'w'), parseFileMode(options.mode, 'mode', 0o666), bytes)
    return undefined
  }
  fs.writeFile = new Proxy(fs.writeFile, {
    apply(target, self, args) {
      if (!host.active()) return Reflect.apply(target, self, args)
      const given = typeof args[2] === 'string' ? { encoding: args[2] as BufferEncoding } : args[2]
      write = { data: args[1], options: typeof given === 'object' && given !== null ? given : {} }
      try {
        return Reflect.apply(target, self, args)
      } finally {
        write = undefined
      }
    },
  })

  // lib/internal/fs/promises.js reads the classes from the binding at each call.
  replace(
    internals,
    'ReadFileJob',
    host,
    (job, [_path, flags, most]) =>
      (path) =>
        steps.read(job, path, flags, most),
  )
  replace(internals, 'WriteFileJob', host, (job, [_path, flags, mode, data]) => (path) => {
    steps.write(job, path, flags, mode, data)
  })
}

function replace(
  internals: Internals,
  name: string,
  host: FilesHost,
  start: (job: Job, args: Arguments) => (path: string | Buffer) => void,
): void {
  const native = internals.files[name] as unknown as NativeClass
  Object.defineProperty(internals.files, name, {
    value: new Proxy(native, {
      construct(target, args, newTarget) {
        const job = Reflect.construct(target, args, newTarget)
        if (host.active()) job.run = start(job, args)
        return job
      },
    }),
  })
}

/** Steps whose errors name no path. */
const NAMELESS = new Set(['writeBuffer', 'close'])

class Steps {
  readonly #files: Files
  readonly #forms: Forms

  constructor(files: Files, forms: Forms) {
    this.#files = files
    this.#forms = forms
  }

  /**
   * Calls `ondone(error)`, `ondone(null, bytes, -1, ...)`, or for larger files `ondone` with a
   * descriptor and the size.
   */
  read(job: Job, path: string | Buffer, flags: number, most: number): void {
    const done = whenDone(job)
    this.#step(path, 'open', [path, flags, 0o666], (openError, fd) => {
      if (openError) return done(openError)
      const end = (error: unknown, bytes?: Buffer) => {
        this.#step(path, 'close', [fd], (closeError) => {
          if (error) done(error)
          else done(null, bytes, -1, undefined, closeError)
        })
      }
      this.#step(path, 'fstat', [fd, false], (error, stat) => {
        if (error) return end(error)
        const values = stat as Float64Array
        const size = (values[1]! & 0o170000) === 0o100000 ? values[8]! : 0
        if (size > most) return done(null, undefined, fd, size)
        this.#readAll(path, fd, Buffer.alloc(size === 0 ? 8192 : size), 0, size, end)
      })
      return undefined
    })
  }

  write(job: Job, path: string | Buffer, flags: number, mode: number, data: ArrayBufferView): void {
    const done = whenDone(job)
    this.#step(path, 'open', [path, flags, mode], (openError, fd) => {
      if (openError) return done(openError)
      if (data.byteLength === 0) return this.#step(path, 'close', [fd], (closeError) => done(closeError ?? null))
      return this.#writeAll(path, fd, data, 0, (error) => {
        this.#step(path, 'close', [fd], (closeError) => done(error ?? closeError ?? null))
      })
    })
  }

  #writeAll(
    path: string | Buffer,
    fd: unknown,
    data: ArrayBufferView,
    from: number,
    end: (error: unknown) => void,
  ): void {
    this.#step(path, 'writeBuffer', [fd, data, from, data.byteLength - from, null], (error, result) => {
      const written = from + ((result as number | undefined) ?? 0)
      if (error || written >= data.byteLength) return end(error)
      return this.#writeAll(path, fd, data, written, end)
    })
  }

  /** Reads to the size from fstat, or to the end of the file if that is 0. */
  #readAll(
    path: string | Buffer,
    fd: unknown,
    bytes: Buffer,
    from: number,
    size: number,
    end: (error: unknown, bytes?: Buffer) => void,
  ) {
    this.#step(path, 'read', [fd, bytes, from, bytes.length - from, -1], (error, result) => {
      if (error) return end(error)
      const count = result as number
      const total = from + count
      if (count === 0 || (size > 0 && total === size)) return end(undefined, bytes.subarray(0, total))
      const room = total < bytes.length ? bytes : Buffer.concat([bytes, Buffer.alloc(bytes.length)])
      return this.#readAll(path, fd, room, total, size, end)
    })
  }

  /** Errors name the path, except those of writing and closing. */
  #step(path: string | Buffer, name: string, args: Arguments, then: Then): void {
    const plain = OPERATIONS[name]!
    const operation = NAMELESS.has(name) ? plain : { ...plain, errorPath: () => bytesOf(path) }
    const task = this.#forms.task(this.#files, operation, args)
    this.#forms.submit(
      task,
      (result) => then(undefined, result),
      (error) => then(error, undefined),
    )
  }
}

function whenDone(job: Job): (...args: unknown[]) => void {
  const context = contextFor('FSREQCALLBACK', job)
  return (...args) => endContext(context, () => job.ondone(...args))
}

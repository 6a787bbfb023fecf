/**
 * What an operation is: a function of the binding apart from its forms (synchronous, callback, promise).
 *
 * Invariant: `capture` runs at the call and `perform` at the effect. Paths, numbers, strings and lists of buffers are
 * taken at the call; the bytes inside a caller's buffer are looked at when the effect happens, as by a thread of libuv's
 * pool. `perform` throws a `Failure`, which becomes a uv error of `syscall` with the paths as they were given; an
 * operation of several system calls names the failing one itself.
 */
import type { Possible } from '../faults.ts'
import { bytesOf } from './bytes.ts'
import { Failure, fail, uvError } from './failure.ts'
import type { Files } from './files.ts'

// biome-ignore lint/suspicious/noExplicitAny: arguments were validated by Node's JavaScript
export type Arguments = any[]

export interface Operation {
  /** What the world calls it: one word per kind of system call. */
  readonly kind: string
  readonly syscall: string
  /** How many of the arguments, from the first, are paths. 0: the first is a descriptor. */
  readonly paths: 0 | 1 | 2
  /** Which arguments beyond the paths have to be copied at the call. */
  capture?(args: Arguments): void
  perform(files: Files, args: Arguments): unknown
  /** The faults that it may meet before it has done anything; one of several calls asks for each in `perform`. */
  faults?(files: Files, args: Arguments): Possible
  /** The same in two parts, if what it works on is large enough to be seen half done; not for the synchronous form. */
  divide?(files: Files, args: Arguments): Divided | undefined
  /** The same in several trips to the pool, one for each step; not for the synchronous form. */
  steps?(files: Files, args: Arguments): Generator<undefined, unknown> | undefined
  /** The path of an error, where it is not the first argument. */
  errorPath?(args: Arguments): string
  /** The result is an array of a stat, which a callback gets in the shared array. */
  readonly shared?: 'stat' | 'statfs'
}

/** An operation in two parts: errors are those of `perform`. */
export interface Divided {
  /** At how many places it can be torn. */
  readonly places: number
  /** Does it up to one of them, from 0. */
  begin(place: number): void
  /** Does the rest, or all of it if it was not begun; gives the result of the whole. */
  effect(): unknown
}

/** Captures the arguments of a call, in place: paths become byte strings, lists are copied, strings are encoded. */
export function capture(operation: Operation, args: Arguments): void {
  for (let index = 0; index < operation.paths; index++) {
    if (typeof args[index] !== 'number') args[index] = bytesOf(args[index])
  }
  operation.capture?.(args)
}

/** Runs an operation on captured arguments; throws uv errors alone, or what the host threw. */
export function perform(files: Files, operation: Operation, args: Arguments): unknown {
  return explaining(operation, args, () => {
    const fault = operation.faults && files.fault(operation.kind, () => operation.faults!(files, args))
    if (typeof fault === 'string') fail(fault)
    return operation.perform(files, args)
  })
}

/** Runs a part of an operation; its failures become the operation's errors. */
export function explaining<Result>(operation: Operation, args: Arguments, part: () => Result): Result {
  try {
    return part()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const path = operation.errorPath?.(args) ?? (typeof args[0] === 'string' ? args[0] : undefined)
    throw uvError(error.code, operation.syscall, path, operation.paths === 2 ? args[1] : undefined)
  }
}

/** What an operation on captured arguments works on, for the world. */
export function resourceOf(files: Files, operation: Operation, args: Arguments): string {
  const first = operation.syscall === 'symlink' ? args[1] : args[0]
  return typeof first === 'string' ? files.shown(first) : files.shownDescriptor(first)
}

/** The bytes of any view from `offset`, `length` of them if it is given. */
export function view(buffer: ArrayBufferView, offset: unknown, length: unknown): Uint8Array {
  const from = typeof offset === 'number' ? offset : 0
  const count = typeof length === 'number' ? length : buffer.byteLength - from
  return new Uint8Array(buffer.buffer, buffer.byteOffset + from, count)
}

/** Where to read or write; -1 for where the description stands. */
export function position(given: unknown): number {
  if (typeof given === 'bigint') return Number(given)
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : -1
}

/** Reads into or writes from several buffers in turn, `most` bytes; a read ends at the first that it could not fill. */
export function acrossBuffers(
  buffers: ArrayBufferView[],
  position: number,
  most: number,
  endsWhenShort: boolean,
  step: (bytes: Uint8Array, position: number) => number,
): number {
  let total = 0
  for (const buffer of buffers) {
    const bytes = view(buffer, 0, undefined).subarray(0, most - total)
    const count = step(bytes, position < 0 ? -1 : position + total)
    total += count
    if (endsWhenShort && count < bytes.length) break
  }
  return total
}

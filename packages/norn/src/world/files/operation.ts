/**
 * An operation: a function of the binding apart from its forms (synchronous, callback, promise).
 *
 * Invariant: `capture` runs at the call, `perform` at the effect. Paths, numbers, strings and lists
 * of buffers are taken at the call; bytes inside a caller's buffer are read at the effect, as by a
 * pool thread of libuv. `perform` throws a `Failure`, which becomes a uv error of `syscall` with
 * the paths as given; an operation of several calls names the failing one itself.
 */
import type { Possible } from '../loop/faults.ts'
import { bytesOf } from './bytes.ts'
import { Failure, fail, uvError } from './failure.ts'
import type { Files } from './files.ts'

// biome-ignore lint/suspicious/noExplicitAny: arguments were validated by Node's JavaScript
export type Arguments = any[]

export interface Operation {
  /** Its name in traces: one word per kind of system call. */
  readonly kind: string
  readonly syscall: string
  /** The number of leading arguments that are paths. 0: the first is a descriptor. */
  readonly paths: 0 | 1 | 2
  /** Whether Node's C++ takes the arguments; otherwise the native function reports the error, and does nothing. */
  accepts?(args: Arguments): boolean
  /** Copies the arguments, other than paths, that must be taken at the call. */
  capture?(args: Arguments): void
  perform(files: Files, args: Arguments): unknown
  /** Its faults before it has any effect; an operation of several calls draws each in `perform`. */
  faults?(files: Files, args: Arguments): Possible
  /** The operation in two parts, if it is large enough to be visible half done; not synchronous. */
  divide?(files: Files, args: Arguments): Divided | undefined
  /** The operation in several trips to the pool, one per step; not synchronous. */
  steps?(files: Files, args: Arguments): Generator<undefined, unknown> | undefined
  /** The path for errors, if not the first argument. */
  errorPath?(args: Arguments): string
  /** The result is a stat array, which callbacks get in Node's shared array. */
  readonly shared?: 'stat' | 'statfs'
}

/** An operation in two parts, with the errors of `perform`. */
export interface Divided {
  /** The number of places to tear at. */
  readonly places: number
  /** Runs it up to a place, counted from 0. */
  begin(place: number): void
  /** Runs the rest, or all if not begun; returns the result of the whole. */
  effect(): unknown
}

/**
 * Captures a call's arguments in place: paths become byte strings, lists are copied, strings are
 * encoded.
 */
export function capture(operation: Operation, args: Arguments): void {
  for (let index = 0; index < operation.paths; index++) {
    if (typeof args[index] !== 'number') args[index] = bytesOf(args[index])
  }
  operation.capture?.(args)
}

/** Runs an operation on captured arguments; throws only uv errors and errors of the host. */
export function perform(files: Files, operation: Operation, args: Arguments): unknown {
  return explaining(operation, args, () => {
    const fault = operation.faults && files.fault(operation.kind, () => operation.faults!(files, args))
    if (typeof fault === 'string') fail(fault)
    return operation.perform(files, args)
  })
}

/** Runs part of an operation; its failures become uv errors of the operation. */
export function explaining<Result>(operation: Operation, args: Arguments, part: () => Result): Result {
  try {
    return part()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const path = operation.errorPath?.(args) ?? (typeof args[0] === 'string' ? args[0] : undefined)
    throw uvError(error.code, operation.syscall, path, operation.paths === 2 ? args[1] : undefined)
  }
}

/** The resource of an operation on captured arguments. */
export function resourceOf(files: Files, operation: Operation, args: Arguments): string {
  const first = operation.syscall === 'symlink' ? args[1] : args[0]
  return typeof first === 'string' ? files.shown(first) : files.shownDescriptor(first)
}

/** The bytes of a view from `offset`, `length` of them if given. */
export function view(buffer: ArrayBufferView, offset: unknown, length: unknown): Uint8Array {
  const from = typeof offset === 'number' ? offset : 0
  const count = typeof length === 'number' ? length : buffer.byteLength - from
  return new Uint8Array(buffer.buffer, buffer.byteOffset + from, count)
}

/** The position to read or write at; -1 for the current one. */
export function position(given: unknown): number {
  if (typeof given === 'bigint') return Number(given)
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : -1
}

/**
 * Reads or writes several buffers in turn, at most `most` bytes; a read ends at the first buffer it
 * cannot fill.
 */
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

/**
 * Stack overflows. Their depth varies between processes (V8 resizes frames when it optimises), and
 * they can occur inside norn's functions, so nothing that depends on the depth may reach a trace or
 * a fingerprint. V8 throws a plain RangeError: only its message distinguishes an overflow, and only
 * this file reads it.
 */
import { types } from 'node:util'

const { isNativeError } = types
const { getOwnPropertyDescriptor } = Object

export const OVERFLOW_MESSAGE = 'Maximum call stack size exceeded'

/** Runs no code of the program, whatever the value is. */
export function isStackOverflow(value: unknown): boolean {
  return isNativeError(value) && getOwnPropertyDescriptor(value, 'message')?.value === OVERFLOW_MESSAGE
}

/** Whether a failure, of this process or from a file, is an overflow by its message. */
export function reportsStackOverflow(message: string): boolean {
  return message.startsWith(OVERFLOW_MESSAGE)
}

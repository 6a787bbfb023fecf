/**
 * Stack overflows. Their depth varies between processes (V8 resizes frames when it optimises), and
 * they can occur inside norn's functions, so nothing that depends on the depth may reach a trace.
 * V8 marks them by message alone.
 */
import { types } from 'node:util'

const { isNativeError } = types
const { getOwnPropertyDescriptor } = Object

export const OVERFLOW_MESSAGE = 'Maximum call stack size exceeded'

/** Runs no code of the program, whatever the value is. */
export function isStackOverflow(value: unknown): boolean {
  return isNativeError(value) && getOwnPropertyDescriptor(value, 'message')?.value === OVERFLOW_MESSAGE
}

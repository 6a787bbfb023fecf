/**
 * Overflows of the stack. At which depth one happens differs from process to process (V8 sizes frames anew when it
 * optimises), and it may happen inside of norn's own functions: nothing that depends on the depth may reach a trace.
 */
import { types } from 'node:util'

const { isNativeError } = types
const { getOwnPropertyDescriptor } = Object

export const OVERFLOW_MESSAGE = 'Maximum call stack size exceeded'

/** Asks no code of the program, whatever the value is. */
export function isStackOverflow(value: unknown): boolean {
  return isNativeError(value) && getOwnPropertyDescriptor(value, 'message')?.value === OVERFLOW_MESSAGE
}

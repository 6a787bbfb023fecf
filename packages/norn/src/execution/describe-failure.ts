/**
 * Describes a thrown value, which may be anything: not an Error, an Error whose properties throw, a
 * revoked proxy. Invariant: nothing here throws.
 */
import { inspect } from 'node:util'
import type { FailureKind, FailureReport } from '../contract/execution.ts'
import { abbreviated } from '../contract/text.ts'
import { framesOf, type Positions, readableMessage, readableStack } from './frames.ts'

const MAX_VALUE_TEXT = 500

/** Bounds on the texts of an error, in characters: a program may throw 100 MB. */
const MAX_NAME = 200
const MAX_MESSAGE = 20_000
const MAX_STACK = 40_000

export function describeFailure(kind: FailureKind, error: unknown, positions: Positions): FailureReport {
  if (!isErrorLike(error)) {
    const message = `a value that is not an Error was thrown: ${show(error)}`
    return { kind, errorName: typeof error, message, stack: message, frames: [] }
  }
  const name = abbreviated(read(error, 'name', 'Error'), MAX_NAME)
  const said = read(error, 'message', '')
  const message = readableMessage(abbreviated(said, MAX_MESSAGE), positions)
  const stack = shortStack(read(error, 'stack', `${name}: ${message}`), said)
  // A failure without a place in the program, such as a deadlock, has no frames.
  return {
    kind,
    errorName: name,
    message,
    stack: readableStack(stack, positions),
    frames: framesOf(stack, positions),
  }
}

function isErrorLike(value: unknown): value is object {
  try {
    if (value instanceof Error) return true
    return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value
  } catch {
    return false
  }
}

/** A property as a string, whatever its type; a note if reading it throws. */
function read(error: object, property: string, otherwise: string): string {
  try {
    const value = (error as Record<string, unknown>)[property]
    if (typeof value === 'string') return value
    return value === undefined ? otherwise : inspect(value)
  } catch {
    return `(its ${property} cannot be read)`
  }
}

/** A stack begins with the message: a long message is cut there, so that the frames remain. */
function shortStack(stack: string, message: string): string {
  const at = message.length > MAX_MESSAGE ? stack.indexOf(message) : -1
  if (at < 0) return abbreviated(stack, MAX_STACK)
  const frames = stack.slice(at + message.length)
  return abbreviated(stack.slice(0, at), MAX_NAME) + abbreviated(message, MAX_MESSAGE) + abbreviated(frames, MAX_STACK)
}

function show(value: unknown): string {
  try {
    // Cut first: quoting 100 MB takes seconds.
    const text = typeof value === 'string' ? value.slice(0, MAX_VALUE_TEXT) : value
    return inspect(text).slice(0, MAX_VALUE_TEXT)
  } catch {
    return `a value that cannot be shown (${typeof value})`
  }
}

/**
 * What is reported of a value that a program threw. It may be anything: no Error at all, an Error
 * that throws when it is read, a revoked proxy. Nothing here lets an exception through.
 */
import { inspect } from 'node:util'
import type { FailureKind, FailureReport } from '../contract/execution.ts'
import { abbreviated } from '../contract/text.ts'
import { framesOf, type Positions, readableMessage, readableStack } from './frames.ts'

const MAX_VALUE_TEXT = 500

/**
 * What is kept of the texts of an error, in characters: a program may throw a whole file, or a
 * hundred megabytes.
 */
const MAX_NAME = 200
const MAX_MESSAGE = 20_000
const MAX_STACK = 40_000

export function describeFailure(kind: FailureKind, error: unknown, positions: Positions): FailureReport {
  if (!isErrorLike(error)) {
    const message = `something that is no Error was thrown: ${show(error)}`
    return { kind, errorName: typeof error, message, stack: message, frames: [] }
  }
  const name = abbreviated(read(error, 'name', 'Error'), MAX_NAME)
  const said = read(error, 'message', '')
  const message = readableMessage(abbreviated(said, MAX_MESSAGE), positions)
  const stack = shortStack(read(error, 'stack', `${name}: ${message}`), said)
  // Where the failure has no place of its own in the program (a deadlock), the frames stay empty.
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

/** A property as text; what it says if it is no text, or cannot be read. */
function read(error: object, property: string, otherwise: string): string {
  try {
    const value = (error as Record<string, unknown>)[property]
    if (typeof value === 'string') return value
    return value === undefined ? otherwise : inspect(value)
  } catch {
    return `(its ${property} cannot be read)`
  }
}

/** A stack begins with the message, whose length must not push the frames out. */
function shortStack(stack: string, message: string): string {
  const at = message.length > MAX_MESSAGE ? stack.indexOf(message) : -1
  if (at < 0) return abbreviated(stack, MAX_STACK)
  const frames = stack.slice(at + message.length)
  return abbreviated(stack.slice(0, at), MAX_NAME) + abbreviated(message, MAX_MESSAGE) + abbreviated(frames, MAX_STACK)
}

function show(value: unknown): string {
  try {
    // Cut first: to put quotes around a hundred megabytes takes seconds.
    const text = typeof value === 'string' ? value.slice(0, MAX_VALUE_TEXT) : value
    return inspect(text).slice(0, MAX_VALUE_TEXT)
  } catch {
    return `a value that cannot be shown (${typeof value})`
  }
}

/**
 * What is reported of a value that a program threw. It may be anything: no Error at all, an Error that throws when it is
 * read, a revoked proxy. Nothing here lets an exception through.
 */
import { inspect } from 'node:util'
import type { FailureReport } from '../explore/execution.ts'
import { framesOf, type Positions, readableMessage, readableStack } from './frames.ts'

const MAX_VALUE_TEXT = 500

export function describeFailure(kind: string, error: unknown, positions: Positions): FailureReport {
  if (!isErrorLike(error)) {
    const message = `something that is no Error was thrown: ${show(error)}`
    return { kind, errorName: typeof error, message, stack: message, frames: [] }
  }
  const name = read(error, 'name', 'Error')
  const message = readableMessage(read(error, 'message', ''), positions)
  const stack = read(error, 'stack', `${name}: ${message}`)
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

function show(value: unknown): string {
  try {
    return inspect(value).slice(0, MAX_VALUE_TEXT)
  } catch {
    return `a value that cannot be shown (${typeof value})`
  }
}

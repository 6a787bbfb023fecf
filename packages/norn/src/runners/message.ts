/**
 * A failure as an error that a test runner prints: the message says what `norn fuzz` says, the
 * stack leads to the line of the user's file that failed, so that the runner shows its own frame of
 * code there.
 */
import { join } from 'node:path'
import type { ExecutionResult, Frame } from '../contract/execution.ts'
import { type FailureText, failureDetails } from '../report/failure.ts'
import { printableLines } from '../report/printable.ts'
import { PLAIN, type Style } from '../report/style.ts'

/**
 * Runners print messages in red: every mark ends by going back to the plain colour, and so does the
 * error's own text.
 */
const RESET = '\x1b[0m'
const ON_RED: Style = {
  bold: (text) => `\x1b[1m${text}${RESET}`,
  dim: (text) => `\x1b[2m${text}${RESET}`,
  good: (text) => `\x1b[32m${text}${RESET}`,
  bad: (text) => `\x1b[31m${text}${RESET}`,
  late: (text) => `\x1b[33m${text}${RESET}`,
}

export interface RunnerFailure extends Omit<FailureText, 'property'> {
  readonly root: string
  /** Whether the runner's output goes to a terminal with colours. */
  readonly colours: boolean
}

/** What a failing execution is thrown as. */
export function failureError(failure: RunnerFailure): Error {
  const { result, root, colours } = failure
  const { kind, errorName, frames } = result.failure!
  const details = failureDetails(failure, colours ? ON_RED : PLAIN)
  // Runners go on right below with the place: an empty line sets it off.
  const message = `${messageOf(result)}${colours ? RESET : ''}\n\n${details}\n`
  return errorWith(kind === 'error' ? errorName : kind, message, stackOf(frames, root))
}

/**
 * An error with a place in the user's files, or, where there is none, without a place: never with
 * one of norn's.
 */
export function errorWith(name: string, message: string, stack: readonly string[] = []): Error {
  const error = new Error(message)
  error.name = name
  error.stack = [`${name}: ${message}`, ...stack].join('\n')
  return error
}

function messageOf({ failure }: ExecutionResult): string {
  return printableLines(failure!.message.trimEnd()).join('\n')
}

/** Paths are absolute, as runners look for them. */
function stackOf(frames: readonly Frame[], root: string): string[] {
  return frames.map(({ file, line, column, functionName }) => {
    const place = `${join(root, file)}:${line}:${column}`
    return `    at ${functionName === '' ? place : `${functionName} (${place})`}`
  })
}

/**
 * A failure as an error for a test runner: the message is the report of `norn fuzz`, and the stack
 * leads to the failing line, so that the runner shows the code there.
 */
import { join } from 'node:path'
import { type ExecutionResult, type Frame, placesOf } from '../contract/execution.ts'
import { type FailureText, failureDetails } from '../report/failure.ts'
import { printableLines } from '../report/printable.ts'
import { PLAIN, type Style } from '../report/style.ts'

/** Runners print messages in red: every mark, and the error's own text, ends with a reset. */
const RESET = '\x1b[0m'
const ON_RED: Style = {
  bold: (text) => `\x1b[1m${text}${RESET}`,
  dim: (text) => `\x1b[2m${text}${RESET}`,
  good: (text) => `\x1b[32m${text}${RESET}`,
  bad: (text) => `\x1b[31m${text}${RESET}`,
  warning: (text) => `\x1b[33m${text}${RESET}`,
}

export interface RunnerFailure extends Omit<FailureText, 'property'> {
  readonly root: string
  /** Whether the runner's output goes to a terminal with colours. */
  readonly colours: boolean
}

/** The error of a failing execution. */
export function failureError(failure: RunnerFailure): Error {
  const { result, root, colours } = failure
  const { kind, errorName } = result.failure!
  const details = failureDetails(failure, colours ? ON_RED : PLAIN)
  // Runners print the place right below: an empty line sets it off.
  const message = `${messageOf(result)}${colours ? RESET : ''}\n\n${details}\n`
  return errorWith(kind === 'error' ? errorName : kind, message, stackOf(placesOf(result.failure!), root))
}

/** An error with a place in the user's files or none, but never a place in norn. */
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

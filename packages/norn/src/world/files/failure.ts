/**
 * The errors of file operations, exactly as Node's binding creates them from libuv's codes.
 *
 * Invariant: message, own properties and their order are Node's (`errno`, `code`, `syscall`,
 * `path`, `dest`). No stack is captured: pool operations have no frames of the program, and
 * forms.ts adds the stack of synchronous calls. Texts and numbers come from
 * `util.getSystemErrorMap`.
 */

import { getSystemErrorMap } from 'node:util'
import { RealError } from '../realm/language.ts'
import { textOf } from './bytes.ts'

export interface FileError extends Error {
  errno: number
  code: string
  syscall: string
  path?: string
  dest?: string
}

export const NODE_MAJOR = Number.parseInt(process.versions.node, 10)

const KNOWN = new Map<string, { errno: number; text: string }>()
for (const [errno, [code, text]] of getSystemErrorMap()) KNOWN.set(code, { errno, text })

/**
 * Creates a uv error. `path` and `dest` are byte strings as the caller gave them, shown as Node
 * does: decoded as UTF-8, with replacements.
 */
export function uvError(code: string, syscall: string, path?: string, dest?: string): FileError {
  const known = KNOWN.get(code)
  if (known === undefined) throw new TypeError(`not a uv error code: ${code}`)
  const shownPath = path === undefined ? undefined : textOf(path)
  const shownDest = dest === undefined ? undefined : textOf(dest)
  let message = `${code}: ${known.text}, ${syscall}`
  if (shownPath !== undefined) message += ` '${shownPath}'`
  if (shownDest !== undefined) message += ` -> '${shownDest}'`
  const error = withoutStack(message)
  error.errno = known.errno
  error.code = code
  error.syscall = syscall
  if (shownPath !== undefined) error.path = shownPath
  if (shownDest !== undefined) error.dest = shownDest
  return error
}

/**
 * Creates an error of `rmSync`, as Node builds it from C++: with a positive number, and before Node
 * 26 with the path twice.
 */
export function rmError(code: string, says: string, path: string): FileError {
  const shown = textOf(path)
  const error = withoutStack(`${code}, ${says}: ${NODE_MAJOR < 26 ? `${shown} ` : ''}'${shown}'`)
  error.errno = -KNOWN.get(code)!.errno
  error.code = code
  error.path = shown
  error.syscall = 'rm'
  return error
}

/** What the C library says of a code: an error of C++ has its words, not those of libuv. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EEXIST: 'File exists',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
}

/** Creates the error of a call of C++ (`ThrowStdErrException`), with a positive number. */
export function stdError(code: string, syscall: string, path: string): FileError {
  const shown = textOf(path)
  const error = withoutStack(`${code}, ${WORDS[code] ?? code} '${shown}'`)
  error.errno = -KNOWN.get(code)!.errno
  error.code = code
  error.path = shown
  error.syscall = syscall
  return error
}

/** Creates an error of Node, as its C++ does: a code, and a name without it. */
export function nodeError(code: string, says: string): Error {
  return Object.assign(withoutStack(textOf(says)), { code })
}

/** Creates an error whose stack is its message, as Node passes to callbacks of the pool. */
function withoutStack(message: string): FileError {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return new RealError(message) as FileError
  } finally {
    Error.stackTraceLimit = limit
  }
}

/**
 * The tree's own error: only a code. Callers that know the system call and the paths turn it into a
 * uv error; look-ups such as `existsSync` never pay for one.
 */
export class Failure {
  readonly code: string
  constructor(code: string) {
    this.code = code
  }
}

const FAILURES = new Map<string, Failure>()

/** Throws the shared, stateless failure of a code such as `ENOENT`. */
export function fail(code: string): never {
  let failure = FAILURES.get(code)
  if (failure === undefined) FAILURES.set(code, (failure = new Failure(code)))
  throw failure
}

/** @returns the code with which an operation of the tree fails, undefined if it does not */
export function attempt(operation: () => void): string | undefined {
  try {
    operation()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

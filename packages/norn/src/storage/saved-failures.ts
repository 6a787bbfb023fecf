/**
 * The saved failures of one property, which are tried before anything new is searched for.
 *
 * Invariants: they are tried in the order of their names, at most `MOST` of them; a file that cannot be read or does not
 * fit the property any more is told of and never takes the others with it.
 */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { FAILURES_FOLDER, FailureFileError, failurePrefix, readFailure, type SavedFailure } from './failure-file.ts'

/** A saved failure, and where it lies: relative to the root. */
export interface KeptFailure {
  readonly path: string
  readonly saved: SavedFailure
}

export interface SavedFailures {
  readonly failures: readonly KeptFailure[]
  /** What is wrong with files that may be the property's, each in one line. */
  readonly unreadable: readonly string[]
}

/** More than this a property hardly has; each takes an execution or three. */
const MOST = 50

/** @param file the file of properties, relative to the root */
export function savedFailures(root: string, file: string, property: string): SavedFailures {
  const failures: KeptFailure[] = []
  const unreadable: string[] = []
  const names = failureFiles(root, failurePrefix(property))
  if (typeof names === 'string') return { failures, unreadable: [names] }
  for (const name of names) {
    if (failures.length === MOST) break
    const path = join(root, FAILURES_FOLDER, name)
    try {
      const saved = readFailure(path)
      if (saved.property === property && saved.file === file) failures.push({ path: relative(root, path), saved })
    } catch (error) {
      if (!(error instanceof FailureFileError)) throw error
      unreadable.push(error.message)
    }
  }
  return { failures, unreadable }
}

/** Or what is wrong with their folder. */
function failureFiles(root: string, prefix: string): string[] | string {
  try {
    const names = readdirSync(join(root, FAILURES_FOLDER))
    return names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    return `the failures saved in ${FAILURES_FOLDER} cannot be tried: ${code === 'ENOTDIR' ? 'it is no folder' : code}`
  }
}

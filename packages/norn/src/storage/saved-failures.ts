/**
 * The saved failures of one property, replayed before a search.
 *
 * Reading them removes what killed processes left beside them. Invariants: they come in the order of
 * their names, and no more than asked for; a file that cannot be read is reported and does not
 * affect the others.
 */

import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { KeptFailure } from '../contract/saved-failure.ts'
import { FAILURES_FOLDER, FailureFileError, failurePrefix, readFailure } from './failure-file.ts'
import { removeLeftovers, systemReason } from './files.ts'

export interface SavedFailures {
  readonly failures: readonly KeptFailure[]
  /** One line for each file that may be the property's and cannot be read. */
  readonly unreadable: readonly string[]
}

/** @param file the property file, relative to the root */
export function savedFailures(
  root: string,
  file: string,
  property: string,
  max: number = Number.POSITIVE_INFINITY,
): SavedFailures {
  const failures: KeptFailure[] = []
  const unreadable: string[] = []
  const paths = failureFiles(root, failurePrefix(property))
  if (typeof paths === 'string') return { failures, unreadable: [paths] }
  for (const path of paths) {
    if (failures.length === max) break
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

/**
 * The paths of the files, in the order of their names; or, as one string, why the folder cannot be read.
 *
 * @param prefix of their names
 */
export function failureFiles(root: string, prefix = ''): string[] | string {
  try {
    const folder = join(root, FAILURES_FOLDER)
    for (const ending of ['.json.', '.svg.']) removeLeftovers(folder, ending, '.tmp')
    const names = readdirSync(folder)
    const own = names.filter((name) => name.startsWith(prefix) && /^[^.].*\.json$/.test(name)).sort()
    return own.map((name) => join(folder, name))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    return `cannot read the saved failures in ${FAILURES_FOLDER}: ${systemReason(error) ?? message}`
  }
}

/**
 * The saved failures of one property, which are tried before anything new is searched for.
 *
 * Invariants: they are tried in the order of their names, at most `MOST` of them; a file that cannot be read or does not
 * fit the property any more is told of and never takes the others with it.
 */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ExecutionResult, Plan } from '../explore/execution.ts'
import { FAILURES_FOLDER, FailureFileError, failurePrefix, readFailure, type SavedFailure } from './failure-file.ts'
import { type Followed, follow, savedInputPlan } from './follow.ts'
import type { ListedProperty } from './protocol.ts'

/** A saved failure, and where it lies: relative to the root. */
export interface KeptFailure {
  readonly path: string
  readonly saved: SavedFailure
}

/** A saved failure that was tried. */
export type Tried<Run> = KeptFailure & Followed<Run>

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
  for (const name of failureFiles(root, failurePrefix(property))) {
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

/**
 * Runs a saved failure again.
 *
 * @param run runs a plan, whatever it does to its process
 * @throws FailureFileError where a failure does not fit the property any more
 */
export async function trySaved<Run extends { readonly result: ExecutionResult }>(
  { path, saved }: KeptFailure,
  property: ListedProperty,
  run: (plan: Plan) => Promise<Run>,
): Promise<Tried<Run>> {
  return { path, saved, ...(await follow(saved, savedInputPlan(path, saved, property), run)) }
}

function failureFiles(root: string, prefix: string): string[] {
  try {
    const names = readdirSync(join(root, FAILURES_FOLDER))
    return names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

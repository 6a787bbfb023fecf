/** A failure that came from the queue: it is data of somebody else until it has been read. */
import { rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import {
  FAILURES_FOLDER,
  FailureFileError,
  failurePath,
  OWNER,
  readFailure,
  type SavedFailure,
  writeAtomically,
} from 'norn/internal/session'

export interface ReceivedFailure {
  /** Of its file, relative to the root. */
  readonly path: string
  readonly saved: SavedFailure
}

/**
 * Saves a failure below `.norn/failures`, if it is one, and the one that its name says.
 *
 * @param name of its file
 * @throws FailureFileError if it is not; a failure that was saved before stays
 */
export function saveReceived(root: string, name: string, text: string): ReceivedFailure {
  const place = join(root, '.norn', 'fleet', `received-${OWNER}-${name}`)
  writeAtomically(place, text)
  try {
    const saved = readFailure(place)
    const path = failurePath(root, saved)
    if (basename(path) !== name)
      throw new FailureFileError(name, `it is named after another failure than it holds, ${basename(path)}`)
    writeAtomically(join(root, FAILURES_FOLDER, name), text)
    return { path: relative(root, path), saved }
  } finally {
    rmSync(place, { force: true })
  }
}

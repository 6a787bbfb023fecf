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
import type { PropertyName } from './shard.ts'

export interface ReceivedFailure {
  /** Of its file, relative to the root. */
  readonly path: string
  readonly saved: SavedFailure
}

/**
 * Saves a failure below `.norn/failures`, if it is one, and the one that its name says.
 *
 * @param name of its file
 * @param properties of which it may be
 * @throws FailureFileError if it is not; a failure that was saved before stays
 */
export function saveReceived(
  root: string,
  name: string,
  text: string,
  properties: readonly PropertyName[],
): ReceivedFailure {
  const place = join(root, '.norn', 'fleet', `received-${OWNER}-${name}`)
  writeAtomically(place, text)
  try {
    const saved = readFailure(place)
    if (!properties.some(({ file, property }) => file === saved.file && property === saved.property))
      throw new FailureFileError(name, `it is of ${saved.file}, '${saved.property}': not of the campaign`)
    const path = failurePath(root, saved)
    if (basename(path) !== name)
      throw new FailureFileError(name, `it is named after another failure than it holds, ${basename(path)}`)
    writeAtomically(join(root, FAILURES_FOLDER, name), text)
    return { path: relative(root, path), saved }
  } finally {
    rmSync(place, { force: true })
  }
}

/** The file of a failure, as it goes to the queue and comes from there. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readFailure } from 'norn/internal/session'

export interface FoundFile {
  readonly name: string
  readonly text: string
  /** Smaller is better: what was not shrunk is larger than all that was. */
  readonly size: number
}

const NOT_SHRUNK = 1e9

/** @param path of a saved failure */
export function foundFile(path: string): FoundFile {
  const text = readFileSync(path, 'utf8')
  return { name: basename(path), text, size: text.length + (readFailure(path).shrunk ? 0 : NOT_SHRUNK) }
}

/** A file of results for another tool, which the user names. */
import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { removeLeftovers, systemReason, writeAtomically } from './files.ts'

/** Writes it atomically; returns why that is not possible, if it is not. */
export function writeResultFile(path: string, text: string): string | undefined {
  try {
    // A rename would replace a device or a link, such as /dev/stdout.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return 'not a regular file'
    removeLeftovers(dirname(path), `.${basename(path)}.`, '.tmp')
    writeAtomically(path, text)
    return undefined
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    return reason
  }
}

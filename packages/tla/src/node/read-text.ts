/** Reads text files. */
import { readFileSync } from 'node:fs'
import { TlaError, type TlaErrorKind } from '../error/error.ts'

/**
 * The text of a file, without the byte order mark that editors on Windows write.
 *
 * @param kind of the error
 * @throws TlaError if it cannot be read
 */
export function readText(path: string, kind: TlaErrorKind): string {
  try {
    const text = readFileSync(path, 'utf8')
    return text.startsWith('\ufeff') ? text.slice(1) : text
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new TlaError(kind, `cannot read the file \`${path}\`: ${code === 'EISDIR' ? 'it is a folder' : message}`)
  }
}

/** Files that a specification reads and writes. Paths are relative to the working directory. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { refusal } from '../values/refuse.ts'

export { existsSync }

/** @throws TlaError that names the file */
export function readText(path: string, encoding: BufferEncoding = 'utf8'): string {
  return attempt('read', path, () => readFileSync(path, encoding))
}

/** With the folders that it needs. @throws TlaError that names the file */
export function writeText(path: string, contents: string): void {
  attempt('write', path, () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  })
}

/** @throws TlaError that names the file */
export function appendText(path: string, contents: string): void {
  attempt('write', path, () => appendFileSync(path, contents))
}

function attempt<Result>(what: 'read' | 'write', path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw refusal(`cannot ${what} the file ${path}: ${reason(error)}`)
  }
}

/** What went wrong with a file, without the path. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EISDIR: 'it is a folder',
    EACCES: 'no permission',
    ENOTDIR: 'a part of the path is no folder',
    EEXIST: 'it exists already',
  }
  return known[code] ?? (error instanceof Error ? error.message : String(error))
}

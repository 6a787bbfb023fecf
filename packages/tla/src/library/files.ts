/** Files that a specification reads and writes. Errors name the file. */

import { refusal } from '../values/refuse.ts'
import type { Encoding, Files } from './platform.ts'

/** @throws TlaError that names the file */
export function readText(files: Files, path: string, encoding: Encoding = 'utf8'): string {
  return attempt('read', path, () => files.read(path, encoding))
}

/** Creates missing folders. @throws TlaError that names the file */
export function writeText(files: Files, path: string, contents: string): void {
  attempt('write', path, () => {
    files.createFolder(path)
    files.write(path, contents, 'w')
  })
}

/** @throws TlaError that names the file */
export function appendText(files: Files, path: string, contents: string): void {
  attempt('write', path, () => files.write(path, contents, 'a'))
}

function attempt<Result>(what: 'read' | 'write', path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw refusal(`cannot ${what} the file ${path}: ${reason(error)}`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it exists already',
}

/** Why a file operation failed, without the path. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

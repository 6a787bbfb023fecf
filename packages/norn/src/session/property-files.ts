/** The files of properties that a call names: files, folders that hold some, and globs. */
import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import { UsageError } from './errors.ts'

const PROPERTIES = '**/*.fuzz.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'

/**
 * Each file that is named, the files of properties below each folder, and what each glob matches, sorted. Folders
 * of packages and hidden ones are left out.
 *
 * @param named none: the working directory
 * @throws UsageError
 */
export function propertyFiles(named: readonly string[]): readonly string[] {
  if (named.length === 0) return filesBelow('.', `the folder ${process.cwd()}: name the files or folders`)
  return [...new Set(named.flatMap(filesOf))]
}

function filesOf(path: string): readonly string[] {
  const found = statusOf(path)
  if (found?.isFile()) return [path]
  if (found?.isDirectory()) return filesBelow(path, `the folder ${path}`)
  if (found !== undefined) throw new UsageError(`neither a file nor a folder: ${path}`)
  if (!isDynamicPattern(path)) throw new UsageError(`no such file or folder: ${path}`)
  const matching = matches(path)
  if (matching.length === 0) throw new UsageError(`no file matches ${path}`)
  return matching
}

function filesBelow(folder: string, where: string): readonly string[] {
  const files = matches(PROPERTIES, folder).map((file) => join(folder, file))
  if (files.length === 0) throw new UsageError(`no files of properties (*.fuzz.ts) in ${where}`)
  return files
}

function matches(pattern: string, cwd?: string): string[] {
  const options = { ignore: ['**/node_modules/**'], followSymbolicLinks: false, expandDirectories: false }
  return globSync(pattern, { ...options, ...(cwd === undefined ? {} : { cwd }) }).sort()
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`cannot open ${path}: ${(error as Error).message}`)
  }
}

/** The files of properties that a call names: files, and folders that hold some. */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './errors.ts'

const PROPERTIES = /\.fuzz\.(?:[cm]?[jt]s|[jt]sx)$/

/**
 * Each file that is named, and the `*.fuzz.ts` files below each folder, sorted. Folders of packages
 * and hidden ones are left out.
 *
 * @throws UsageError
 */
export function propertyFiles(named: readonly string[]): readonly string[] {
  return named.flatMap((path) => {
    const found = statusOf(path)
    if (found === undefined) throw new UsageError(`no such file or folder: ${path}`)
    if (found.isFile()) return [path]
    if (!found.isDirectory()) throw new UsageError(`neither a file nor a folder: ${path}`)
    const files = filesBelow(path)
    if (files.length === 0) throw new UsageError(`no files of properties (*.fuzz.ts) in the folder ${path}`)
    return files
  })
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : filesBelow(path)
    return entry.isFile() && PROPERTIES.test(entry.name) ? [path] : []
  })
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`cannot open ${path}: ${(error as Error).message}`)
  }
}

/**
 * The file system as it was when norn started: the few functions the loader reads modules with.
 *
 * Invariant: whatever a program under test assigns to `fs.readFileSync` and the like, modules are
 * read with these. What is replaced *inside* Node's bindings while an execution runs is another
 * matter: for that, callers go through `LoaderOptions.outside`.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'

export const realFiles = {
  /** The text of a file, in UTF-8. */
  read: (path: string): string => readFileSync(path, 'utf8'),
  exists: (path: string): boolean => existsSync(path),
  realPath: (path: string): string => realpathSync(path),
  isDirectory: (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
}

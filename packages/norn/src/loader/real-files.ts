/**
 * The functions of `fs` that the loader uses, captured when norn started: assignments of a program
 * to `fs.readFileSync` do not affect loading. Callers must also use `LoaderOptions.outside`, because
 * the world replaces Node's bindings below these functions.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'

export const realFiles = {
  /** The text of a file, in UTF-8. */
  read: (path: string): string => readFileSync(path, 'utf8'),
  exists: (path: string): boolean => existsSync(path),
  realPath: (path: string): string => realpathSync(path),
  isDirectory: (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
}

/**
 * The functions of `fs` that the loader uses, captured when norn started: assignments of a program
 * to `fs.readFileSync` do not affect loading. Callers must also use `LoaderOptions.outside`, because
 * the world replaces Node's bindings below these functions.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'

/** In C++, so that nothing replaced above it plays a part. */
const realPath = realpathSync.native

export const realFiles = {
  read: (path: string): Buffer => readFileSync(path),
  exists: (path: string): boolean => existsSync(path),
  realPath: (path: string): string => realPath(path),
  isFile: (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  isDirectory: (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
}

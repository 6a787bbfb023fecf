/** Checks that the packages to observe are installed: a misspelt name would observe nothing. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from './exit-status.ts'

/**
 * @param what names where the packages come from
 * @throws UsageError for a package that none of the files could import
 */
export function checkCovered(what: string, packages: readonly string[], files: readonly string[], root: string): void {
  for (const name of packages) {
    const isThere = files.some((file) => isInstalled(name, dirname(resolve(root, file))))
    if (!isThere) {
      throw new UsageError(`${what} ${name}: the files cannot import this package; install it, or check its name`)
    }
  }
}

/**
 * Whether Node would find the package from a folder: in its `node_modules`, or in that of a folder
 * above.
 */
function isInstalled(name: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name))) return true
    if (dirname(at) === at) return false
  }
}

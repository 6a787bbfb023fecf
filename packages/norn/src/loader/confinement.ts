/**
 * Aliases that a failure file names. The file is data, perhaps from elsewhere: it may choose among
 * the modules of the project, and never make norn run another.
 *
 * Invariant: the rule holds for what Node resolves, after symbolic links, whatever the form of the
 * name. Only a file below the project's root passes: `node_modules` of the project, its workspaces
 * and a store inside it do. Builtins do not, nor `node_modules` of a folder above: it may be
 * anybody's. `.norn` does not, because it may be copied as a whole, say from CI.
 */
import { isAbsolute, relative, sep } from 'node:path'
import { realFiles } from './real-files.ts'

export interface Confinement {
  /** The project's root. */
  readonly root: string
  /** The specifiers whose aliases a failure file names. */
  readonly names: ReadonlySet<string>
}

/** An alias of a failure file that leads out of the project. */
export interface LeadingOut {
  readonly kind: 'leading out'
  readonly from: string
  readonly to: string
  /** The file or builtin that it leads to. */
  readonly found: string
}

/** Holds failures and the corpus: files that norn writes, and that may come from elsewhere. */
const DATA = '.norn'

/** Whether a path leads, after symbolic links, to a module of the project; false if to nothing. */
export function isOfProject(path: string, root: string): boolean {
  try {
    const way = relative(realFiles.realPath(root), realFiles.realPath(path))
    return (
      way !== '' && !isAbsolute(way) && !way.split(sep).some((part) => part === '..' || part.toLowerCase() === DATA)
    )
  } catch {
    return false
  }
}

/**
 * The modules that a saved failure names: its property file, and what its aliases lead to.
 *
 * A failure file is data: it never makes norn run a module that is not of the project. What an alias
 * leads to is known when Node resolves it (`loader/confinement.ts`); here its text is checked.
 */

import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SavedFailure } from '../contract/saved-failure.ts'
import { isOfProject } from '../loader/confinement.ts'
import type { WorkerOptions } from '../process/worker.ts'
import { FailureFileError, leadsOut } from '../storage/failure-file.ts'
import { type Alias, isPath, resolveAliases } from './aliases.ts'

/**
 * The property file of a saved failure, as an absolute path.
 *
 * @throws FailureFileError unless it is a file of the project, after symbolic links
 */
export function propertyFile(path: string, { file }: Pick<SavedFailure, 'file'>, root: string): string {
  const found = join(root, file)
  if (!isFile(found)) {
    throw new FailureFileError(path, `its file of properties does not exist: ${file} (in ${root})`)
  }
  if (isOfProject(found, root)) return found
  const real = realpathSync(found)
  const help = 'Run norn in the project that holds it'
  throw new FailureFileError(path, `its file of properties leads outside the project: ${file} is ${real}. ${help}`)
}

/** A path read from a file may be invalid for the file system. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The aliases of a saved failure and those of the call, which take precedence. The names of the
 * former are confined: a saved failure alone never makes norn run files outside the project.
 */
export function mergeAliases(
  path: string,
  saved: readonly Alias[],
  called: readonly Alias[],
  root: string,
): Pick<WorkerOptions, 'aliases' | 'confined'> {
  const own = new Map(resolveAliases(called, process.cwd()))
  const confined = saved.filter(([from]) => !own.has(from)).map(([from]) => from)
  for (const [from, to] of saved) {
    if (own.has(from)) continue
    if (isPath(to) && leadsOut(to)) {
      throw new FailureFileError(
        path,
        `its alias ${from}=${to} leads outside the project; to allow it, pass --alias ${from}=PATH`,
      )
    }
    own.set(from, isPath(to) ? resolve(root, to) : to)
  }
  return { aliases: [...own], confined }
}

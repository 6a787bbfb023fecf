/**
 * The files of a project that a report may quote. Saved failures name files, and may be anybody's; a message
 * that looks like a stack may too.
 *
 * Invariant: only regular files below the root are read, after symbolic links, and none that is hidden, such as
 * `.env` and `.git/config`.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { leadsOut } from '../storage/failure-file.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** Where pnpm has the packages that `node_modules` links to. */
const STORE = '.pnpm'

/** The path of a file that a report may quote; undefined for any other. @param file relative to the root */
export function sourcePath(root: string, file: string): string | undefined {
  if (leadsOut(file) || isHidden(file)) return undefined
  try {
    const [real, path] = [realpathSync(root), realpathSync(join(root, file))]
    return path.startsWith(real + sep) && !isHidden(relative(real, path)) ? path : undefined
  } catch {
    return undefined
  }
}

/** The text of such a file; undefined if there is none, or it is very long. */
export function sourceText(root: string, file: string): string | undefined {
  const path = sourcePath(root, file)
  if (path === undefined) return undefined
  try {
    const status = statSync(path)
    return status.isFile() && status.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function isHidden(path: string): boolean {
  return path.split(/[\\/]/).some((part) => /^\.[^.]/.test(part) && part !== STORE)
}

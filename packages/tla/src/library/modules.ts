/**
 * The modules that norn brings: the standard ones, those of the community and of the proof system, as text of our own, so
 * that names, arities and levels in them are checked as in any module.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../syntax/span.ts'

/** Where the texts lie, `NAME.tla` each: beside this file, in the sources as in the package. */
export const MODULES_FOLDER = join(import.meta.dirname, 'modules')

/** How the `path` of a source ends that norn brings. */
const MARK = '.tla (of norn)'

/** The text of a module that norn brings; undefined if there is none of the name. @param name a module's, not a path */
export function ownModule(name: string): Source | undefined {
  const path = join(MODULES_FOLDER, `${name}.tla`)
  if (!/^\w+$/.test(name) || !existsSync(path)) return undefined
  return { path: `${name}${MARK}`, text: readFileSync(path, 'utf8') }
}

/** Whether a source is of norn's own modules, whose definitions may have natives. */
export function isOwn(source: Source): boolean {
  return source.path.endsWith(MARK)
}

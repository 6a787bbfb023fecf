/**
 * The built-in modules: the standard ones, those of the community and of the proof system. They are
 * written in TLA+, so that names, arities and levels are checked as in any module.
 */
import { MODULE_TEXTS } from '#module-texts'
import type { Source } from '../error/span.ts'

/** Ends the `path` of a built-in module's source. */
const MARK = '.tla (built-in)'

/** The sorted names of the built-in modules. */
export const OWN_MODULES: readonly string[] = [...MODULE_TEXTS.keys()]

/** The text of a built-in module; undefined for any other name. */
export function ownModule(name: string): Source | undefined {
  const text = MODULE_TEXTS.get(name)
  return text === undefined ? undefined : { path: `${name}${MARK}`, text }
}

/** Whether a source is a built-in module, whose definitions may have natives. */
export function isOwn(source: Source): boolean {
  return source.path.endsWith(MARK)
}

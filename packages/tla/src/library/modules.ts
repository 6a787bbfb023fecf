/**
 * norn's own modules: the standard ones, those of the community and of the proof system. They are
 * texts of our own, so that names, arities and levels in them are checked as in any module.
 */
import { MODULE_TEXTS } from '#module-texts'
import type { Source } from '../syntax/span.ts'

/** How the `path` of the source of an own module ends. */
const MARK = '.tla (of norn)'

/** The names of the own modules, sorted. */
export const OWN_MODULES: readonly string[] = [...MODULE_TEXTS.keys()]

/** The text of a built-in module; undefined for any other name. */
export function ownModule(name: string): Source | undefined {
  const text = MODULE_TEXTS.get(name)
  return text === undefined ? undefined : { path: `${name}${MARK}`, text }
}

/** Whether a source is of norn's own modules, whose definitions may have natives. */
export function isOwn(source: Source): boolean {
  return source.path.endsWith(MARK)
}

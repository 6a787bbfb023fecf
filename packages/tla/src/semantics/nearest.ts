/** Suggestions for unknown names in messages about specifications. */

import { nearest } from '../error/nearest.ts'
import type { Span } from '../error/span.ts'
import { isOwn } from '../library/modules.ts'

/** No more names are looked at; a module sees a few hundred. */
const MAX_NAMES = 20_000

/** `; did you mean `Len`?`, or nothing. Not for operator symbols and single letters. */
export function meant(name: string, known: Iterable<string>, isPreferred?: (candidate: string) => boolean): string {
  if (name.length < 3) return ''
  const words = new Set<string>()
  for (const candidate of known) {
    if (words.size === MAX_NAMES) break
    if (/^\w/.test(candidate) && candidate !== name) words.add(candidate)
  }
  const [best] = nearest(name, [...words], isPreferred)
  return best === undefined ? '' : `; did you mean \`${best}\`?`
}

/** As `meant`; the names of the specification win over equally near ones of built-in modules. */
export function meantOf(name: string, known: Iterable<readonly [string, Known]>): string {
  const names = new Map(known)
  return meant(name, names.keys(), (candidate) => !isOwn(names.get(candidate)!.symbol.at.source))
}

interface Known {
  readonly symbol: { readonly at: Span }
}

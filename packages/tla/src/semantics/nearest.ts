/** Suggestions for unknown names in messages about specifications. */
import { nearest } from '../nearest.ts'

/** No more names are looked at; a module sees a few hundred. */
const MAX_NAMES = 20_000

/**
 * `; did you mean `Len`?`, or nothing. Not for operator symbols and single letters.
 */
export function meant(name: string, known: Iterable<string>): string {
  if (name.length < 3) return ''
  const words = new Set<string>()
  for (const candidate of known) {
    if (words.size === MAX_NAMES) break
    if (/^\w/.test(candidate) && candidate !== name) words.add(candidate)
  }
  const [best] = nearest(name, [...words])
  return best === undefined ? '' : `; did you mean \`${best}\`?`
}

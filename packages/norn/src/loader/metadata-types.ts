/**
 * Imported names that are used only in the metadata of decorators, which Oxc writes. It compiles each file alone,
 * so it cannot tell a class from an interface, which has no value at run time.
 */

/** Numbers of one use. */
const USE = 3
const BEFORE = 'typeof '
const BETWEEN = ' === "undefined" ? Object : '

/** @param uses of a name: start, end and kind of each, in order */
export function isOnlyInMetadata(source: string, uses: readonly number[]): boolean {
  if (uses.length % (2 * USE) !== 0) return false
  for (let at = 0; at < uses.length; at += 2 * USE) {
    const [start, end] = [uses[at]!, uses[at + 1]!]
    const isGuard = source.startsWith(BEFORE, start - BEFORE.length) && source.startsWith(BETWEEN, end)
    if (!isGuard || uses[at + USE] !== end + BETWEEN.length) return false
  }
  return true
}

/** Messages about a name that is not one of the known ones. */
import { editDistance } from '#shared/edit-distance'

/** `unknown option 'X'; did you mean 'Y'?`, or all known names where none is near. */
export function unknownText(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `unknown option '${name}'; ${near === undefined ? `known: ${known.join(', ')}` : `did you mean '${near}'?`}`
}

/** More edits than this make another word. */
const MAX_EDITS = 2

/**
 * The known name that was probably meant: one that contains the name, is in it, or is few edits
 * away.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const contains = (one: string, other: string) => other.length > 2 && one.includes(other)
  const scored = known.map((candidate) => {
    const lower = candidate.toLowerCase()
    const isPart = contains(lower, wanted) || contains(wanted, lower)
    return { candidate, edits: isPart ? 0 : editDistance(wanted, lower, MAX_EDITS) }
  })
  const best = scored.reduce((least, each) => (each.edits < least.edits ? each : least))
  return best.edits <= MAX_EDITS ? best.candidate : undefined
}

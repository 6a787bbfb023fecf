/** Messages about a name that is not one of the known ones. */

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
    return { candidate, edits: isPart ? 0 : distance(wanted, lower) }
  })
  const best = scored.reduce((least, each) => (each.edits < least.edits ? each : least))
  return best.edits <= MAX_EDITS ? best.candidate : undefined
}

/** The edit distance of Levenshtein. */
function distance(left: string, right: string): number {
  let last = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const line = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = last[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1)
      line.push(Math.min(last[column]! + 1, line[column - 1]! + 1, replaced))
    }
    last = line
  }
  return last[right.length]!
}

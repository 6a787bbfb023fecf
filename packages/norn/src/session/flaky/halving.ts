/**
 * The smallest part of a list with which something holds, by delta debugging (Zeller and Hildebrandt,
 * Simplifying and Isolating Failure-Inducing Input, TSE 2002).
 *
 * @param all holds as a whole
 * @param holds whether a part is enough; called with parts in the order of the list
 * @returns a part of which no single element can be left out
 */
export async function smallestPart<Element>(
  all: readonly Element[],
  holds: (part: readonly Element[]) => Promise<boolean>,
): Promise<readonly Element[]> {
  let part = all
  let pieces = 2
  while (part.length > 0) {
    const size = Math.ceil(part.length / pieces)
    const ranges = Array.from(
      { length: Math.ceil(part.length / size) },
      (_, at) => [at * size, (at + 1) * size] as const,
    )
    const candidates = [
      ...ranges.map(([from, to]) => ({ part: part.slice(from, to), pieces: 2 })),
      ...ranges.map(([from, to]) => ({ part: part.toSpliced(from, to - from), pieces: Math.max(2, pieces - 1) })),
    ].filter((candidate) => candidate.part.length < part.length)
    let smaller: (typeof candidates)[number] | undefined
    for (const candidate of candidates) {
      if (!(await holds(candidate.part))) continue
      smaller = candidate
      break
    }
    if (smaller !== undefined) {
      part = smaller.part
      pieces = smaller.pieces
    } else if (size === 1) return part
    else pieces = Math.min(part.length, pieces * 2)
  }
  return part
}

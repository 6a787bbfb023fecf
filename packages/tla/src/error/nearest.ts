/** Suggestions for unknown names: known names at the smallest edit distance. */
import { editDistance } from '#shared/edit-distance'

/** A typo has at most 3 edits, and at most a third of the name's length. */
const MAX_EDITS = 3

/**
 * Up to three known names near an unknown one. Nearest first; then preferred ones, those that only
 * lack or add letters, those with the longest common beginning, and in their order.
 */
export function nearest(
  name: string,
  known: readonly string[],
  isPreferred: (candidate: string) => boolean = () => false,
): readonly string[] {
  const bound = Math.min(MAX_EDITS, Math.max(1, Math.floor(name.length / 3)))
  const wanted = name.toLowerCase()
  return known
    .map((candidate) => ({ candidate, edits: editDistance(wanted, candidate.toLowerCase(), bound) }))
    .filter(({ edits }) => edits <= bound)
    .map(({ candidate, edits }) => ({ candidate, ranks: [edits, ...ranksOf(name, candidate, isPreferred)] }))
    .sort((a, b) => firstOtherThanZero(a.ranks.map((rank, at) => rank - b.ranks[at]!)))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** The lower, the better. */
function ranksOf(name: string, candidate: string, isPreferred: (candidate: string) => boolean): readonly number[] {
  const [shorter, longer] = name.length < candidate.length ? [name, candidate] : [candidate, name]
  return [isPreferred(candidate) ? 0 : 1, isWithin(shorter, longer) ? 0 : 1, -commonLength(name, candidate)]
}

/** Whether a text has the characters of another, in their order, and maybe more. */
function isWithin(shorter: string, longer: string): boolean {
  let at = 0
  for (const character of longer) if (character === shorter[at]) at++
  return at === shorter.length
}

/** The length of the common beginning. */
function commonLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function firstOtherThanZero(numbers: readonly number[]): number {
  return numbers.find((number) => number !== 0) ?? 0
}

/** `; did you mean 'A' or 'B'?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known).map((candidate) => `'${candidate}'`)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}

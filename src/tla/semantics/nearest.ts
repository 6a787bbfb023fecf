/** The known name that a person may have meant: by the edit distance with swaps (optimal string alignment). */

/** No more names are looked at; a module sees a few hundred. */
const MAXIMUM_NAMES = 20_000

/** The nearest of some names, if one is near enough to be meant. Of equally near ones the first. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.min(3, Math.floor(name.length / 3))) + 1
  if (!/^\w/.test(name)) return undefined
  let seen = 0
  for (const candidate of names) {
    if (++seen > MAXIMUM_NAMES) break
    if (!/^\w/.test(candidate) || candidate === name) continue
    const far = distance(name.toLowerCase(), candidate.toLowerCase(), least)
    if (far < least && far < Math.max(name.length, candidate.length)) {
      least = far
      best = candidate
    }
  }
  return best
}

/** `; did you mean `x`?`, or nothing. */
export function meant(name: string, names: Iterable<string>): string {
  const near = nearest(name, names)
  return near === undefined ? '' : `; did you mean \`${near}\`?`
}

/** How many letters are to be changed, put in, left out or swapped; `bound` if at least as many. */
function distance(from: string, to: string, bound: number): number {
  if (Math.abs(from.length - to.length) >= bound) return bound
  let before: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let cost = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return previous[to.length]!
}

/**
 * The edits between two texts: inserted, removed, replaced and swapped characters (Damerau 1964, with
 * swaps of neighbours only).
 *
 * @returns any number above `bound` if there are more
 */
export function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) > bound) return bound + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const line = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let edits = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwap) edits = Math.min(edits, beforeLast[column - 2]! + 1)
      line.push(edits)
    }
    beforeLast = last
    last = line
  }
  return last[right.length]!
}

/** The numbers of messages, those that follow each other together: `#3 #5–#8`. */
export function numbersText(ids: readonly number[]): string {
  const runs: [number, number][] = []
  for (const id of ids) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === id - 1) run[1] = id
    else runs.push([id, id])
  }
  return runs.map(([first, last]) => runText(first, last)).join(' ')
}

function runText(first: number, last: number): string {
  if (first === last) return `#${first}`
  return last === first + 1 ? `#${first} #${last}` : `#${first}–#${last}`
}

/**
 * Delta debugging of a list: tries it without runs of its items, then with as many simplest items in
 * place of a run; long runs first, then shorter ones, then single items.
 *
 * These are generators, so that callers can run candidates synchronously, asynchronously or one by
 * one: they yield a candidate and expect the list that an accepted candidate led to, or undefined for
 * a rejected one. They return the last list accepted, or the one they were given.
 */
type Shrinking<Item> = Generator<readonly Item[], readonly Item[], readonly Item[] | undefined>

/** One pass over the list. */
export function* deleteRuns<Item>(items: readonly Item[], simplest: Item): Shrinking<Item> {
  let best = items
  for (let size = best.length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = best.length; end > 0; end -= size) {
      const start = Math.max(0, end - size)
      const without = best.toSpliced(start, end - start)
      const simplified = best.toSpliced(start, end - start, ...new Array<Item>(end - start).fill(simplest))
      best = (yield without) ?? (yield simplified) ?? best
    }
  }
  return best
}

/**
 * Passes until one accepts nothing, or so many candidates were tried. Simplest items at the end are
 * implied: candidates are without them, and none is tried twice.
 */
export function* minimiseList<Item>(items: readonly Item[], simplest: Item, maxCandidates: number): Shrinking<Item> {
  const trimmed = (list: readonly Item[]) => list.slice(0, list.findLastIndex((item) => item !== simplest) + 1)
  let best = trimmed(items)
  const tried = new Set([best.join()])
  for (let before: readonly Item[] | undefined; before !== best; ) {
    before = best
    const pass = deleteRuns(best, simplest)
    for (let next = pass.next(); !next.done; ) {
      const candidate = trimmed(next.value)
      const isKnown = tried.has(candidate.join())
      if (!isKnown && tried.size > maxCandidates) return best
      tried.add(candidate.join())
      const accepted = isKnown ? undefined : yield candidate
      if (accepted !== undefined) best = trimmed(accepted)
      next = pass.next(accepted && best)
    }
  }
  return best
}

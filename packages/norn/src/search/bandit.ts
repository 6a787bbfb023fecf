/**
 * The bandit: which of several ways is tried next, by how often each has paid so far. Every way
 * keeps a share, as what does not pay now may pay later.
 *
 * Invariant: what is picked is a function of the counts and the random numbers.
 */
import type { Chance } from '../tape/chance.ts'

/**
 * What a way that was never tried is believed to pay, and how many tries weigh as much as that
 * belief.
 */
const [BELIEF, BELIEF_TRIES] = [0.2, 10]
const LEAST_SHARE = 0.05

interface Arm<Way> {
  readonly way: Way
  tries: number
  paid: number
  /** Its share of the turns, not yet divided by the sum of all. */
  share: number
}

export class Bandit<Way> {
  /** In the order in which they were given. */
  readonly #arms: readonly Arm<Way>[]

  constructor(ways: readonly Way[]) {
    this.#arms = ways.map((way) => ({ way, tries: 0, paid: 0, share: shareOf(0, 0) }))
  }

  /** @param isOpen whether a way is worth trying here; undefined is given if none is */
  pick(chance: Chance, isOpen: (way: Way) => boolean): Way | undefined {
    let sum = 0
    for (const { way, share } of this.#arms) if (isOpen(way)) sum += share
    let at = chance.unit() * sum
    let last: Way | undefined
    for (const { way, share } of this.#arms) {
      if (!isOpen(way)) continue
      last = way
      at -= share
      if (at < 0) break
    }
    return last
  }

  /** Takes note of whether what these ways led to was worth it. */
  judge(ways: readonly Way[], paid: boolean): void {
    for (const way of ways) {
      const arm = this.#arms.find((each) => each.way === way)!
      arm.tries++
      if (paid) arm.paid++
      arm.share = shareOf(arm.tries, arm.paid)
    }
  }
}

function shareOf(tries: number, paid: number): number {
  return LEAST_SHARE + (paid + BELIEF * BELIEF_TRIES) / (tries + BELIEF_TRIES)
}

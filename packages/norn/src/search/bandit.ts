/**
 * A multi-armed bandit: picks arms by how often each has paid off. Every arm keeps a share, as it
 * may pay off later. A pick is a function of the counts and the random numbers.
 */
import type { Chance } from '../tape/chance.ts'

/** The prior: the assumed rate of an arm, and the number of tries that it counts as. */
const [PRIOR_RATE, PRIOR_TRIES] = [0.2, 10]
const LEAST_SHARE = 0.05

interface Arm<Item> {
  readonly item: Item
  tries: number
  paid: number
  /** Its share of the picks, relative to those of the others. */
  share: number
}

export class Bandit<Item> {
  readonly #arms: readonly Arm<Item>[]

  constructor(items: readonly Item[]) {
    this.#arms = items.map((item) => ({ item, tries: 0, paid: 0, share: shareOf(0, 0) }))
  }

  /** @returns undefined if no arm is open */
  pick(chance: Chance, isOpen: (item: Item) => boolean): Item | undefined {
    let sum = 0
    for (const { item, share } of this.#arms) if (isOpen(item)) sum += share
    let at = chance.unit() * sum
    let last: Item | undefined
    for (const { item, share } of this.#arms) {
      if (!isOpen(item)) continue
      last = item
      at -= share
      if (at < 0) break
    }
    return last
  }

  /** Records whether these arms paid off together. */
  judge(items: readonly Item[], paid: boolean): void {
    for (const item of items) {
      const arm = this.#arms.find((each) => each.item === item)!
      arm.tries++
      if (paid) arm.paid++
      arm.share = shareOf(arm.tries, arm.paid)
    }
  }
}

function shareOf(tries: number, paid: number): number {
  return LEAST_SHARE + (paid + PRIOR_RATE * PRIOR_TRIES) / (tries + PRIOR_TRIES)
}

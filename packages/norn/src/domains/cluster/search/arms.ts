/**
 * The arms of a search: kinds of executions that compete for the budget. The share of an arm follows
 * what its latest executions showed for what they cost; every arm keeps a small share, as it may pay
 * off later.
 *
 * Shares are a high power of the yield, so the best arm gets nearly everything, and arms that yield
 * about the same share equally. A pick is a function of the yields and the random numbers.
 */
import type { Chance } from '../../../tape/chance.ts'

const POWER = 4
const LEAST_SHARE = 0.015
/** How much of an arm's past counts each time that it is judged again. */
const MEMORY = 0.99
/** So many new features are assumed of each arm, at the mean cost: few say little about an arm. */
const PRIOR_NEWS = 10

interface Arm<Name> {
  readonly name: Name
  /** Its share, relative to those of other arms with the same yield. */
  readonly base: number
  news: number
  cost: number
}

export class Arms<Name extends string> {
  readonly #arms: readonly Arm<Name>[]
  readonly #followsYields: boolean

  /**
   * @param bases the arms, each with its share relative to others with the same yield
   * @param followsYields otherwise these are the shares
   */
  constructor(bases: Readonly<Record<Name, number>>, followsYields = true) {
    const entries = Object.entries(bases) as [Name, number][]
    this.#arms = entries.map(([name, base]) => ({ name, base, news: 0, cost: 0 }))
    this.#followsYields = followsYields
  }

  /** @param isOpen whether an arm can be used now; at least one must be */
  pick(chance: Chance, isOpen: (name: Name) => boolean): Name {
    const open = this.#arms.filter(({ name }) => isOpen(name))
    const [news, cost] = [sumOf(this.#arms, 'news'), sumOf(this.#arms, 'cost')]
    const mean = cost === 0 ? 0 : news / cost
    const weightOf = (arm: Arm<Name>) => {
      const relative = (arm.news + PRIOR_NEWS) / (mean * arm.cost + PRIOR_NEWS)
      return this.#followsYields ? arm.base * relative ** POWER : arm.base
    }
    const sum = open.reduce((total, arm) => total + weightOf(arm), 0)
    let at = chance.unit()
    for (const arm of open) {
      at -= LEAST_SHARE + ((1 - LEAST_SHARE * open.length) * weightOf(arm)) / sum
      if (at < 0) return arm.name
    }
    return open.at(-1)!.name
  }

  /** @param cost in any unit that is the same for all arms */
  judge(name: Name, news: number, cost: number): void {
    const arm = this.#arms.find((each) => each.name === name)!
    arm.news = MEMORY * arm.news + news
    arm.cost = MEMORY * arm.cost + cost
  }
}

function sumOf(arms: readonly Arm<unknown>[], field: 'news' | 'cost'): number {
  return arms.reduce((sum, arm) => sum + arm[field], 0)
}

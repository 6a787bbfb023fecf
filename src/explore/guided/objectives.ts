/**
 * Objectives: numbers that the search tries to bring down. Each comparison of the program is one (its distance from
 * equality), and so is each `target` of a property (the value that it is to make large, negated).
 *
 * Of each the best is remembered, and the few entries of the corpus that came nearest. An objective at distance 0 is
 * reached, and nothing is done for it any more. Which objective gets the next turn is a bandit's decision: one that was
 * tried long without progress gives way.
 *
 * Invariant: an objective's best never rises; at most MAX_OBJECTIVES are kept, the first that appear.
 */
import type { Chance } from '../../tape/chance.ts'
import type { Observation } from '../observation.ts'
import { distance } from './distance.ts'

/** A comparison by its site, a target by its label. */
export type ObjectiveKey = number | string

export interface Objective<Holder> {
  readonly key: ObjectiveKey
  best: number
  /** The entries that came nearest, the nearest first. */
  readonly holders: { readonly distance: number; readonly holder: Holder }[]
  /** Tries since the last progress. */
  fruitless: number
}

const MAX_OBJECTIVES = 1024
const MAX_HOLDERS = 4
/** Fruitless tries after which an objective's share has halved. */
const PATIENCE = 64
/** No objective is given up for good. */
const LEAST_SHARE = 0.02

export class Objectives<Holder> {
  readonly #all = new Map<ObjectiveKey, Objective<Holder>>()

  /** Those that are not reached, and have somebody to start from. */
  get open(): readonly Objective<Holder>[] {
    return [...this.#all.values()].filter((objective) => !isReached(objective))
  }

  get size(): number {
    return this.#all.size
  }

  /** The objectives that an execution brought nearer, with its distance to each. */
  progress(observation: Observation): ReadonlyMap<ObjectiveKey, number> {
    const nearer = new Map<ObjectiveKey, number>()
    for (const [key, apart] of distancesOf(observation)) {
      const known = this.#all.get(key)
      if (known === undefined ? this.#all.size + nearer.size < MAX_OBJECTIVES : apart < known.best)
        nearer.set(key, apart)
    }
    return nearer
  }

  /** Makes an entry the holder of what it brought nearer. */
  hold(holder: Holder, nearer: ReadonlyMap<ObjectiveKey, number>): void {
    for (const [key, apart] of nearer) {
      let objective = this.#all.get(key)
      if (objective === undefined) this.#all.set(key, (objective = { key, best: apart, holders: [], fruitless: 0 }))
      objective.best = Math.min(objective.best, apart)
      objective.fruitless = 0
      objective.holders.unshift({ distance: apart, holder })
      if (objective.holders.length > MAX_HOLDERS) objective.holders.length = MAX_HOLDERS
    }
  }

  /** Whether an entry is one of those that came nearest to something not reached yet. */
  isHeld(holder: Holder): boolean {
    return this.open.some(({ holders }) => holders.some((each) => each.holder === holder))
  }

  /** The objective whose turn it is, and the entry to start from; undefined if none is open. */
  pick(chance: Chance): { readonly objective: Objective<Holder>; readonly holder: Holder } | undefined {
    const { open } = this
    if (open.length === 0) return undefined
    const shares = open.map(({ fruitless }) => Math.max(LEAST_SHARE, PATIENCE / (PATIENCE + fruitless)))
    let at = chance.unit() * shares.reduce((sum, share) => sum + share, 0)
    const index = shares.findIndex((share) => (at -= share) < 0)
    const objective = open[index === -1 ? open.length - 1 : index]!
    objective.fruitless++
    // The nearest one gets half of the turns, the next half of the rest.
    let rank = 0
    while (rank < objective.holders.length - 1 && chance.coin(0.5)) rank++
    return { objective, holder: objective.holders[rank]!.holder }
  }
}

/** A target has no end. */
function isReached({ key, best }: Objective<unknown>): boolean {
  return typeof key === 'number' && best === 0
}

/** The smallest distance of each comparison of an execution, and its targets. */
function distancesOf({ comparisons, targets }: Observation): Map<ObjectiveKey, number> {
  const least = new Map<ObjectiveKey, number>()
  for (let at = 0; at < (comparisons?.length ?? 0); at++) {
    const log = comparisons!
    const apart = distance(log.kind(at), log.left(at), log.right(at))
    const site = log.site(at)
    if (apart !== undefined && apart < (least.get(site) ?? Number.POSITIVE_INFINITY)) least.set(site, apart)
  }
  for (const [label, value] of targets) least.set(label, -value)
  return least
}

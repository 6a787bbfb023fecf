/**
 * Objectives: numbers that the search minimises. Each comparison of the program is one (its
 * distance from equality), and each `target` of a property (its negated value).
 *
 * An objective keeps the nearest entries of the corpus, one for each happens-before class (after
 * MAP-Elites, Mouret and Clune, 2015): the nearest input may be a dead end under its interleaving,
 * where descent under another reaches 0. An objective at distance 0 is reached and gets no more
 * executions. Objectives take turns; the share of one without progress falls.
 *
 * Invariant: the best of an objective never rises; the first MAX_OBJECTIVES are kept.
 */

import type { Observation } from '../../contract/observation.ts'
import type { Chance } from '../../tape/chance.ts'
import { distance } from './distance.ts'

/** A comparison by its site, a target by its label. */
export type ObjectiveKey = number | string

interface Objective<Holder> {
  readonly key: ObjectiveKey
  best: number
  /** The nearest entry of each happens-before class, the nearest first. */
  holders: readonly Held<Holder>[]
  /** Tries since the last progress, with those of other processes. */
  fruitless: number
}

interface Held<Holder> {
  readonly distance: number
  readonly class: number
  readonly holder: Holder
}

/** An execution among the nearest to an objective. */
export interface Approach {
  readonly key: ObjectiveKey
  readonly distance: number
  readonly class: number
  /** Whether it is the nearest so far. */
  readonly best: boolean
}

const MAX_OBJECTIVES = 1024
const MAX_HOLDERS = 12
/**
 * The share of picks of the nearest entry, without and with recent progress; others share the rest.
 */
const [NEAREST_COLD, NEAREST_HOT] = [0.4, 0.9]
/** Fruitless tries that halve the share of an objective. */
const PATIENCE = 1000
/** The fruitless tries that an objective without any progress counts as. */
const NEVER = 2000
const LEAST_SHARE = 0.02

export class Objectives<Holder> {
  readonly #all = new Map<ObjectiveKey, Objective<Holder>>()
  #stillOpen: readonly Objective<Holder>[] | undefined

  get size(): number {
    return this.#all.size
  }

  /** Objectives not reached yet, cached. */
  get #open(): readonly Objective<Holder>[] {
    return (this.#stillOpen ??= [...this.#all.values()].filter((objective) => !isReached(objective)))
  }

  /** How recent the latest progress is, from 0 (long ago or never) to 1 (just now). */
  get heat(): number {
    let heat = 0
    for (const objective of this.#open) heat = Math.max(heat, heatOf(objective))
    return heat
  }

  /** The objectives to which an execution is among the nearest. */
  approaches(observation: Observation): readonly Approach[] {
    return this.near(distancesOf(observation), observation.happensBefore)
  }

  /** The objectives to which an execution with these distances is among the nearest. */
  near(distances: Iterable<readonly [ObjectiveKey, number]>, happensBefore: number): readonly Approach[] {
    const approaches: Approach[] = []
    let room = MAX_OBJECTIVES - this.#all.size
    for (const [key, distance] of distances) {
      const known = this.#all.get(key)
      if (known === undefined && room-- <= 0) continue
      if (known !== undefined && !entersPool(known, distance, happensBefore)) continue
      approaches.push({
        key,
        distance,
        class: happensBefore,
        best: distance < (known?.best ?? Number.POSITIVE_INFINITY),
      })
    }
    return approaches
  }

  /** Adds an entry to the nearest of these objectives. */
  hold(holder: Holder, approaches: readonly Approach[]): void {
    if (approaches.length > 0) this.#stillOpen = undefined
    for (const { key, distance, class: ofClass, best } of approaches) {
      let objective = this.#all.get(key)
      if (objective === undefined)
        this.#all.set(key, (objective = { key, best: distance, holders: [], fruitless: NEVER }))
      else if (best) objective.fruitless = 0
      objective.best = Math.min(objective.best, distance)
      const others = objective.holders.filter((held) => held.class !== ofClass && held.holder !== holder)
      // A stable sort: at equal distance the older entry, which may have been refined, stays first.
      objective.holders = [...others, { distance, class: ofClass, holder }]
        .sort((a, b) => a.distance - b.distance)
        .slice(0, MAX_HOLDERS)
    }
  }

  /** Whether an entry is among the nearest to an objective not reached yet. */
  isHeld(holder: Holder): boolean {
    return this.#open.some(({ holders }) => holders.some((held) => held.holder === holder))
  }

  /**
   * Picks an objective, and one of its nearest entries; undefined if no objective is open.
   *
   * @param searchers the processes that share their entries: while this one tries once, each of the others does
   */
  pick(chance: Chance, searchers = 1): Holder | undefined {
    const open = this.#open
    if (open.length === 0) return undefined
    const shares = open.map((objective) => Math.max(LEAST_SHARE, heatOf(objective)))
    let at = chance.unit() * shares.reduce((sum, share) => sum + share, 0)
    const index = shares.findIndex((share) => (at -= share) < 0)
    const objective = open[index === -1 ? open.length - 1 : index]!
    objective.fruitless += searchers
    const rank = chance.coin(NEAREST_COLD + (NEAREST_HOT - NEAREST_COLD) * heatOf(objective))
      ? 0
      : chance.integer(0, objective.holders.length - 1)
    return objective.holders[rank]!.holder
  }
}

function heatOf({ fruitless }: Pick<Objective<unknown>, 'fruitless'>): number {
  return PATIENCE / (PATIENCE + fruitless)
}

function entersPool({ key, best, holders }: Objective<unknown>, distance: number, ofClass: number): boolean {
  if (isReached({ key, best })) return false
  const sameClass = holders.find((held) => held.class === ofClass)
  if (sameClass !== undefined) return distance < sameClass.distance
  return holders.length < MAX_HOLDERS || distance < holders.at(-1)!.distance
}

/** The distance of an execution from an objective; undefined if it did not reach the comparison. */
export function distanceTo(key: ObjectiveKey, observation: Observation): number | undefined {
  return distancesOf(observation).get(key)
}

/** A target is never reached. */
function isReached({ key, best }: Pick<Objective<unknown>, 'key' | 'best'>): boolean {
  return typeof key === 'number' && best === 0
}

const NO_DISTANCES: ReadonlyMap<ObjectiveKey, number> = new Map()

/** The smallest distance of each comparison of an execution, and its targets. */
function distancesOf({ comparisons, targets }: Observation): ReadonlyMap<ObjectiveKey, number> {
  const length = comparisons?.length ?? 0
  if (length === 0 && targets.size === 0) return NO_DISTANCES
  const least = new Map<ObjectiveKey, number>()
  for (let at = 0; at < length; at++) {
    const log = comparisons!
    const site = log.site(at)
    const apart = distance(log.kind(at), log.left(at), log.right(at))
    if (apart !== undefined && apart < (least.get(site) ?? Number.POSITIVE_INFINITY)) least.set(site, apart)
  }
  for (const [label, value] of targets) least.set(label, -value)
  return least
}

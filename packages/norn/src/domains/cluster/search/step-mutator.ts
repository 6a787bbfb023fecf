/**
 * Mutators of schedules change a list of step numbers. Every list is a schedule, because a number
 * means the same at every position, and an impossible step is skipped.
 *
 * Invariant: a mutation is a function of the list, the material and the random numbers.
 */

import type { StepCodes } from '../../../cluster/steps.ts'
import type { Chance } from '../../../tape/chance.ts'

export interface StepMaterial {
  readonly chance: Chance
  readonly codes: StepCodes
  /** Steps of another schedule, to take parts from. */
  readonly other: readonly number[]
  /** Draws an index below `count` (at least 1): near the archived cell, or anywhere. */
  index(count: number): number
}

export interface StepMutator {
  readonly name: string
  /** Whether it applies to the cluster. Default: true. */
  suits?(codes: StepCodes): boolean
  /** Changes the list; returns the first changed index, or undefined if nothing changed. */
  mutate(steps: number[], material: StepMaterial): number | undefined
}

/** Mutation makes schedules no longer than this; steps beyond the cluster's bound are never drawn. */
export const MAX_STEPS = 4096

export function oneOf<Item>(items: readonly Item[], chance: Chance): Item {
  return items[chance.integer(0, items.length - 1)]!
}

/**
 * What a mutator of schedules is. It changes a list of step numbers: since a number means the same
 * wherever it stands, and a step that is not possible is passed over, whatever list comes out is a
 * schedule.
 *
 * Invariant: what a mutator does is a function of the list, the material and the random numbers.
 */
import type { Chance } from '../../tape/chance.ts'
import type { Step, StepCodes } from '../steps.ts'

export interface StepMaterial {
  readonly chance: Chance
  readonly codes: StepCodes
  /** Steps of another schedule, to take parts from. */
  readonly other: readonly number[]
  /**
   * A place below `count`, at least 1: near to where the schedule showed what it was kept for, or
   * anywhere.
   */
  index(count: number): number
}

export interface StepMutator {
  readonly name: string
  /** Whether schedules of the cluster have what it changes; all have unless it says so. */
  suits?(codes: StepCodes): boolean
  /**
   * Changes the list, nowhere before the place that it gives; undefined if it found nothing to
   * change.
   */
  mutate(steps: number[], material: StepMaterial): number | undefined
}

/**
 * A schedule grows no longer than this by mutation; what lies beyond a cluster's steps is never
 * asked for.
 */
export const MAX_STEPS = 4096

/** The places of the steps of a kind. */
export function placesOf(steps: readonly number[], { steps: meanings }: StepCodes, kind: Step['kind']): number[] {
  const places: number[] = []
  for (let at = 0; at < steps.length; at++) if (meanings[steps[at]!]?.kind === kind) places.push(at)
  return places
}

export function oneOf<Item>(items: readonly Item[], chance: Chance): Item {
  return items[chance.integer(0, items.length - 1)]!
}

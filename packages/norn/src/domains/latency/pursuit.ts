/**
 * A pursuit: reduces the distance of a corpus entry to an objective. Follow-ups propose executions;
 * one that comes nearer replaces the record of the entry.
 *
 * Invariant: the distance of the entry never grows.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { Entry } from './corpus.ts'
import { distanceTo, type ObjectiveKey } from './objectives.ts'
import { Timeline } from './timeline.ts'

/** A few executions that pursue one objective before the search continues. */
export interface FollowUp {
  readonly pursuit: Pursuit
  /** The next candidate; undefined at the end. */
  next(): Choices | undefined
  /**
   * @param observation of the latest candidate; undefined if it was inconclusive or not observed
   * @returns whether it replaced the record of the entry
   */
  judge(observation: Observation | undefined): boolean
}

export class Pursuit {
  readonly entry: Entry
  readonly key: ObjectiveKey
  #distance: number

  constructor(entry: Entry, key: ObjectiveKey, distance: number) {
    this.entry = entry
    this.key = key
    this.#distance = distance
  }

  /** Of the record of the entry. */
  get distance(): number {
    return this.#distance
  }

  /** Replaces the record if an execution came nearer; returns whether it did. */
  takesNearer(observation: Observation | undefined): boolean {
    return this.#takes(observation, (distance) => distance < this.#distance)
  }

  /** The same for an execution that came as near, or nearer. */
  takesAsNear(observation: Observation | undefined): boolean {
    return this.#takes(observation, (distance) => distance <= this.#distance)
  }

  /** Whether an execution has the same distance. */
  isAsFar(observation: Observation | undefined): boolean {
    return observation !== undefined && distanceTo(this.key, observation) === this.#distance
  }

  #takes(observation: Observation | undefined, isEnough: (distance: number) => boolean): boolean {
    if (observation === undefined) return false
    const distance = distanceTo(this.key, observation)
    if (distance === undefined || !isEnough(distance)) return false
    this.#distance = distance
    this.entry.record = observation.choices()
    this.entry.timeline = new Timeline(observation.timeline())
    this.entry.products = observation.products
    return true
  }
}

/**
 * A pursuit: an entry of the corpus on its way to an objective. Follow-ups propose executions that
 * may come nearer, and the entry becomes what did.
 *
 * Invariant: the entry never gets further away.
 */
import type { Observation } from '../../contract/observation.ts'
import type { Entry } from './corpus.ts'
import { distanceTo, type ObjectiveKey } from './objectives.ts'
import { Timeline } from './timeline.ts'

export class Pursuit {
  readonly entry: Entry
  readonly key: ObjectiveKey
  #distance: number

  constructor(entry: Entry, key: ObjectiveKey, distance: number) {
    this.entry = entry
    this.key = key
    this.#distance = distance
  }

  /** Takes over an execution that came nearer; whether it did. */
  takesNearer(observation: Observation | undefined): boolean {
    return this.#takes(observation, (distance) => distance < this.#distance)
  }

  /** Takes over an execution that came as near, or nearer; whether it did. */
  takesAsNear(observation: Observation | undefined): boolean {
    return this.#takes(observation, (distance) => distance <= this.#distance)
  }

  /** Whether an execution stayed exactly as far away. */
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
    return true
  }
}

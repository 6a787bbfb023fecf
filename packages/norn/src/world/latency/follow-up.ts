/** A few executions that look closer at one entry, before the search goes on. */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { Pursuit } from './pursuit.ts'

export interface FollowUp {
  readonly pursuit: Pursuit
  /** The next candidate; undefined when it is done. */
  next(): Choices | undefined
  /**
   * Takes note of what the last candidate showed; undefined if that says nothing.
   *
   * @returns whether the entry is that execution now
   */
  judge(observation: Observation | undefined): boolean
}

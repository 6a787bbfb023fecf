/** A few executions that look closer at one entry, before the search goes on. */
import type { Choices } from '../../tape/replay.ts'
import type { Observation } from '../observation.ts'
import type { Entry } from './corpus.ts'
import type { ObjectiveKey } from './objectives.ts'

export interface FollowUp {
  /** The entry, whose record is replaced by better ones as they are found. */
  readonly entry: Entry
  /** The objective that it is to be near to. */
  readonly key: ObjectiveKey
  /** The next candidate; undefined when it is done. */
  next(): Choices | undefined
  /** Takes note of what the last candidate showed. */
  judge(observation: Observation): void
}

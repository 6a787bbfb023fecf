/** A place on a tape: a choice, by its lane and how many were drawn before it in that lane. */
import type { Lane } from '../contract/choice.ts'

export interface Place {
  readonly lane: Lane
  readonly index: number
}

/** How a check ended. */
import type { TlaError } from '../error.ts'
import type { Formula, Refusal } from '../evaluate/machine.ts'
import type { Behaviour } from './behaviour.ts'

/** Which bound was reached; `exit` is that of the specification itself: `TLCSet("exit", TRUE)`. */
export type BoundName = 'depth' | 'states' | 'time' | 'memory' | 'exit'

export type Outcome =
  | { readonly kind: 'passed' }
  /**
   * An invariant, or a property of initial states or of single steps, is false in the last state,
   * or step, of `behaviour`.
   */
  | {
      readonly kind: 'invariant' | 'property'
      readonly formula: Formula
      readonly refusal: Refusal | undefined
      readonly behaviour: Behaviour
    }
  /** The last state of `behaviour` has no successor. */
  | { readonly kind: 'deadlock'; readonly behaviour: Behaviour }
  /** An assumption is false, or what was to hold once all is explored. */
  | { readonly kind: 'assumption' | 'postcondition'; readonly formula: Formula; readonly refusal: Refusal | undefined }
  /**
   * Something could not be evaluated: in the last state of `behaviour`, or in a step from it. Empty
   * if it was in no state, or while initial states were computed.
   */
  | { readonly kind: 'error'; readonly error: TlaError; readonly behaviour: Behaviour }
  /** Nothing found so far, and not everything explored. */
  | { readonly kind: 'bound'; readonly bound: BoundName }
  | { readonly kind: 'interrupted' }
  /** No state satisfies the initial predicate, so that nothing was checked. */
  | { readonly kind: 'no initial state' }

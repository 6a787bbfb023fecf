/** How a check ended. */
import type { TlaError } from '../error/error.ts'
import type { Formula, Refusal } from '../evaluate/machine.ts'
import type { Behaviour } from './behaviour.ts'

/** `exit`: the specification ended the check by `TLCSet("exit", TRUE)`. */
export type BoundName = 'depth' | 'states' | 'time' | 'memory' | 'exit'

export type Outcome =
  | { readonly kind: 'passed' }
  /**
   * An invariant, or a property of initial states or of single steps, is false in the last state or
   * step of `behaviour`.
   */
  | {
      readonly kind: 'invariant' | 'property'
      readonly formula: Formula
      readonly refusal: Refusal | undefined
      readonly behaviour: Behaviour
    }
  /** The last state of `behaviour` has no successor. */
  | { readonly kind: 'deadlock'; readonly behaviour: Behaviour }
  | { readonly kind: 'assumption' | 'postcondition'; readonly formula: Formula; readonly refusal: Refusal | undefined }
  /**
   * Evaluation failed in the last state of `behaviour`, or in a step from it. Empty if it failed
   * outside of any state, or in the initial predicate.
   */
  | { readonly kind: 'error'; readonly error: TlaError; readonly behaviour: Behaviour }
  /** Not everything was explored; nothing was found so far. */
  | { readonly kind: 'bound'; readonly bound: BoundName }
  | { readonly kind: 'interrupted' }
  /** Everything was explored without an error, but temporal properties were not checked. */
  | { readonly kind: 'incomplete' }
  /** No state satisfies the initial predicate: nothing was checked. */
  | { readonly kind: 'no initial state' }

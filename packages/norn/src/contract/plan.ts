/**
 * A plan: where the input and the choices of the next execution come from. Plain data that crosses
 * processes.
 */
import { type Choices, NO_CHOICES } from './choices.ts'

/** Names an execution that was drawn by chance: see tape/name.ts. */
export interface ExecutionName {
  /** How many choices are drawn before the tape runs out, 0..2^32-1. */
  readonly length: number
  /** 0..2^32-1. */
  readonly seed: number
}

/** What earlier executions of the same property showed. */
export interface Estimates {
  /** Causal chains in an execution. */
  readonly chains: number
  /** Schedule points passed before the body settled, stalls excluded (k of PCT). */
  readonly points: number
  /** Virtual time the body took, in microseconds. */
  readonly durationUs: number
  /** Operations that could have met a fault, where faults are allowed. */
  readonly faultPoints?: number
}

export const NO_ESTIMATES: Estimates = { chains: 2, points: 20, durationUs: 1000 }

/** Where the input comes from. */
export type InputPlan =
  /** Generated: its draws are choices of the input lane. */
  | { readonly from: 'tape' }
  /** Written by hand: the n-th of the property's examples. */
  | { readonly from: 'example'; readonly index: number }
  /** Saved with a failure, in structured form, with the values that the body drew. */
  | { readonly from: 'saved'; readonly input: SavedInput }

/** An input in serial form, independent of the arbitraries that made it. */
export interface SavedInput extends FromExample {
  /** The values by name, as `devalue` writes them. */
  readonly values: string
  /** What the body drew, in order, by label. */
  readonly draws: readonly (FromExample & { readonly label: string; readonly value: string })[]
}

/** Marks a value that was taken from an example: the tape holds no choices for it. */
export interface FromExample {
  readonly example?: true
}

/**
 * What a choice is looked up by first: its label, which is exact over unchanged code, or its alias.
 */
export type FollowBy = 'label' | 'alias'

/** Where the choices come from. */
export type ChoicePlan =
  /** Drawn by chance and a strategy, from a seed. */
  | {
      readonly from: 'strategy'
      readonly strategy: string
      readonly name: ExecutionName
      readonly estimates: Estimates
    }
  /** Recorded earlier. */
  | { readonly from: 'record'; readonly choices: Choices; readonly followBy?: FollowBy }
  /** Read from bytes that another fuzzer made: see tape/bytes.ts. */
  | { readonly from: 'bytes'; readonly base64: string }
  /** Mutated from a record; where it has no choice, chance and a strategy draw one. */
  | {
      readonly from: 'mutation'
      readonly choices: Choices
      readonly strategy: string
      readonly name: ExecutionName
      readonly estimates: Estimates
    }

export interface Plan {
  readonly input: InputPlan
  readonly choices: ChoicePlan
  /**
   * Include the details of the result (its choices, its input, its trace hash) even if the
   * execution passes.
   */
  readonly detailed?: boolean
  /** What to observe beside the verdict; nothing unless set. */
  readonly observe?: Observing
}

export interface Observing {
  readonly counters: boolean
  readonly order: boolean
  readonly comparisons: boolean
}

/** The zero input under the default schedule. */
export const DEFAULT_PLAN: Plan = { input: { from: 'tape' }, choices: { from: 'record', choices: NO_CHOICES } }

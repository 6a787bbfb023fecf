/**
 * A plan: where the input and the choices of the next execution come from. Plain data that crosses
 * processes.
 */
import { CHANCE_SEED, type Choice } from './choice.ts'
import { type Choices, NO_CHOICES, UNBOUNDED } from './choices.ts'
import type { KeyFramesData } from './key-frames.ts'
import { CLOCK_START, MAX_START_MS } from './wall-clock.ts'

/** The name of an execution drawn at random; see tape/name.ts. */
export interface ExecutionName {
  /** Choices until the tape ends, 0..2^32-1. */
  readonly length: number
  /** 0..2^32-1. */
  readonly seed: number
}

/** Estimates from earlier executions of the same property. */
export interface Estimates {
  /** Causal chains in an execution. */
  readonly chains: number
  /** Schedule points passed before the body settled, stalls excluded (k of PCT). */
  readonly points: number
  /** Virtual duration of the body, in microseconds. */
  readonly durationUs: number
  /** Operations that could have met a fault, where faults are allowed. */
  readonly faultPoints?: number
}

export const NO_ESTIMATES: Estimates = { chains: 2, points: 20, durationUs: 1000 }

/** Where the input comes from. */
export type InputPlan =
  /** Generated: its draws are choices of the input lane. */
  | { readonly from: 'tape' }
  /** The n-th example of the property, counted from 0. */
  | { readonly from: 'example'; readonly index: number }
  /** Saved with a failure, including the values that the body drew. */
  | { readonly from: 'saved'; readonly input: SavedInput }

/** An input in serial form, independent of the arbitraries that made it. */
export interface SavedInput extends FromExample {
  /** The values by name, encoded by `devalue`. */
  readonly values: string
  /** The draws of the body, in order. */
  readonly draws: readonly (FromExample & { readonly label: string; readonly value: string })[]
}

/** Marks a value that was taken from an example: the tape holds no choices for it. */
export interface FromExample {
  readonly example?: true
}

/** The key by which replay finds a choice first. A label is exact over unchanged code. */
export type FollowBy = 'label' | 'alias'

/**
 * How random steps are drawn: factors of their weights, by class of step, as a campaign has learnt
 * them (see cluster/step-classes.ts). A class that is not listed has factor 1. The n-th factor
 * belongs to the n-th class.
 */
export interface StepWeights {
  readonly classes: readonly number[]
  readonly factors: readonly number[]
  /** Nothing on this channel is drawn in some steps: from `first` on, before `last`. */
  readonly hold?: Hold
}

/** Nodes are indices; scheduled steps are counted from 0. */
interface Hold {
  readonly from: number
  readonly to: number
  readonly first: number
  readonly last: number
}

/** All classes alike. */
export const NO_WEIGHTS: StepWeights = { classes: [], factors: [] }

/** Where the choices come from. */
export type ChoicePlan =
  /** Drawn at random by a strategy, from a seed. */
  | {
      readonly from: 'strategy'
      readonly strategy: string
      readonly name: ExecutionName
      readonly estimates: Estimates
      /** Of random steps, whose classes are then observed. Default: no weights, not observed. */
      readonly weights?: StepWeights
    }
  /** Recorded by an earlier execution. */
  | { readonly from: 'record'; readonly choices: Choices; readonly followBy?: FollowBy }
  /** Read from the bytes of another fuzzer; see tape/bytes.ts. */
  | { readonly from: 'bytes'; readonly base64: string }
  /** Mutated from a record; a strategy draws the choices that it lacks. */
  | {
      readonly from: 'mutation'
      readonly choices: Choices
      readonly strategy: string
      readonly name: ExecutionName
      readonly estimates: Estimates
      /** Of random steps, whose classes are then observed. Default: no weights, not observed. */
      readonly weights?: StepWeights
    }

export interface Plan {
  readonly input: InputPlan
  readonly choices: ChoicePlan
  /** Include the choices, the input and the trace hash in the result even if it passes. */
  readonly detailed?: boolean
  /** What to observe. Default: nothing. */
  readonly observe?: Observing
}

/** What a call asks of all executions of a property. */
export interface Demands {
  /** Of clusters: each divergence from the model is a failure, whatever the cluster says. */
  readonly conformance?: boolean
  /** Of ordinary tests: go on after one that fails. */
  readonly everyTest?: boolean
  /** Of clusters: propose key frames. */
  readonly proposals?: boolean
  /** Of clusters: the key frames to watch; undefined if executions watch none. */
  readonly frames?: readonly KeyFramesData[] | undefined
}

export const NO_DEMANDS: Demands = {}

export interface Observing {
  readonly counters: boolean
  readonly order: boolean
  readonly comparisons: boolean
  /** Whether the model of a cluster follows the execution; it does anyway where verdicts depend on it. */
  readonly model: boolean
}

/** The zero input under the default schedule. */
export const DEFAULT_PLAN: Plan = { input: { from: 'tape' }, choices: { from: 'record', choices: NO_CHOICES } }

/** The default schedule with other random numbers. @param seed 0..2^32-1 */
export function withSeed(seed: number): Plan {
  return withChoice({ ...CHANCE_SEED, value: seed })
}

/** The default schedule where the clock starts so many milliseconds later. */
export function withStart(ms: number): Plan {
  return withChoice({ kind: 'clock', label: CLOCK_START, min: 0, max: MAX_START_MS, value: ms })
}

/** A schedule with delays drawn at random. @param seed 0..2^32-1 */
export function withDelays(seed: number): Plan {
  const name = { length: UNBOUNDED, seed }
  return { input: { from: 'tape' }, choices: { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } }
}

function withChoice(choice: Choice): Plan {
  return { input: { from: 'tape' }, choices: { from: 'record', choices: { ...NO_CHOICES, schedule: [choice] } } }
}

/** The input of an execution in structured form if it has one: it then outlives its arbitraries. */
export function inputOf({ input }: { readonly input?: SavedInput | undefined }, planned: InputPlan): InputPlan {
  return input === undefined ? planned : { from: 'saved', input }
}

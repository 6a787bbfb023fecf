/** The current execution, for the functions that a body calls. A process runs one at a time. */
import type fc from 'fast-check'
import type { ClusterRecord } from '../contract/cluster-record.ts'
import type { FailureKind, InjectedFault } from '../contract/execution.ts'
import type { InconclusiveReason } from '../contract/inconclusive.ts'
import type { ClusterObservation } from '../contract/observation.ts'
import type { Demands, StepWeights } from '../contract/plan.ts'
import type { Chance } from '../tape/chance.ts'

export interface CurrentExecution {
  draw<Value>(arbitrary: fc.Arbitrary<Value>, label: string): Value
  /**
   * Generates an argument of a property asserted in the body.
   *
   * @param example replaces the generated value
   */
  generate<Value>(generator: Generator<Value>, label: string, example?: { readonly value: unknown }): Value
  /** The index of the example that is the input; undefined if the input is generated or saved. */
  readonly example: number | undefined
  /**
   * Records that the body asserts a property with so many examples. Returns how many it has
   * asserted so far.
   */
  assert(examples: number): number
  /** Draws a seed for code that has a random source of its own. */
  seed(label: string): number
  /** Discards the input: it does not meet a precondition of the property. */
  discard(): void
  outOfEntropy(): boolean
  /**
   * Draws a choice of the schedule in 0..max.
   *
   * @param suggest the value where a source draws by chance
   */
  schedule(label: string, max: number, suggest: Suggest): number
  /** Whether a fixed request of a cluster is left out, after shrinking. */
  omits(label: string): boolean
  /** Whether the model of a cluster follows; see `Observing.model`. */
  readonly followsModel: boolean
  readonly demands: Demands
  /** Whether the execution is explained, so that what reports alone need is recorded. */
  readonly explains?: boolean
  /**
   * Registers the cluster that the body simulates; it is queried when the execution ends, however
   * it ends.
   */
  simulates(simulated: Simulated): void
  /** Virtual time since it began, in microseconds. */
  elapsedUs(): number
  note(label: string): void
  target(value: number, label: string): void
  /** Suspends fault injection until the returned function is called. */
  suspendFaults(): () => void
  /** Fails the execution and ends it, whatever the program catches. */
  fail(error: Error): never
  /** Makes the execution inconclusive and ends it, whatever the program catches. */
  refuse(reason: InconclusiveReason): never
}

/** Draws a value by chance. @param weights of the plan, if it has any */
export type Suggest = (chance: Chance, weights?: StepWeights) => number

/** A simulated cluster, as the execution sees it. */
export interface Simulated {
  observation(): ClusterObservation
  record(): ClusterRecord
  /**
   * The kind of failure of an error that the simulation itself threw; undefined for any other
   * error.
   */
  kindOf(error: unknown): FailureKind | undefined
  /** Whether every execution that ends by this error waits in real time. */
  takesRealTime(error: unknown): boolean
  /** The log, an entry a line. */
  lines(): readonly string[]
  /** Faults that were injected. */
  faults(): readonly InjectedFault[]
  /** Operations that could have met a fault. */
  readonly faultPoints: number
  /** The number of nodes. */
  readonly nodes: number
}

/** Generates a value from a random source: an arbitrary, or a property as a whole. */
export interface Generator<Value> {
  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<unknown> | fc.Value<Value>
}

/** Or what makes it. */
let current: CurrentExecution | (() => CurrentExecution) | undefined

/**
 * Begins an execution, or ends it (undefined).
 *
 * @param making makes it at its first use: most bodies call none of its functions
 */
export function setCurrentExecution(making: (() => CurrentExecution) | undefined): void {
  current = making
}

export function activeExecution(): CurrentExecution | undefined {
  if (typeof current === 'function') current = current()
  return current
}

export function currentExecution(caller: string): CurrentExecution {
  const current = activeExecution()
  if (current === undefined) throw new Error(`${caller}() must be called inside the body of a property`)
  return current
}

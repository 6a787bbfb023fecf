/** The execution whose body is running, for the functions that a body calls. One at a time in a process. */
import type fc from 'fast-check'
import type { ClusterRecord } from '../contract/cluster-record.ts'
import type { InjectedFault } from '../contract/execution.ts'
import type { ClusterObservation } from '../contract/observation.ts'
import type { Chance } from '../tape/chance.ts'

export interface CurrentExecution {
  draw<Value>(arbitrary: fc.Arbitrary<Value>, label: string): Value
  /**
   * A value that a property asserted in the body is called with.
   *
   * @param example what it is instead of a generated value
   */
  generate<Value>(generator: Generator<Value>, label: string, example?: { readonly value: unknown }): Value
  /** Which of the examples is asked for; undefined if the input is generated or saved. */
  readonly example: number | undefined
  /** Notes that the body asserts a property, and how many examples it has; how many it has asserted, with this one. */
  assert(examples: number): number
  /** A seed for something that draws random numbers of its own. */
  seed(label: string): number
  /** The input does not meet what the property requires: the execution says nothing of it. */
  discard(): void
  outOfEntropy(): boolean
  /** Draws a choice of the schedule, 0..max. @param suggest what to take by chance */
  schedule(label: string, max: number, suggest: (chance: Chance) => number): number
  /** A cluster was simulated, or is about to be: what it showed is asked for in the end, however that comes. */
  simulates(simulated: Simulated): void
  note(label: string): void
  target(value: number, label: string): void
  /** From here on nothing fails by an injected fault, until what this gives back is called. */
  calm(): () => void
}

/** What a simulated cluster shows of itself, once it has run. */
export interface Simulated {
  observation(): ClusterObservation
  record(): ClusterRecord
  /** What kind of failure an error is that came out of it, if it is one of its own. */
  kindOf(error: unknown): string | undefined
  /** Whether every execution that ends by this error waits in real time. */
  takesRealTime(error: unknown): boolean
  /** The log, an entry a line. */
  lines(): readonly string[]
  /** Faults that happened, and that could have at most. */
  faults(): readonly InjectedFault[]
  readonly faultPoints: number
  /** How many nodes there are. */
  readonly nodes: number
}

/** What makes a value of a random source: an arbitrary, or a property as a whole. */
export interface Generator<Value> {
  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<unknown> | fc.Value<Value>
}

let current: CurrentExecution | undefined

export function setCurrentExecution(execution: CurrentExecution | undefined): void {
  current = execution
}

export function activeExecution(): CurrentExecution | undefined {
  return current
}

export function currentExecution(caller: string): CurrentExecution {
  if (current === undefined) throw new Error(`${caller}() was called outside the body of a property`)
  return current
}

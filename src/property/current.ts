/** The execution whose body is running, for the functions that a body calls. One at a time in a process. */
import type fc from 'fast-check'

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
  note(label: string): void
  target(value: number, label: string): void
  /** From here on nothing fails by an injected fault, until what this gives back is called. */
  calm(): () => void
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

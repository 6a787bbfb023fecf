/** The execution whose body is running, for the functions that a body calls. One at a time in a process. */
import type fc from 'fast-check'

export interface CurrentExecution {
  draw<Value>(arbitrary: fc.Arbitrary<Value>, label: string): Value
  outOfEntropy(): boolean
  note(label: string): void
  target(value: number, label: string): void
  /** From here on nothing fails by an injected fault, until what this gives back is called. */
  calm(): () => void
}

let current: CurrentExecution | undefined

export function setCurrentExecution(execution: CurrentExecution | undefined): void {
  current = execution
}

export function currentExecution(caller: string): CurrentExecution {
  if (current === undefined) throw new Error(`${caller}() was called outside the body of a property`)
  return current
}

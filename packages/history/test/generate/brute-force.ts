/** A reference that tries every order: slow beyond about eight operations, and obviously right. */
import type { History, Operation } from '../../src/history/operation.ts'
import { type ObjectModel, States } from '../../src/models/model.ts'

/**
 * Whether some order of the operations that were `ok`, with or without each one that is `unknown`, is
 * allowed by the model and by the order of time, or of each process.
 */
export function isLinearizableByBruteForce<State, Input, Output>(
  { operations }: History<Input, Output>,
  model: ObjectModel<State, Input, Output>,
  consistency: 'linearizable' | 'sequential' = 'linearizable',
): boolean {
  const left = new Set(operations.filter(({ outcome }) => outcome !== 'fail'))
  const comesFirst = consistency === 'linearizable' ? precedes : precedesInProcess(operations)
  const search = (states: ReadonlyMap<unknown, State>): boolean => {
    if ([...left].every(({ outcome }) => outcome === 'unknown')) return true
    for (const operation of [...left]) {
      if ([...left].some((other) => other.outcome === 'ok' && comesFirst(other, operation))) continue
      const part = model.partition?.(operation.input)
      const state = states.has(part) ? states.get(part)! : model.init()
      left.delete(operation)
      const isKnown = operation.outcome === 'ok'
      const next = model.step(state, operation.input, isKnown ? operation.output : undefined, isKnown)
      const all = next instanceof States ? next.states : next === undefined ? [] : [next]
      if (all.some((one) => search(new Map(states).set(part, one)))) return true
      left.add(operation)
    }
    return false
  }
  return search(new Map())
}

/** In real time; intervals are closed. */
export function precedes(a: Operation, b: Operation): boolean {
  return a.return < b.call
}

export function precedesInProcess(operations: readonly Operation[]): (a: Operation, b: Operation) => boolean {
  const places = new Map(operations.map((operation, place) => [operation, place]))
  return (a, b) => a.process === b.process && places.get(a)! < places.get(b)!
}

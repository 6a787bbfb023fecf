/** The definition of linearizability, word by word, for histories of a few operations. */
import type { Operation } from '../../src/history/operation.ts'
import { type ObjectModel, States } from '../../src/models/model.ts'

/**
 * @param mustPrecede whether one operation has to stand before another
 */
export function hasOrder(
  operations: readonly Operation[],
  model: ObjectModel,
  mustPrecede: (a: Operation, b: Operation) => boolean = (a, b) => a.return < b.call,
): boolean {
  const groups = Map.groupBy(operations, ({ input }) => JSON.stringify(model.partition?.(input) ?? null))
  const init = new Map([...groups.keys()].map((key) => [key, model.init()]))
  const extend = (states: ReadonlyMap<string, unknown>, done: ReadonlySet<Operation>): boolean => {
    const isDone = (operation: Operation) => done.has(operation) || operation.outcome !== 'ok'
    if (operations.every(isDone)) return true
    for (const operation of operations) {
      if (done.has(operation) || operation.outcome === 'fail') continue
      if (operations.some((other) => !isDone(other) && other !== operation && mustPrecede(other, operation))) continue
      const key = JSON.stringify(model.partition?.(operation.input) ?? null)
      const after = model.step(states.get(key), operation.input, operation.output, operation.outcome === 'ok')
      if (after === undefined) continue
      for (const state of after instanceof States ? after.states : [after])
        if (extend(new Map(states).set(key, state), new Set(done).add(operation))) return true
    }
    return false
  }
  return extend(init, new Set())
}

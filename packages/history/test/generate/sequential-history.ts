/** Histories that are sequentially consistent by construction, and mostly not linearizable. */
import type { History, Operation } from '../../src/history/operation.ts'
import type { ModelInput } from '../../src/models/inputs.ts'
import { type HistoryOptions, linearizableHistory } from './linearizable-history.ts'
import type { Random } from './random.ts'

/**
 * A linearizable history whose processes were shifted in time against each other: each keeps the order of
 * its events, which is all that sequential consistency asks for (Lamport 1979).
 */
export function sequentialHistory(random: Random, options: HistoryOptions): History<ModelInput, unknown> {
  const { operations } = linearizableHistory(random, options)
  const left = [...Map.groupBy(operations, ({ process }) => process).values()].map((own) =>
    own.flatMap((operation) => [
      { operation, end: 'call' as const },
      ...(operation.outcome === 'unknown' ? [] : [{ operation, end: 'return' as const }]),
    ]),
  )
  const times = new Map(operations.map((operation) => [operation, { call: 0, return: Number.POSITIVE_INFINITY }]))
  for (let clock = 0; left.length > 0; clock++) {
    const own = random.pick(left)
    const { operation, end } = own.shift()!
    times.get(operation)![end] = clock
    if (own.length === 0) left.splice(left.indexOf(own), 1)
  }
  return {
    operations: operations
      .map((operation): Operation<ModelInput, unknown> => ({ ...operation, ...times.get(operation)! }))
      .sort((a, b) => a.call - b.call),
  }
}

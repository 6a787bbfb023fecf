/** The operations of a history by the object that they work on. */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import type { ObjectModel } from '../models/model.ts'
import type { Automaton } from './automaton.ts'
import { column } from './column.ts'
import type { Intervals } from './interval-order.ts'

export interface Partition {
  /** What the model says that the operations belong to. */
  readonly key: unknown
  /** Indices in the history. Operations that cannot matter are left out. */
  readonly operations: readonly number[]
}

/** Leaves out what has failed, and reads of which nobody knows what they returned. */
export function partitionsOf(operations: readonly Operation[], model: ObjectModel): Partition[] {
  const partitions = new Map<unknown, { key: unknown; operations: number[] }>()
  for (let index = 0; index < operations.length; index++) {
    const { input } = operations[index]!
    if (!mayMatter(operations[index]!, model)) continue
    const name = partitionName(model, input)
    const partition = partitions.get(name)
    if (partition === undefined) partitions.set(name, { key: model.partition?.(input), operations: [index] })
    else partition.operations.push(index)
  }
  return [...partitions.values()]
}

/** False of what has failed, and of a read of which nobody knows what it returned. */
export function mayMatter({ input, outcome }: Operation, model: ObjectModel): boolean {
  return outcome === 'ok' || (outcome === 'unknown' && !model.isRead?.(input, undefined, false))
}

/** The object that an operation works on, as a value that can be compared with `===`. */
export function partitionName(model: ObjectModel, input: unknown): unknown {
  const key = model.partition?.(input)
  return typeof key === 'object' && key !== null ? `\0${canonical(key)}` : key
}

/** A partition's operations as columns, in its order. */
export function intervalsOf(
  operations: readonly Operation[],
  partition: readonly number[],
  automaton: Automaton,
): Intervals {
  const count = partition.length
  const intervals = {
    count,
    call: column(Float64Array, count),
    return: column(Float64Array, count),
    symbol: column(Int32Array, count),
    isOptional: column(Uint8Array, count),
  }
  for (let position = 0; position < count; position++) {
    const operation = operations[partition[position]!]!
    intervals.call[position] = operation.call
    intervals.return[position] = operation.return
    intervals.symbol[position] = automaton.symbol(operation)
    intervals.isOptional[position] = operation.outcome === 'unknown' ? 1 : 0
  }
  return intervals
}

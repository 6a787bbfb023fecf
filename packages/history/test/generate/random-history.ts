/** Small histories of any kind, about half of which are linearizable. */
import type { History, Operation } from '../../src/history/operation.ts'
import type { ModelInput } from '../../src/models/inputs.ts'
import { type HistoryOptions, linearizableHistory } from './linearizable-history.ts'
import type { Random } from './random.ts'

/**
 * A history that was linearizable until intervals were moved, also so that they touch, or outputs were
 * exchanged.
 */
export function randomHistory(random: Random, options: HistoryOptions): History<ModelInput, unknown> {
  const { operations } = linearizableHistory(random, options)
  const changes = random.below(6)
  let changed = operations
  for (let index = 0; index < changes; index++)
    changed = random.coin(0.5) ? withOtherOutput(random, changed) : withOtherTimes(random, changed)
  return { operations: [...changed].sort((a, b) => a.call - b.call) }
}

type Operations = readonly Operation<ModelInput, unknown>[]

/** An operation returns what another one of its kind did, or what was written. */
function withOtherOutput(random: Random, operations: Operations): Operations {
  const known = operations.filter(({ outcome, output }) => outcome === 'ok' && output !== undefined)
  if (known.length === 0) return operations
  const chosen = random.pick(known)
  const outputs = operations.flatMap(({ input, output }) => {
    if (input.f === chosen.input.f && output !== undefined) return [output]
    if (!('value' in input) || chosen.input.f === 'cas') return []
    return Array.isArray(chosen.output) ? [[input.value]] : [input.value]
  })
  const output = random.pick(outputs)
  return operations.map((operation) => (operation === chosen ? { ...chosen, output } : operation))
}

/** The events of the history happen at fewer times; each process still runs one operation at a time. */
function withOtherTimes(random: Random, operations: Operations): Operations {
  const chosen = random.pick(operations)
  const own = operations.filter(({ process }) => process === chosen.process)
  const at = own.indexOf(chosen)
  const before = own[at - 1]?.return ?? 0
  const end = Math.max(...operations.map((each) => (each.outcome === 'unknown' ? each.call : each.return)))
  const after = own[at + 1]?.call ?? end + 1
  const within = (from: number, to: number) => from + random.below(Math.max(1, to - from + 1))
  const isOpen = chosen.outcome === 'unknown'
  const call = Math.min(within(before, isOpen ? after : chosen.return), after)
  const moved = { ...chosen, call, return: isOpen ? chosen.return : within(Math.max(call, chosen.call), after) }
  return operations.map((operation) => (operation === chosen ? moved : operation))
}

/**
 * Sequential consistency: an order that keeps the order of each process and that the model allows.
 *
 * Unlike linearizability it is not local (Herlihy and Wing 1990, section 3.3): each object can be
 * sequentially consistent while together they are not, because the orders that two objects ask for
 * can contradict each other. So nothing is partitioned: the state is that of all objects.
 */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import { type ObjectModel, States } from '../models/model.ts'
import { Automaton } from './automaton.ts'
import type { Budget } from './budget.ts'
import { explanationOf } from './explanation.ts'
import type { Memory } from './memory.ts'
import { mayMatter, type Partition, partitionName, partitionsOf } from './partitions.ts'
import { type Program, ProgramOrderSearch } from './program-order.ts'
import type { LinearizabilityResult } from './result.ts'

/** Steps for making the window small, all in all. */
const STEPS = 200_000
/** Steps for each object by itself, in turns. */
const STEPS_OF_OBJECT = [2_000, 20_000]

/**
 * First looks for an object that is not sequentially consistent by itself: then the whole is not, and
 * an object has fewer operations and a smaller state. Then searches for an order of the whole.
 */
export function checkSequential(
  operations: readonly Operation[],
  model: ObjectModel,
  memory: Memory,
  budget: Budget,
): LinearizabilityResult {
  let objects: readonly Partition[] = partitionsOf(operations, model)
  const areSeveral = objects.length > 1
  if (areSeveral)
    for (const steps of STEPS_OF_OBJECT) {
      const undecided: Partition[] = []
      for (const object of objects) {
        const result = checkPartition(operations, object, model, memory, budget.part(steps))
        if (result.verdict === 'illegal') return result
        if (result.verdict === 'unknown') undecided.push(object)
      }
      objects = undecided
    }
  const indices = operations.flatMap((operation, index) => (mayMatter(operation, model) ? [index] : []))
  const whole = { key: undefined, operations: indices }
  return checkPartition(operations, whole, areSeveral ? ofAllObjects(model) : model, memory, budget)
}

function checkPartition(
  operations: readonly Operation[],
  { key, operations: indices }: Partition,
  model: ObjectModel,
  memory: Memory,
  budget: Budget,
): LinearizabilityResult {
  const automaton = new Automaton(model, memory)
  try {
    const mattering = indices.map((index) => operations[index]!)
    const search = new ProgramOrderSearch(programOf(mattering, automaton, new Set()), automaton, memory)
    const status = budget.run(search, Number.POSITIVE_INFINITY)
    search.release()
    if (status === 'ok') return { verdict: 'ok', linearizations: [search.order.map((position) => indices[position]!)] }
    if (status === 'out of memory') return { verdict: 'unknown', reason: memory.reason('the search') }
    if (status === 'out of steps') return { verdict: 'unknown', reason: budget.exhausted! }
    const needed = neededOf(mattering, automaton, memory, budget.part(STEPS))
    const members = needed.map((position) => mattering[position]!)
    const last = members.reduce((a, b) => (b.return > a.return ? b : a))
    return {
      verdict: 'illegal',
      partition: key,
      window: {
        from: Math.min(...members.map(({ call }) => call)),
        to: last.return,
        operations: needed.map((position) => indices[position]!),
      },
      longest: [search.longest.map((position) => indices[position]!)],
      explanation: explanationOf(last, members, false, [], model),
    }
  } finally {
    automaton.release()
  }
}

/** The operations that remain if as many as possible may have had any outcome, in large parts first. */
function neededOf(operations: readonly Operation[], automaton: Automaton, memory: Memory, budget: Budget): number[] {
  let free: ReadonlySet<number> = new Set()
  const required = () =>
    [...operations.keys()].filter((position) => operations[position]!.outcome === 'ok' && !free.has(position))
  for (let size = required().length; size >= 1 && budget.exhausted === undefined; size >>= 1) {
    const parts = required()
    for (let at = 0; at < parts.length && budget.exhausted === undefined; at += size) {
      const freer = new Set([...free, ...parts.slice(at, at + size)])
      const search = new ProgramOrderSearch(programOf(operations, automaton, freer), automaton, memory)
      if (budget.run(search, STEPS) === 'illegal') free = freer
      search.release()
    }
  }
  return required()
}

function programOf(operations: readonly Operation[], automaton: Automaton, free: ReadonlySet<number>): Program {
  const processes = new Map<number | string, number>()
  const items = operations.map((operation, position) => {
    const { process } = operation
    if (!processes.has(process)) processes.set(process, processes.size)
    const known: Operation = free.has(position) ? { ...operation, outcome: 'unknown' } : operation
    return { process: processes.get(process)!, symbol: automaton.symbol(known), isKnown: known.outcome === 'ok' }
  })
  return {
    count: items.length,
    process: Int32Array.from(items, ({ process }) => process),
    symbol: Int32Array.from(items, ({ symbol }) => symbol),
    isOptional: Uint8Array.from(items, ({ isKnown }) => (isKnown ? 0 : 1)),
  }
}

type StateOfAll = ReadonlyMap<unknown, unknown>

/** The model of all objects at once. */
function ofAllObjects(model: ObjectModel): ObjectModel<StateOfAll, unknown, unknown> {
  const { partition } = model
  if (partition === undefined) return model as ObjectModel<StateOfAll, unknown, unknown>
  const keyOf = model.key?.bind(model) ?? ((state: unknown) => state)
  return {
    name: model.name,
    init: () => new Map(),
    step(state, input, output, isKnown) {
      const name = partitionName(model, input)
      const before = state.has(name) ? state.get(name) : model.init()
      const after = model.step(before, input, output, isKnown)
      if (after === undefined) return undefined
      const wrap = (one: unknown): StateOfAll => (one === before ? state : new Map(state).set(name, one))
      return after instanceof States ? new States(after.states.map(wrap)) : wrap(after)
    },
    key: (state) => canonical(new Map([...state].map(([name, one]) => [name, keyOf(one)]))),
    ...(model.isRead && { isRead: model.isRead.bind(model) }),
    ...(model.describe && { describe: model.describe.bind(model) }),
  }
}

/** Whether a history is linearizable. */
import type { History, Operation } from '../history/operation.ts'
import type { ObjectModel } from '../models/model.ts'
import { Automaton } from './automaton.ts'
import { Budget } from './budget.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import { explanationOf } from './explanation.ts'
import { type Intervals, intervalOrder } from './interval-order.ts'
import { Memory } from './memory.ts'
import { intervalsOf, type Partition, partitionsOf } from './partitions.ts'
import type { IllegalResult, LinearizabilityOptions, LinearizabilityResult } from './result.ts'
import { Search, type SearchStatus } from './search.ts'
import { checkSequential } from './sequential.ts'
import { illegalWindow } from './window.ts'

/** A partition's first share of steps, and how fast the shares grow. */
const FIRST_SHARE = 2_000
const GROWTH = 8
/** How long to search operations that are known to contradict each other. */
const STEPS_OF_CONTRADICTION = 50_000
/** How long to look for a linearization, of a history that need only be sequentially consistent. */
const STEPS_BEFORE_SEQUENTIAL = 1_000_000

/**
 * Whether the operations of a history can be put in an order that keeps the order of time and that
 * the model allows (Herlihy and Wing, "Linearizability", 1990); or the order of each process, if
 * that is asked for.
 *
 * Searches the partitions in turns, with shares of steps that grow: the first one that is illegal
 * ends the check, and none holds up the others or keeps its memory until they are done.
 *
 * @throws what the model throws
 */
export function checkLinearizable<State, Input, Output>(
  history: History<Input, Output>,
  model: ObjectModel<State, Input, Output>,
  options: LinearizabilityOptions = {},
): LinearizabilityResult {
  const { operations } = history
  const memory = new Memory((options.memoryMb ?? 1024) * 2 ** 20)
  const budget = new Budget(options)
  if (options.consistency !== 'sequential') return searchPartitions(operations, model, memory, budget)
  // What is linearizable keeps the order of processes too, and is found faster: object by object.
  if (keepsProgramOrder(operations)) {
    const steps = Math.min(options.steps ?? Number.POSITIVE_INFINITY, STEPS_BEFORE_SEQUENTIAL)
    const result = searchPartitions(operations, model, memory, new Budget({ ...options, steps }))
    if (result.verdict === 'ok') return result
  }
  return checkSequential(operations, model, memory, budget)
}

/** Whether no operation of a process touches its next one: the order of time has that of processes. */
function keepsProgramOrder(operations: readonly Operation[]): boolean {
  const returned = new Map<number | string, number>()
  return operations.every((operation) => {
    const before = returned.get(operation.process)
    returned.set(operation.process, operation.outcome === 'ok' ? operation.return : Number.NEGATIVE_INFINITY)
    return before === undefined || before < operation.call
  })
}

function searchPartitions(
  operations: readonly Operation[],
  model: ObjectModel,
  memory: Memory,
  budget: Budget,
): LinearizabilityResult {
  const partitions = partitionsOf(operations, model)
  const linearizations: number[][] = partitions.map(() => [])
  let waiting = partitions.map((partition, index) => new Check(index, partition, operations, model, memory))
  let overflown: Check | undefined
  for (let share = FIRST_SHARE; waiting.length > 0; share *= GROWTH) {
    const next: Check[] = []
    for (const check of waiting) {
      const status = check.run(share, budget)
      if (status === 'illegal') return check.explain()
      if (status === 'ok') linearizations[check.index] = check.linearization
      else if (status === 'out of memory') overflown = check
      else next.push(check)
      if (budget.exhausted !== undefined) return { verdict: 'unknown', reason: budget.exhausted }
    }
    waiting = next
  }
  if (overflown === undefined) return { verdict: 'ok', linearizations }
  return { verdict: 'unknown', reason: memory.reason(overflown.name) }
}

/** The check of one partition. */
class Check {
  readonly index: number
  readonly #partition: Partition
  readonly #operations: readonly Operation[]
  readonly #model: ObjectModel
  readonly #memory: Memory
  #running: { automaton: Automaton; intervals: Intervals; search: Search } | undefined
  #isDecided = false
  /** Operations that contradict each other, by an algorithm other than the search. */
  #contradiction: readonly number[] | undefined
  linearization: number[] = []

  constructor(
    index: number,
    partition: Partition,
    operations: readonly Operation[],
    model: ObjectModel,
    memory: Memory,
  ) {
    this.index = index
    this.#partition = partition
    this.#operations = operations
    this.#model = model
    this.#memory = memory
  }

  /** For people. */
  get name(): string {
    const { key } = this.#partition
    return key === undefined ? 'the search' : `the search of key ${JSON.stringify(key)}`
  }

  run(steps: number, budget: Budget): SearchStatus {
    // Most searches end soon, and find an order or the smallest window.
    if (this.#running !== undefined && !this.#isDecided) {
      this.#isDecided = true
      const decision = decide(this.#mattering, this.#model)
      if (decision !== undefined) return this.#endWith(decision)
    }
    const { search } = (this.#running ??= this.#start())
    const status = budget.run(search, steps)
    if (status === 'ok') {
      this.linearization = search.linearization.map((position) => this.#partition.operations[position]!)
    }
    if (status === 'ok' || status === 'out of memory') this.#end()
    return status
  }

  /** Of one that is illegal. */
  explain(): IllegalResult {
    if (this.#contradiction !== undefined) return this.#explainContradiction(this.#contradiction)
    const { automaton, intervals, search } = this.#running!
    search.release()
    const { key, operations: indices } = this.#partition
    const of = (position: number) => this.#operations[indices[position]!]!
    const { last, positions, isFromAnyState, longest } = illegalWindow(
      this.#mattering,
      intervals,
      search.blocked,
      automaton,
      this.#memory,
    )
    const states = longest.flatMap(({ state }) => automaton.values(state))
    return {
      verdict: 'illegal',
      partition: key,
      window: {
        from: of(positions[0]!).call,
        to: of(last).return,
        operations: positions.map((position) => indices[position]!),
      },
      longest: longest.map(({ order }) => order.map((position) => indices[position]!)),
      explanation: explanationOf(of(last), positions.map(of), isFromAnyState, states, this.#model),
    }
  }

  get #mattering(): readonly Operation[] {
    return this.#partition.operations.map((index) => this.#operations[index]!)
  }

  #endWith(decision: Decision): SearchStatus {
    this.#end()
    const indices = this.#partition.operations
    if (decision.verdict === 'ok') this.linearization = (decision.order ?? []).map((position) => indices[position]!)
    else this.#contradiction = decision.operations.map((position) => indices[position]!)
    return decision.verdict
  }

  #end(): void {
    this.#running?.search.release()
    this.#running?.automaton.release()
    this.#running = undefined
  }

  /** Few operations, of which a search shows more than that they contradict each other. */
  #explainContradiction(operations: readonly number[]): IllegalResult {
    const { key } = this.#partition
    const check = new Check(this.index, { key, operations }, this.#operations, this.#model, this.#memory)
    if (check.run(STEPS_OF_CONTRADICTION, new Budget({ steps: STEPS_OF_CONTRADICTION })) === 'illegal')
      return check.explain()
    const members = operations.map((index) => this.#operations[index]!)
    const last = members.reduce((a, b) => (b.return > a.return ? b : a))
    return {
      verdict: 'illegal',
      partition: key,
      window: { from: Math.min(...members.map(({ call }) => call)), to: last.return, operations },
      longest: [],
      explanation: explanationOf(last, members, true, [], this.#model),
    }
  }

  #start() {
    const automaton = new Automaton(this.#model, this.#memory)
    const intervals = intervalsOf(this.#operations, this.#partition.operations, automaton)
    const order = intervalOrder(intervals)
    const search = new Search(order, automaton, [automaton.initial()], this.#memory)
    return { automaton, intervals, search }
  }
}

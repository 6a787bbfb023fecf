/** Whether a history is linearizable. */
import type { History, Operation } from '../history/operation.ts'
import { assertModel, type ObjectModel } from '../models/model.ts'
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
/** How long to look for an order of what comes before operations that contradict each other. */
const STEPS_OF_CONTRADICTION = 50_000
/** Of the columns of a search, and of what an algorithm for a kind of object keeps. */
const BYTES_OF_AN_OPERATION = 200
/** How long to look for a linearization, of a history that need only be sequentially consistent. */
const STEPS_BEFORE_SEQUENTIAL = 1_000_000
/** The share of the memory for that: it may not have been collected when the next search needs its own. */
const SHARE_BEFORE_SEQUENTIAL = 0.25

/**
 * Whether the operations of a history can be put in an order that keeps the order of time and that
 * the model allows (Herlihy and Wing, "Linearizability", 1990); or the order of each process, if
 * that is asked for.
 *
 * Searches the partitions in turns, with shares of steps that grow: the first one that is illegal
 * ends the check, and none holds up the others or keeps its memory until they are done.
 *
 * @throws ModelError if the model is wrong
 * @public
 */
export function checkLinearizable<State, Input, Output>(
  history: History<Input, Output>,
  model: ObjectModel<State, Input, Output>,
  options: LinearizabilityOptions = {},
): LinearizabilityResult {
  assertModel(model as ObjectModel)
  const { operations } = history
  const bytes = (options.memoryMb ?? 1024) * 2 ** 20
  const budget = new Budget(options)
  if (options.consistency !== 'sequential') return searchPartitions(operations, model, new Memory(bytes), budget)
  // What is linearizable keeps the order of processes too, and is found faster: object by object.
  if (keepsProgramOrder(operations)) {
    const steps = Math.min(options.steps ?? Number.POSITIVE_INFINITY, STEPS_BEFORE_SEQUENTIAL)
    const memory = new Memory(bytes * SHARE_BEFORE_SEQUENTIAL)
    const result = searchPartitions(operations, model, memory, new Budget({ ...options, steps }))
    if (result.verdict === 'ok') return result
  }
  return checkSequential(operations, model, new Memory(bytes * (1 - SHARE_BEFORE_SEQUENTIAL)), budget)
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

type Explained = Pick<IllegalResult, 'window' | 'longest' | 'explanation'>

/** What `compute` returns; forgets it, and what it holds, when it has been called. */
function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined
  let left: (() => Value) | undefined = compute
  return () => {
    if (left !== undefined) {
      value = left()
      left = undefined
    }
    return value as Value
  }
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
    // Most searches of few operations end soon, and find an order or the smallest window.
    const isLarge = this.#running !== undefined || this.#partition.operations.length > FIRST_SHARE
    if (isLarge && !this.#isDecided) {
      this.#isDecided = true
      const bytes = BYTES_OF_AN_OPERATION * this.#partition.operations.length
      if (this.#memory.take(bytes)) {
        const decision = decide(this.#mattering, this.#model)
        this.#memory.release(bytes)
        if (decision !== undefined) return this.#endWith(decision)
      }
    }
    const { search } = (this.#running ??= this.#start())
    const status = budget.run(search, steps)
    if (status === 'ok') {
      this.linearization = search.linearization.map((position) => this.#partition.operations[position]!)
    }
    if (status === 'ok' || status === 'out of memory') this.#end()
    return status
  }

  /** Of one that is illegal. Explains it when that is first asked for: it can take as long as the search. */
  explain(): IllegalResult {
    this.#running?.search.release()
    const explained = once(() =>
      this.#contradiction === undefined ? this.#explainSearch() : this.#explainContradiction(this.#contradiction),
    )
    return {
      verdict: 'illegal',
      partition: this.#partition.key,
      get window() {
        return explained().window
      },
      get longest() {
        return explained().longest
      },
      get explanation() {
        return explained().explanation
      },
    }
  }

  #explainSearch(): Explained {
    const { automaton, intervals, search } = this.#running!
    const indices = this.#partition.operations
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
    if (this.#running === undefined) return
    this.#running.search.release()
    this.#running.automaton.release()
    this.#memory.release(BYTES_OF_AN_OPERATION * this.#running.intervals.count)
    this.#running = undefined
  }

  /** @param operations that cannot be ordered, whatever the others do */
  #explainContradiction(operations: readonly number[]): Explained {
    const members = operations.map((index) => this.#operations[index]!)
    const last = members.reduce((a, b) => (b.return > a.return ? b : a))
    const { order, states } = this.#orderBefore(last)
    return {
      window: { from: Math.min(...members.map(({ call }) => call)), to: last.return, operations },
      longest: order.length === 0 ? [] : [order],
      explanation: explanationOf(last, members, true, states, this.#model),
    }
  }

  /** An order of what has returned before an operation, as far as a search of bounded length gets. */
  #orderBefore(last: Operation): { readonly order: number[]; readonly states: readonly unknown[] } {
    const before = this.#partition.operations.filter((index) => this.#operations[index]!.call < last.return)
    const operations = before.map((index): Operation => {
      const operation = this.#operations[index]!
      return operation.return < last.return ? operation : { ...operation, outcome: 'unknown' }
    })
    const automaton = new Automaton(this.#model, this.#memory)
    const intervals = intervalsOf(operations, [...operations.keys()], automaton)
    const search = new Search(intervalOrder(intervals), automaton, [automaton.initial()], this.#memory)
    const status = new Budget({ steps: STEPS_OF_CONTRADICTION }).run(search, STEPS_OF_CONTRADICTION)
    const order = search.linearization.map((position) => before[position]!)
    const states = status === 'ok' ? automaton.values(search.state) : []
    search.release()
    automaton.release()
    return { order, states }
  }

  #start() {
    const automaton = new Automaton(this.#model, this.#memory)
    this.#memory.count(BYTES_OF_AN_OPERATION * this.#partition.operations.length)
    const intervals = intervalsOf(this.#operations, this.#partition.operations, automaton)
    const order = intervalOrder(intervals)
    const search = new Search(order, automaton, [automaton.initial()], this.#memory)
    return { automaton, intervals, search }
  }
}

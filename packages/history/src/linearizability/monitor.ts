/** Checks the linearizability of a history while it happens. */
import type { History, Operation, Outcome } from '../history/operation.ts'
import { assertModel, ModelError, type ObjectModel } from '../models/model.ts'
import { Automaton } from './automaton.ts'
import { checkLinearizable } from './check.ts'
import { explanationOf } from './explanation.ts'
import { IncrementalSearch } from './incremental-search.ts'
import { Memory } from './memory.ts'
import { partitionName } from './partitions.ts'
import type { IllegalResult, LinearizabilityOptions, LinearizabilityResult, UnknownResult } from './result.ts'

/** @public */
export type MonitorOptions = Pick<LinearizabilityOptions, 'memoryMb' | 'steps'>

/** Bound on the steps that look for the smallest window of an illegal history. */
const STEPS_OF_THE_WINDOW = 2_000_000

/** One independent object. */
interface Part {
  readonly key: unknown
  readonly search: IncrementalSearch
  /** The indices of its operations in the history. */
  readonly indices: number[]
}

interface Open {
  readonly index: number
  readonly part: Part
  readonly number: number
}

/**
 * Is told of calls and returns as they happen, and tells the first operation by whose return the
 * history is not linearizable. Its verdict is that of `checkLinearizable` for what has happened so
 * far, where operations that have not returned have an unknown outcome; it costs little as long as
 * operations take effect about in the order in which they return.
 *
 * ```ts
 * const monitor = new LinearizabilityMonitor(MODELS.register)
 * monitor.call('a', 1, { f: 'write', value: 3 })
 * monitor.call('b', 2, { f: 'read' })
 * monitor.return('b', 4) // { verdict: 'illegal', explanation: 'no order explains read() = 4 ...' }
 * ```
 *
 * @public
 */
export class LinearizabilityMonitor<State = unknown, Input = unknown, Output = unknown> {
  readonly #model: ObjectModel
  readonly #options: MonitorOptions
  readonly #memory: Memory
  readonly #automaton: Automaton
  readonly #parts = new Map<unknown, Part>()
  readonly #operations: Operation<Input, Output>[] = []
  readonly #open = new Map<unknown, Open>()
  #now = 0
  #steps: number
  #final: IllegalResult | UnknownResult | undefined

  /** @throws ModelError if it is none */
  constructor(model: ObjectModel<State, Input, Output>, options: MonitorOptions = {}) {
    assertModel(model as ObjectModel)
    this.#model = model as ObjectModel
    this.#options = options
    this.#memory = new Memory((options.memoryMb ?? 1024) * 2 ** 20)
    this.#automaton = new Automaton(this.#model, this.#memory)
    this.#steps = options.steps ?? Number.POSITIVE_INFINITY
  }

  /**
   * An operation is called.
   *
   * @param id any value that no other open operation has
   * @throws Error if an operation with this id has not returned
   */
  call(id: unknown, process: number | string, input: Input): void {
    if (this.#open.has(id)) throw new Error(`operation ${String(id)} is called again before it has returned`)
    const model = this.#model
    const operation: Operation<Input, Output> = {
      process,
      input,
      output: undefined,
      outcome: 'unknown',
      call: this.#now++,
      return: Number.POSITIVE_INFINITY,
    }
    const index = this.#operations.push(operation) - 1
    const part = this.#partOf(input)
    const number = part.search.call(operation, model.isRead?.(input, undefined, false) ?? false)
    part.indices.push(index)
    this.#open.set(id, { index, part, number })
  }

  /**
   * An operation returns, or fails, or it is known that nobody will know.
   *
   * @param output read if the outcome is `ok`
   * @returns why the history is illegal, from the first return by which it is on; undefined otherwise
   * @throws Error if no such operation is open; ModelError if the model is wrong
   */
  return(id: unknown, output: Output | undefined, outcome: Outcome = 'ok'): IllegalResult | undefined {
    const open = this.#open.get(id)
    if (open === undefined) throw new Error(`operation ${String(id)} returns, but is not called`)
    this.#open.delete(id)
    const { index, part, number } = open
    const at = this.#now++
    const operation: Operation<Input, Output> = {
      ...this.#operations[index]!,
      output: outcome === 'ok' ? output : undefined,
      outcome,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : at,
    }
    this.#operations[index] = operation
    if (this.#final !== undefined) return this.#final.verdict === 'illegal' ? this.#final : undefined
    const before = part.search.steps
    const status = part.search.return(number, operation, before + this.#steps)
    this.#steps -= part.search.steps - before
    if (status === 'illegal') {
      this.#final = this.#explain(part, number)
      return this.#final
    }
    if (status === 'out of steps')
      this.#final = {
        verdict: 'unknown',
        reason: `the search is not done after ${this.#options.steps} steps: raise the bound on steps`,
      }
    else if (status === 'out of memory' || this.#memory.isExceeded)
      this.#final = { verdict: 'unknown', reason: this.#memory.reason('the search') }
    return undefined
  }

  /** What ran out, from then on; undefined if nothing has. */
  get undecided(): string | undefined {
    return this.#final?.verdict === 'unknown' ? this.#final.reason : undefined
  }

  /** The verdict so far. */
  result(): LinearizabilityResult {
    if (this.#final !== undefined) return this.#final
    const parts = [...this.#parts.values()]
    return {
      verdict: 'ok',
      linearizations: parts.map(({ search, indices }) => search.order.map((number) => indices[number]!)),
    }
  }

  /** What has happened so far, which indices of operations in results are of. */
  history(): History<Input, Output> {
    return { operations: [...this.#operations] }
  }

  #partOf(input: Input): Part {
    const name = partitionName(this.#model, input)
    let part = this.#parts.get(name)
    if (part === undefined) {
      const search = new IncrementalSearch(this.#automaton, this.#memory)
      part = { key: this.#model.partition?.(input), search, indices: [] }
      this.#parts.set(name, part)
    }
    return part
  }

  /** @param last the operation by whose return the part is illegal */
  #explain({ key, search, indices }: Part, last: number): IllegalResult {
    const { operations } = search
    const result = checkLinearizable({ operations }, this.#model, {
      memoryMb: this.#options.memoryMb,
      steps: STEPS_OF_THE_WINDOW,
    })
    const inHistory = (numbers: readonly number[]) => numbers.map((number) => indices[number]!)
    if (result.verdict === 'illegal') {
      const { window, longest } = result
      return {
        ...result,
        window: { ...window, operations: inHistory(window.operations) },
        longest: longest.map(inHistory),
      }
    }
    if (result.verdict === 'ok')
      throw new ModelError(
        `model ${this.#model.name}: an operation leads to a state if its output is known, but not if it is not: ` +
          'step with isKnown false must lead to all states that some output leads to',
      )
    const operation = operations[last]!
    return {
      verdict: 'illegal',
      partition: key,
      window: { from: operation.call, to: operation.return, operations: inHistory([last]) },
      longest: [],
      explanation: explanationOf(operation, [operation], false, [], this.#model),
    }
  }
}

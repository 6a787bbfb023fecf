/**
 * Builds a history while operations happen.
 *
 * One counter numbers the calls and ends in the order in which they happen, so a history is the same
 * whenever the program runs the same, and no clock decides what was concurrent.
 */
import { HistoryError } from './history-error.ts'
import type { History, Operation, Outcome } from './operation.ts'

/**
 * How an operation ended.
 *
 * @public
 */
export type End<Output = unknown> =
  | { readonly outcome: 'ok'; readonly output?: Output }
  | { readonly outcome: 'fail' | 'unknown' }

/**
 * Learns of operations as they happen. What it throws ends the call.
 *
 * @public
 */
export interface HistoryWatch<Input = unknown, Output = unknown> {
  /** @param index of the operation in the history */
  called(operation: Operation<Input, Output>, index: number): void
  /** Its outcome is known now; not called if it ends with an unknown outcome. */
  ended(operation: Operation<Input, Output>, index: number): void
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/**
 * A history as it grows.
 *
 * @public
 */
export class HistoryRecorder<Input = unknown, Output = unknown> {
  readonly #operations: Mutable<Operation<Input, Output>>[] = []
  /** Processes with an operation that has not ended. */
  readonly #busy = new Set<number | string>()
  /** Processes with an operation that may still take effect, although nobody waits for it. */
  readonly #retired = new Set<number | string>()
  /** Processes that callers have named. */
  readonly #named = new Set<number | string>()
  /** Processes that the recorder has numbered, and that are free again. */
  readonly #free: number[] = []
  #numbers = 0
  #now = 0
  readonly #watch: HistoryWatch<Input, Output> | undefined

  constructor(watch?: HistoryWatch<Input, Output>) {
    this.#watch = watch
  }

  /** So far; operations that have not ended are unknown. */
  history(): History<Input, Output> {
    return { operations: this.#operations.map((operation) => ({ ...operation })) }
  }

  /** Whether a process can call: it waits for no operation, and none of its own is unknown. */
  isFree(process: number | string): boolean {
    return !this.#busy.has(process) && !this.#retired.has(process)
  }

  /**
   * @param named a process; by default one that is free, and that goes on only while its outcomes are known
   * @returns the index of the operation
   * @throws HistoryError if the process waits for an operation
   */
  call(input: Input, named?: number | string): number {
    const process = named ?? this.#anyProcess()
    if (named !== undefined) this.#named.add(named)
    if (this.#busy.has(process))
      throw new HistoryError(
        `process ${process} calls an operation before its last one has ended: use a process for each`,
      )
    this.#busy.add(process)
    const call = this.#now++
    const open = { output: undefined, outcome: 'unknown', return: Number.POSITIVE_INFINITY } as const
    const operation: Operation<Input, Output> = { process, input, ...open, call }
    const index = this.#operations.push(operation) - 1
    this.#watch?.called(operation, index)
    return index
  }

  /** @param index as `call` returned it; an operation ends once */
  end(index: number, end: End<Output>): void {
    const operation = this.#operations[index]!
    const { process } = operation
    this.#busy.delete(process)
    const at = this.#now++
    if (end.outcome === 'unknown') {
      this.#retired.add(process)
      return
    }
    if (!this.#named.has(process)) this.#free.push(process as number)
    operation.outcome = end.outcome satisfies Outcome
    operation.return = at
    if (end.outcome === 'ok') operation.output = end.output
    this.#watch?.ended(operation, index)
  }

  #anyProcess(): number {
    let process = this.#free.pop() ?? this.#numbers++
    while (this.#named.has(process)) process = this.#free.pop() ?? this.#numbers++
    return process
  }
}

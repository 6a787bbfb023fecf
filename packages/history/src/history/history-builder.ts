/** Pairs the events of a log into operations. */
import type { HistoryEvent } from './event.ts'
import { HistoryError } from './history-error.ts'
import type { Operation, Outcome } from './operation.ts'

/**
 * What a call and its end say: the input, and the output if the outcome is `ok`.
 *
 * @public
 */
export type Reading<Input, Output> = (
  call: HistoryEvent,
  end: HistoryEvent | undefined,
) => { readonly input: Input; readonly output?: Output }

const OUTCOMES: Readonly<Record<Exclude<HistoryEvent['type'], 'invoke'>, Outcome>> = {
  ok: 'ok',
  fail: 'fail',
  info: 'unknown',
}

/**
 * Makes a history of events: calls, and their ends.
 *
 * Events come in the order of the log, and an operation's call and return are the positions of its
 * events. A call without an end has an unknown outcome.
 *
 * @public
 */
export class HistoryBuilder<Input, Output> {
  readonly #read: Reading<Input, Output>
  readonly #operations: (Operation<Input, Output> | undefined)[] = []
  readonly #open = new Map<number | string, { call: HistoryEvent; at: number; index: number }>()
  #events = 0

  constructor(read: Reading<Input, Output>) {
    this.#read = read
  }

  /** @throws HistoryError if the process cannot do that now */
  add(event: HistoryEvent): void {
    const at = this.#events++
    const { process, line } = event
    const open = this.#open.get(process)
    if (event.type === 'invoke') {
      if (open !== undefined) {
        const since = open.call.line === undefined ? '' : `, called in line ${open.call.line}`
        throw new HistoryError(
          `process ${process} calls ${event.f} before its ${open.call.f} has ended${since}; a process runs one operation at a time`,
          line,
        )
      }
      this.#open.set(process, { call: event, at, index: this.#operations.push(undefined) - 1 })
      return
    }
    if (open === undefined)
      throw new HistoryError(`process ${process} returns from ${event.f}, which it has not called`, line)
    if (open.call.f !== event.f)
      throw new HistoryError(`process ${process} returns from ${event.f}, but it has called ${open.call.f}`, line)
    this.#open.delete(process)
    this.#close(open, event, at)
  }

  /** The operations in the order of their calls; open calls have an unknown outcome. */
  end(): Operation<Input, Output>[] {
    for (const open of this.#open.values()) this.#close(open, undefined, Number.POSITIVE_INFINITY)
    this.#open.clear()
    return this.#operations as Operation<Input, Output>[]
  }

  #close(open: { call: HistoryEvent; at: number; index: number }, end: HistoryEvent | undefined, at: number): void {
    const { call } = open
    const outcome = end === undefined ? 'unknown' : OUTCOMES[end.type as keyof typeof OUTCOMES]
    const { input, output } = this.#read(call, end)
    this.#operations[open.index] = {
      process: call.process,
      input,
      output: outcome === 'ok' ? output : undefined,
      outcome,
      call: open.at,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : at,
      line: call.line,
      returnLine: end?.line,
    }
  }
}

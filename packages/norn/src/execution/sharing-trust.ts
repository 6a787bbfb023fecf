/**
 * Decides which executions that do not pass run again without the modules that executions share.
 *
 * A failure is confirmed in another process, which shares nothing; but a search that shrinks what is no failure
 * wastes its time. So the first ones are compared one by one, then one in PERIOD.
 */
import type { ExecutionResult } from '../contract/execution.ts'

const ONE_BY_ONE = 8
const PERIOD = 16

export class SharingTrust {
  #compared = 0
  #since = 0

  isInDoubt(): boolean {
    return this.#compared < ONE_BY_ONE || ++this.#since >= PERIOD
  }

  /** Whether an execution did the same with shared modules as without. */
  compare(shared: ExecutionResult, alone: ExecutionResult): boolean {
    this.#compared++
    this.#since = 0
    return textOf(shared) === textOf(alone)
  }
}

function textOf({ verdict, traceHash, failure, voided }: ExecutionResult): string {
  return JSON.stringify([verdict, traceHash, failure?.kind, failure?.message, voided?.reason])
}

/**
 * Owns the numbers of asynchronous resources (`executionAsyncId`, `triggerAsyncId`, a timer as a number): Node counts them
 * from the start of the process, so that they would tell how much ran before.
 *
 * Follows `AsyncHooks` in src/env.h: the counter and the two current ids stand in one array that native code and
 * JavaScript share. Invariant: an execution counts from the same number, and begins as the main script does; afterwards
 * the process counts on from where it was, or from where the execution has come to if that is more.
 */
import { internalBinding } from '../../loader/internals.ts'

/** Above what Node itself has numbered before an execution. */
const FIRST = 1_000_000

/** Ids of the main script. */
const MAIN = { execution: 1, trigger: 0 }

export interface InterceptedAsyncIds {
  enter(): void
  leave(): void
  /** Whether the execution that left last had any number given out: whatever Node opens on the loop takes one. */
  given(): boolean
}

export function interceptAsyncIds(): InterceptedAsyncIds {
  const { async_id_fields: fields, constants } = internalBinding('async_wrap') as {
    async_id_fields: Float64Array
    constants: Record<'kAsyncIdCounter' | 'kExecutionAsyncId' | 'kTriggerAsyncId', number>
  }
  const { kAsyncIdCounter, kExecutionAsyncId, kTriggerAsyncId } = constants
  let given = false
  let saved: readonly [counter: number, execution: number, trigger: number] | undefined
  return {
    enter() {
      saved = [fields[kAsyncIdCounter]!, fields[kExecutionAsyncId]!, fields[kTriggerAsyncId]!]
      fields[kAsyncIdCounter] = FIRST
      fields[kExecutionAsyncId] = MAIN.execution
      fields[kTriggerAsyncId] = MAIN.trigger
    },
    leave() {
      if (saved === undefined) return
      const [counter, execution, trigger] = saved
      saved = undefined
      given = fields[kAsyncIdCounter]! !== FIRST
      fields[kAsyncIdCounter] = Math.max(counter, fields[kAsyncIdCounter]!)
      fields[kExecutionAsyncId] = execution
      fields[kTriggerAsyncId] = trigger
    },
    given: () => given,
  }
}

/**
 * Intercepts the ids of asynchronous resources (`executionAsyncId`, `triggerAsyncId`, timers as
 * numbers): Node counts from the start of the process, so they would reveal what ran before.
 *
 * Follows `AsyncHooks` in src/env.h: native code and JavaScript share one array with the counter
 * and both current ids. Invariant: every execution counts from FIRST and begins as the main script;
 * afterwards the process continues from the higher count.
 */
import { internalBinding } from '../../loader/internals.ts'

/** Above the ids that Node uses before an execution. */
const FIRST = 1_000_000

/** Ids of the main script. */
const MAIN = { execution: 1, trigger: 0 }

export interface InterceptedAsyncIds {
  enter(): void
  leave(): void
  /** Whether the last execution used any id: everything that Node opens on the loop takes one. */
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

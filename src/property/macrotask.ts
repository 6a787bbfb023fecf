/**
 * Runs an action in a macrotask of its own: the real loop turns between two executions, and microtasks can be drained.
 *
 * An error that leaves a tick or an immediate skips what Node does after each of them, which takes its entry off the
 * stack of asynchronous contexts; Node's handler of fatal errors makes up for it, but under the world it never sees the
 * error. So the entries above the macrotask's own are taken off here. Without, Node finds the stack "corrupted" when the
 * macrotask ends, and aborts the process.
 */
import { internalBinding, requireInternal } from '../world/internals.ts'

interface AsyncContexts {
  executionAsyncId(): number
  popAsyncContext(asyncId: number): boolean
}

export function inMacrotask<Result>(action: () => Result): Promise<Result> {
  const contexts = requireInternal<AsyncContexts>('internal/async_hooks')
  const { async_hook_fields: fields, constants } = internalBinding('async_wrap')
  const depth = (): number => fields[constants.kStackLength]
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      const own = depth()
      try {
        resolve(action())
      } catch (error) {
        reject(error)
      } finally {
        while (depth() > own) contexts.popAsyncContext(contexts.executionAsyncId())
      }
    })
  })
}

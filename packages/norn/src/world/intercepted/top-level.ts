/**
 * Calls into the program as the native side of Node does: from the top, where whatever is thrown is
 * an uncaught error.
 *
 * Follows `InternalCallbackScope` (src/api/callback.cc) and the end of `process._fatalException`:
 * Node's JavaScript pushes an asynchronous context before a callback and pops it only if the
 * callback returns. Invariant: after a call the stack of asynchronous contexts, and the store that
 * AsyncLocalStorage reads, are what they were before it, thrown or not. (Left alone, the next pop
 * aborts the process as soon as an async hook is enabled.)
 */
import { internalBinding, requireInternal } from '../../loader/internals.ts'

interface AsyncHooks {
  executionAsyncId(): number
  emitAfter(asyncId: number): void
  clearDefaultTriggerAsyncId(): void
}

interface AsyncContextFrame {
  current(): unknown
  set(frame: unknown): void
}

const { async_hook_fields: fields, constants } = internalBinding('async_wrap')
const STACK_LENGTH = constants.kStackLength as number
const hooks = requireInternal<AsyncHooks>('internal/async_hooks')
const contextFrame = requireInternal<AsyncContextFrame>('internal/async_context_frame')

/**
 * Whether the action returned; what it threw is given to `caught` first, in the context that threw
 * it.
 */
export function callFromTop(action: () => void, caught: (error: unknown) => void): boolean {
  const depth = fields[STACK_LENGTH] as number
  const frame = contextFrame.current()
  try {
    action()
    return true
  } catch (error) {
    hooks.clearDefaultTriggerAsyncId()
    caught(error)
    while (fields[STACK_LENGTH] > depth) hooks.emitAfter(hooks.executionAsyncId())
    contextFrame.set(frame)
    return false
  }
}

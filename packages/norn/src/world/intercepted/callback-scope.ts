/**
 * Calls into the program as the native side of Node does: from the top, where whatever is thrown is an uncaught error.
 *
 * Follows `InternalCallbackScope` (src/api/callback.cc) and the end of `process._fatalException`: Node's JavaScript
 * pushes an asynchronous context before a callback and pops it only if the callback returns. Invariant: after a call
 * the stack of asynchronous contexts, and the store that AsyncLocalStorage reads, are what they were before it, thrown
 * or not. (Left alone, the next pop aborts the process as soon as an async hook is enabled.)
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

/** Whether the action returned; what it threw is given to `caught` first, in the context that threw it. */
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

/** Runs ticks and microtasks until none is left, or one throws. */
export const runTicks = (process as unknown as { _tickCallback: () => void })._tickCallback

/** Runs ticks and microtasks until none is left, through whatever they throw. */
export function drainTicks(caught: (error: unknown) => void): void {
  while (!callFromTop(runTicks, caught));
}

let drained = false
const drain = () => {
  drained = true
}
const { then } = Promise.prototype
const { apply } = Reflect
const settled = Promise.resolve()
const asReaction = [drain]

/**
 * Begins something that has to be in a macrotask of its own: inside a microtask nothing could be drained, and every
 * program would look stuck. To be followed by `drainTicks`, and that by `assertMacrotask`.
 */
export function expectMacrotask(): void {
  drained = false
  // `queueMicrotask` would make an asynchronous resource, before every execution.
  apply(then, settled, asReaction)
}

export function assertMacrotask(): void {
  if (!drained) throw new Error('an execution has to begin in a macrotask of its own')
}

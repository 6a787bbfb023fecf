/**
 * Calls into the program as Node's native side does: from the top, where a thrown error is
 * uncaught, followed by ticks and microtasks in the order of Node's own function.
 *
 * Follows `InternalCallbackScope` (src/api/callback.cc) and the end of `process._fatalException`:
 * Node's JavaScript pops the asynchronous context of a callback only if it returns. Invariant: a
 * call restores the stack of contexts and the store of AsyncLocalStorage even if it throws;
 * otherwise the next pop aborts the process once an async hook is enabled.
 */
import { internalBinding, requireInternal } from '../../loader/internals.ts'

interface AsyncHooks {
  executionAsyncId(): number
  emitBefore(asyncId: number, triggerAsyncId: number, resource: object): void
  emitAfter(asyncId: number): void
  emitInit(asyncId: number, type: string, triggerAsyncId: number, resource: object): void
  emitDestroy(asyncId: number): void
  popAsyncContext(asyncId: number): boolean
  newAsyncId(): number
  getDefaultTriggerAsyncId(): number
  clearDefaultTriggerAsyncId(): void
}

interface AsyncContextFrame {
  current(): unknown
  set(frame: unknown): void
}

const { apply } = Reflect
/** Methods of `AsyncWrap`, which some classes do not show. */
const { getAsyncId: idOf, getAsyncContextFrameForDebuggingOnly: frameOf } = internalBinding('tcp_wrap').TCP
  .prototype as { getAsyncId(): number; getAsyncContextFrameForDebuggingOnly?(): unknown }
const { async_hook_fields: fields, constants } = internalBinding('async_wrap')
const STACK_LENGTH = constants.kStackLength as number
const { kInit: INIT, kBefore: BEFORE, kAfter: AFTER } = constants as Record<'kInit' | 'kBefore' | 'kAfter', number>
const hooks = requireInternal<AsyncHooks>('internal/async_hooks')
const contextFrame = requireInternal<AsyncContextFrame>('internal/async_context_frame')

/**
 * Runs an action; returns whether it returned. Calls `caught` with its error, in the context that
 * threw.
 */
export function callFromTop(action: () => void, caught: (error: unknown) => void): boolean {
  const depth = fields[STACK_LENGTH] as number
  const frame = contextFrame.current()
  try {
    action()
    // An unhandled rejection that a listener takes leaves its context behind.
    popTo(depth, caught)
    return true
  } catch (error) {
    hooks.clearDefaultTriggerAsyncId()
    try {
      caught(error)
    } finally {
      // The program may have broken what norn reports errors with.
      popTo(depth, caught)
      contextFrame.set(frame)
    }
    return false
  }
}

/** Ends contexts as Node does; where a hook throws, which ends the process, without it. */
function popTo(depth: number, caught: (error: unknown) => void): void {
  while (fields[STACK_LENGTH] > depth) {
    const id = hooks.executionAsyncId()
    try {
      hooks.emitAfter(id)
    } catch (error) {
      hooks.popAsyncContext(id)
      caught(error)
    }
  }
}

/** The frame of AsyncLocalStorage, where Node has them. */
export const currentFrame = (): unknown => contextFrame.current()

/** Runs an action in a frame of AsyncLocalStorage. */
export function withFrame(frame: unknown, action: () => void): void {
  const before = contextFrame.current()
  contextFrame.set(frame)
  try {
    action()
  } finally {
    contextFrame.set(before)
  }
}

/** The asynchronous context in which a native object calls back. */
export interface CallbackContext {
  readonly asyncId: number
  readonly triggerId: number
  readonly resource: object
  /** The frame of AsyncLocalStorage, where Node has them. */
  readonly frame: unknown
}

/** Calls back in the context of a native object. What throws must be caught by `callFromTop`. */
export function inContext<Result>(
  { asyncId, triggerId, resource, frame }: CallbackContext,
  action: () => Result,
): Result {
  const before = contextFrame.current()
  contextFrame.set(frame)
  hooks.emitBefore(asyncId, triggerId, resource)
  const result = action()
  hooks.emitAfter(asyncId)
  contextFrame.set(before)
  return result
}

/** Calls back for the last time, after which the native object is destroyed. */
export function endContext<Result>(context: CallbackContext, action: () => Result): Result {
  try {
    return inContext(context, action)
  } finally {
    hooks.emitDestroy(context.asyncId)
  }
}

/** Tells the hooks that a native object is destroyed. */
export function destroyed({ asyncId }: Pick<CallbackContext, 'asyncId'>): void {
  hooks.emitDestroy(asyncId)
}

/** The context of a native object that was created just now. */
export function contextOf(resource: object): CallbackContext {
  const frame = frameOf === undefined ? undefined : apply(frameOf, resource, [])
  return { asyncId: apply(idOf, resource, []), triggerId: hooks.getDefaultTriggerAsyncId(), resource, frame }
}

/**
 * Begins the context of a native object in whose place norn is: the hooks learn of it here.
 *
 * @param type one of Node's providers
 *
 * @param resource what Node's native side would show: a request of its JavaScript, if there is one
 */
export function newContext(
  type: string,
  resource: object = {},
  triggerId = hooks.getDefaultTriggerAsyncId(),
): CallbackContext {
  const asyncId = hooks.newAsyncId()
  hooks.emitInit(asyncId, type, triggerId, resource)
  return { asyncId, triggerId, resource, frame: contextFrame.current() }
}

/** The context of a request, which a class of Node's creates at once or when its native function is called. */
export function contextFor(type: string, request: object): CallbackContext {
  return apply(idOf, request, []) > 0 ? contextOf(request) : newContext(type, request)
}

/** Calls native functions whose objects and callbacks no hook of the program learns of: they are norn's own. */
export function withoutHooks<Result>(action: () => Result): Result {
  const [init, before, after] = [fields[INIT], fields[BEFORE], fields[AFTER]]
  fields[INIT] = fields[BEFORE] = fields[AFTER] = 0
  try {
    return action()
  } finally {
    fields[INIT] = init
    fields[BEFORE] = before
    fields[AFTER] = after
  }
}

/** Runs ticks and microtasks until none is left or one throws. */
export const runTicks = (process as unknown as { _tickCallback: () => void })._tickCallback

/** Runs ticks and microtasks until none is left, through errors. */
export function drainTicks(caught: (error: unknown) => void): void {
  while (!callFromTop(runTicks, caught));
}

let drained = false
const drain = () => {
  drained = true
}
const settled = Promise.resolve()

/**
 * Checks, with `drainTicks` and then `assertMacrotask`, that norn runs in a macrotask of its own:
 * inside a microtask nothing can be drained, and every program would seem stuck.
 *
 * @param react to a promise, unseen by the program
 */
export function expectMacrotask(react: (promise: Promise<void>, reaction: () => void) => void): void {
  drained = false
  // `queueMicrotask` would create an asynchronous resource before every execution.
  react(settled, drain)
}

export function assertMacrotask(): void {
  if (!drained) throw new Error('an execution has to begin in a macrotask of its own')
}

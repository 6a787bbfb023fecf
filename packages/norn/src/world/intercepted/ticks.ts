/**
 * Node's ticks and microtasks, drained from outside as the native side does after each callback.
 *
 * Invariant: Node's own function decides their order; it was taken when norn was loaded.
 */
import { callFromTop } from './top-level.ts'

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
 * Begins something that has to be in a macrotask of its own: inside a microtask nothing could be
 * drained, and every program would look stuck. To be followed by `drainTicks`, and that by
 * `assertMacrotask`.
 */
export function expectMacrotask(): void {
  drained = false
  // `queueMicrotask` would make an asynchronous resource, before every execution.
  apply(then, settled, asReaction)
}

export function assertMacrotask(): void {
  if (!drained) throw new Error('an execution has to begin in a macrotask of its own')
}

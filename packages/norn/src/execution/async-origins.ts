/**
 * Origins of operations that Node starts in ticks of its own, with no program frame on the stack:
 * `net.connect` dials in a tick. Keeps the stack in which each asynchronous resource was created.
 *
 * Slow, so only for replaying an execution that ended without a source line.
 */
import { createHook, executionAsyncId } from 'node:async_hooks'
import { errorHere } from '../world/realm/language.ts'
import { callSites } from '../world/realm/stack.ts'
import { setOriginFallback } from '../world/trace/origin.ts'

/** Bounds on the resources kept, and on the ancestors searched for a program frame. */
const MAX_KEPT = 100_000
const MAX_DEPTH = 100

/**
 * Runs an action. Also returns the stack that created the first resource whose callback threw, if
 * one of its frames is the program's.
 */
export async function withAsyncOrigins<Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result; stack: string | undefined }> {
  const creations = new Map<number, { stack: string; within: number }>()
  const running: number[] = []
  const hook = createHook({
    init(id) {
      if (creations.size < MAX_KEPT) creations.set(id, { stack: errorHere().stack ?? '', within: executionAsyncId() })
    },
    before(id) {
      running.push(id)
    },
    after(id) {
      // A callback that threw gets no `after`: it stays, below later ones.
      const at = running.lastIndexOf(id)
      if (at >= 0) running.splice(at, 1)
    },
  })
  hook.enable()
  setOriginFallback(() => originOf(executionAsyncId(), creations))
  try {
    const result = await action()
    return { result, stack: running.map((id) => originOf(id, creations)).find((stack) => stack !== undefined) }
  } finally {
    setOriginFallback(undefined)
    hook.disable()
  }
}

function originOf(id: number, creations: ReadonlyMap<number, { stack: string; within: number }>): string | undefined {
  let resource = creations.get(id)
  for (let depth = 0; resource !== undefined && depth < MAX_DEPTH; depth++) {
    if (callSites(resource.stack).length > 0) return resource.stack
    resource = creations.get(resource.within)
  }
  return undefined
}

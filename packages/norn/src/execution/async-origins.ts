/**
 * Where the program asked for what Node then does on its own: `net.connect` dials in a tick, in
 * which no frame of the program is on the stack. While this is on, the stack in which each
 * asynchronous resource was made is kept.
 *
 * Costly, so only for running an execution again whose loss of control has no place.
 */
import { createHook, executionAsyncId } from 'node:async_hooks'
import { setOriginFallback } from '../world/origin.ts'
import { callSites } from '../world/stack.ts'

/** Resources kept, and how many of them are gone back through. */
const MAX_KEPT = 100_000
const MAX_DEPTH = 100

/**
 * Runs an action; gives also the stack that led to the first resource whose callback threw, if it
 * names the program.
 */
export async function withAsyncOrigins<Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result; stack: string | undefined }> {
  const made = new Map<number, { stack: string; within: number }>()
  const running: number[] = []
  const hook = createHook({
    init(id) {
      if (made.size < MAX_KEPT) made.set(id, { stack: new Error('origin').stack ?? '', within: executionAsyncId() })
    },
    before(id) {
      running.push(id)
    },
    after(id) {
      // A callback that threw has no end of its own: it stays, below those that came later.
      const at = running.lastIndexOf(id)
      if (at >= 0) running.splice(at, 1)
    },
  })
  hook.enable()
  setOriginFallback(() => originOf(executionAsyncId(), made))
  try {
    const result = await action()
    return { result, stack: running.map((id) => originOf(id, made)).find((stack) => stack !== undefined) }
  } finally {
    setOriginFallback(undefined)
    hook.disable()
  }
}

function originOf(id: number, made: ReadonlyMap<number, { stack: string; within: number }>): string | undefined {
  let resource = made.get(id)
  for (let depth = 0; resource !== undefined && depth < MAX_DEPTH; depth++) {
    if (callSites(resource.stack).length > 0) return resource.stack
    resource = made.get(resource.within)
  }
  return undefined
}

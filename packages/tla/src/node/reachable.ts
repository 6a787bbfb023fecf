/**
 * Finds the objects of a list that are reachable from elsewhere: closures, memoised functions, the
 * stack of a running evaluation. Only the collector knows, so the list holds its objects weakly
 * while the collector runs; those that are gone afterwards were garbage.
 *
 * JavaScript keeps the target of a new or dereferenced `WeakRef` until the job ends, and an
 * evaluation is one job. V8 also releases targets after a context with its own microtask queue has
 * run a script; so such a context runs an empty one. Other queues are not affected.
 */
import { createContext, Script } from 'node:vm'
import { StackFull } from '../values/memory.ts'
import { collectGarbage, heapLeft } from './heap.ts'

/**
 * Weak references are released after this many: V8 keeps them in a table, which is slow once it is
 * large.
 */
const LET_GO_EVERY = 1 << 10
/**
 * What a weak reference takes for a moment, amply, and how many are made at once where there is
 * hardly room for any.
 */
const [WEAK_BYTES, LEAST_AT_ONCE] = [128, 1 << 14]
const FRAMES = 100

/**
 * Replaces unreachable objects by undefined, and keeps the others in their places. It takes less
 * than a microsecond for each object, and a full collection; several where there is little room.
 * Does nothing if this V8 keeps everything until the job ends.
 *
 * If it is interrupted (`TerminateExecution` of V8), the list is of no use any more. Where the
 * stack has hardly any room left, it throws before anything is changed.
 *
 * @param isKept whether the object at an index stays, reachable or not
 * @returns the number of objects dropped
 */
export function dropUnreachable<Item extends object>(
  items: (Item | undefined)[],
  isKept: (at: number) => boolean,
): number {
  requireStack()
  if (!isPossible()) return 0
  const atOnce = Math.max(LEAST_AT_ONCE, Math.floor(heapLeft() / WEAK_BYTES))
  let gone = 0
  // What is made of others comes after them.
  for (let until = items.length; until > 0; until -= atOnce) {
    gone += dropBetween(items, Math.max(0, until - atOnce), until, isKept)
  }
  return gone
}

function dropBetween<Item extends object>(
  items: (Item | undefined)[],
  from: number,
  until: number,
  isKept: (at: number) => boolean,
): number {
  // In the same array: there may be millions.
  const weak = items as (WeakRef<Item> | undefined)[]
  for (let at = from; at < until; at++) {
    const item = items[at]
    if (item === undefined || isKept(at)) continue
    weak[at] = new WeakRef(item)
    if (at % LET_GO_EVERY === 0) letGo()
  }
  letGo()
  collectGarbage()
  let gone = 0
  for (let at = from; at < until; at++) {
    const held = weak[at]
    if (held === undefined || isKept(at)) continue
    const item = held.deref()
    items[at] = item
    if (item === undefined) gone++
    else if (at % LET_GO_EVERY === 0) letGo()
  }
  letGo()
  return gone
}

/** @throws StackFull if the stack has no room for anything here */
function requireStack(): void {
  try {
    descend(FRAMES)
  } catch {
    throw new StackFull()
  }
}

/** More frames than anything here takes. */
function descend(frames: number): void {
  if (frames > 0) descend(frames - 1)
  else letGo()
}

let run: (() => void) | undefined

/** Releases the targets of weak references within the job. */
function letGo(): void {
  if (run === undefined) {
    const context = createContext({}, { microtaskMode: 'afterEvaluate' })
    const nothing = new Script('0')
    run = () => {
      try {
        nothing.runInContext(context)
      } catch {
        // The empty script fails for want of stack alone, with an error of the context.
        throw new StackFull()
      }
    }
  }
  run()
}

let possible: boolean | undefined

/** Whether objects can be let go within a job: tried once. */
function isPossible(): boolean {
  if (possible === undefined) {
    const tried = garbage()
    letGo()
    collectGarbage()
    possible = tried.deref() === undefined
  }
  return possible
}

/** In a function of its own, so that no frame holds the object. */
function garbage(): WeakRef<object> {
  return new WeakRef({})
}

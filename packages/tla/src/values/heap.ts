/**
 * How full Node's heap is: past its limit Node ends the process, with all that was found. So whoever makes many values asks now
 * and then.
 */
import { memoryUsage } from 'node:process'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { TlaError } from '../error.ts'

// All as shares of the room for what lives long. V8 ends the process where the heap is above four fifths of it and collections
// that follow each other do not help: so all of ours happen below that.

/** Garbage among the values is looked for. */
const TIGHT = 0.6
/** Exploration ends, between states. */
const FULL = 0.72
/** An expression ends, within which nobody else asks. What is left is for arrays that grow by half. */
const OVERFULL = 0.78
/** So much may be in use for a moment. */
const SPENDABLE = 0.75

/** What the limit of the heap holds for what is new, at most: three times 64 MiB. */
const YOUNG = 192 * 2 ** 20

/** Whether it is time to look for garbage among the values. */
export function isHeapTight(): boolean {
  return isFilled(TIGHT)
}

/** Whether there is hardly any room left. */
export function isHeapFull(): boolean {
  return isFilled(FULL)
}

/** No room to go on with an expression. Without a place if it is not to blame. */
export class HeapFull extends TlaError {
  override readonly isFatal = true

  constructor() {
    const megabytes = (getHeapStatistics().heap_size_limit / 1e6).toFixed(0)
    super(
      'evaluation',
      `this makes more values than memory can hold: Node's heap has ${megabytes} MB (\`norn tla check --memory MB\` gives it more)`,
    )
  }
}

/** Whether an expression must end. */
export function isHeapOverfull(): boolean {
  return isFilled(OVERFULL)
}

/** How many bytes the heap may hold of what lives long. */
export function heapRoom(): number {
  const { heap_size_limit } = getHeapStatistics()
  // What is new may come to live long all at once.
  return heap_size_limit - Math.min(YOUNG, heap_size_limit * 0.75)
}

function isFilled(share: number): boolean {
  if (used() <= share) return false
  // Some of it may be garbage. This much below, it takes a while to fill again, so that collecting is rare.
  collectGarbage()
  return used() > share - 0.05
}

/** How many bytes may be made for a moment. */
export function heapLeft(): number {
  return SPENDABLE * heapRoom() - getHeapStatistics().used_heap_size
}

/** Of the room for what lives long. */
function used(): number {
  return getHeapStatistics().used_heap_size / heapRoom()
}

let collect: (() => void) | undefined

/** What the process holds, in bytes: without what V8 keeps at hand though nothing is in it. */
export function heldBytes(): number {
  const { total_physical_size, used_heap_size } = getHeapStatistics()
  return memoryUsage.rss() - (total_physical_size - used_heap_size)
}

/** A full collection, at once. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}

/**
 * The occupancy of Node's heap. V8 aborts the process at the limit, and loses all results; so
 * evaluation checks regularly, and stops before.
 */
import { memoryUsage } from 'node:process'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Shares of the room for long-lived objects. V8 ends the process where the heap is above four
// fifths of it and consecutive collections do not help: so all thresholds lie below that.

/** Garbage among the values is looked for. */
const TIGHT = 0.6
/** Exploration ends, between states. */
const FULL = 0.72
/** An expression ends. What is left is for arrays that grow by half. */
const OVERFULL = 0.78
/** May be in use for a moment. */
const SPENDABLE = 0.75

/** The limit of the heap includes at most this for new objects: three times 64 MiB. */
const YOUNG = 192 * 2 ** 20

export const isHeapTight = () => isFilled(TIGHT)
export const isHeapFull = () => isFilled(FULL)
export const isHeapOverfull = () => isFilled(OVERFULL)

/** The limit, for messages. */
export function heapLimit(): string {
  const megabytes = (getHeapStatistics().heap_size_limit / 1e6).toFixed(0)
  return `Node's heap has ${megabytes} MB (\`norn tla check --memory MB\` gives it more)`
}

/** Bytes that long-lived objects may take. */
export function heapRoom(): number {
  const { heap_size_limit } = getHeapStatistics()
  // New objects may become long-lived all at once.
  return heap_size_limit - Math.min(YOUNG, heap_size_limit * 0.75)
}

function isFilled(share: number): boolean {
  if (used() <= share) return false
  // Some of it may be garbage. This much below, it takes a while to fill again, so that collecting
  // is rare.
  collectGarbage()
  return used() > share - 0.05
}

/** Bytes that may be allocated for a moment. */
export function heapLeft(): number {
  return SPENDABLE * heapRoom() - getHeapStatistics().used_heap_size
}

/** As a share of the room for long-lived objects. */
function used(): number {
  return getHeapStatistics().used_heap_size / heapRoom()
}

let collect: (() => void) | undefined

/** Bytes that the process holds, without those that V8 keeps at hand unused. */
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

/** Explores or simulates a machine within bounds. */
import type { Machine } from '../evaluate/machine.ts'
import type { Arena } from '../values/arena.ts'
import { HeapFull } from '../values/memory.ts'
import type { Coverage } from './coverage.ts'
import { Exploration, type StopReason } from './explore.ts'
import type { Outcome } from './outcome.ts'
import { Simulation } from './simulate.ts'

/**
 * The bounds of a check.
 *
 * @public
 */
export interface CheckOptions {
  /** Maximum number of states of a behaviour. Default: unbounded; 100 in a simulation. */
  readonly depth?: number
  /** Maximum number of distinct states. Default: unbounded. */
  readonly states?: number
  /** Maximum real time, in milliseconds. Default: unbounded. */
  readonly timeMs?: number
  /**
   * Maximum memory, in megabytes. Default: in Node four fifths of the free memory, otherwise
   * unbounded. The heap of Node is a bound too.
   */
  readonly memoryMb?: number
  /** Simulates this many random behaviours instead of exploring all states. */
  readonly simulate?: number
  /** Seed of random choices. Default: 0. */
  readonly seed?: number
  /** Whether a state without successors is an error. Default: true, or CHECK_DEADLOCK. */
  readonly deadlock?: boolean
}

/** What the platform adds to a check. */
export interface Supervision {
  /** When the check began, by `performance.now()`. Default: now. */
  readonly begunMs?: number
  /** Ends a run that does not end by itself: a single expression may take forever. */
  readonly guard?: Guard
  /** Called about every 100 ms. */
  readonly progressed?: () => void
}

/** Runs `run`, and ends it after the limit, if there is one. */
type Guard = <Result>(run: () => Result, limitMs: number | undefined) => Guarded<Result>

/** The result of a guarded run, or why it was ended. */
export type Guarded<Result> =
  | { readonly ended: 'returned'; readonly result: Result }
  | { readonly ended: 'time' | 'interrupted' }

/** Interval of checking memory and reporting progress. */
const LOOK_MS = 100
/** Time that the current expansion may take after the time limit, until the guard ends it. */
const GRACE_MS = 300
/** Of a random behaviour. */
const DEFAULT_DEPTH = 100

export function runCheck(
  machine: Machine,
  options: CheckOptions,
  supervision: Supervision = {},
): { readonly outcome: Outcome; readonly coverage: Coverage } {
  const { timeMs, memoryMb, depth, states, simulate } = options
  const { begunMs = performance.now(), guard = unguarded, progressed } = supervision
  const maxBytes = memoryMb === undefined ? Number.POSITIVE_INFINITY : memoryMb * 1e6
  let lookedMs = begunMs
  const shouldStop = (): StopReason | undefined => {
    const nowMs = performance.now()
    if (timeMs !== undefined && nowMs - begunMs >= timeMs) return 'time'
    if (nowMs - lookedMs < LOOK_MS) return undefined
    lookedMs = nowMs
    progressed?.()
    return isShortOfMemory(machine.arena, maxBytes) ? 'memory' : undefined
  }
  const deadlock = (options.deadlock ?? true) && machine.checksDeadlock
  const check =
    simulate === undefined
      ? new Exploration(machine, { deadlock, maxDepth: depth, maxStates: states, maxBytes, shouldStop })
      : new Simulation(machine, {
          deadlock,
          behaviours: simulate,
          maxDepth: depth ?? DEFAULT_DEPTH,
          seed: options.seed ?? 0,
          maxBytes: maxBytes / 2,
          shouldStop,
        })
  const limitMs = timeMs === undefined ? undefined : Math.max(1, begunMs + timeMs + GRACE_MS - performance.now())
  const end = guard(() => check.run(), limitMs)
  const outcome = outcomeOf(end)
  const isIncomplete = outcome.kind === 'passed' && machine.unchecked.length > 0
  return { outcome: isIncomplete ? { kind: 'incomplete' } : outcome, coverage: check.coverage }
}

const unguarded: Guard = (run) => ({ ended: 'returned', result: run() })

function outcomeOf(end: Guarded<Outcome>): Outcome {
  switch (end.ended) {
    case 'returned': {
      const { result } = end
      const isFull = result.kind === 'error' && result.error instanceof HeapFull && result.error.at === undefined
      return isFull ? { kind: 'bound', bound: 'memory' } : result
    }
    case 'time':
      return { kind: 'bound', bound: 'time' }
    case 'interrupted':
      return { kind: 'interrupted' }
  }
}

function isShortOfMemory(arena: Arena, maxBytes: number): boolean {
  const { memory } = arena
  const isShort = () => memory.heldBytes() > maxBytes || memory.isFull()
  if (!isShort() || !arena.hasGrown) return isShort()
  arena.reclaim()
  return isShort()
}

/** Explores or simulates a machine within bounds. */
import type { Machine } from '../evaluate/machine.ts'
import type { Arena } from '../values/arena.ts'
import { HeapFull } from '../values/memory.ts'
import type { Coverage } from './coverage.ts'
import { Exploration, type StopReason } from './explore.ts'
import type { Outcome } from './outcome.ts'
import { Simulation } from './simulate.ts'

export interface CheckOptions {
  /** States of a behaviour, at most. No bound by default; 100 in a simulation. */
  readonly depth?: number
  /** Distinct states, at most. No bound by default. */
  readonly states?: number
  /** Real time, at most, in milliseconds. No bound by default. */
  readonly timeMs?: number
  /**
   * Memory, at most, in megabytes. In Node four fifths of what is free by default; the heap of Node
   * is a bound too.
   */
  readonly memoryMb?: number
  /** Simulates this many random behaviours instead of exploring all states. */
  readonly simulate?: number
  /** Seed of random choices; 0 by default. */
  readonly seed?: number
  /**
   * Whether a state without successors is an error: true by default, unless the configuration says
   * otherwise.
   */
  readonly deadlock?: boolean
}

/** What the platform adds to a check. */
export interface Supervision {
  /** When the time began, as of `performance.now`; now by default. */
  readonly begunMs?: number
  /** Ends a run that does not end itself: one expression may take for ever. */
  readonly guard?: Guard
  /** Called now and then. */
  readonly progressed?: () => void
}

/** Runs something, and ends it after the limit, if there is one. */
type Guard = <Result>(run: () => Result, limitMs: number | undefined) => Guarded<Result>

/** What a guarded run returned, or why it was ended. */
export type Guarded<Result> =
  | { readonly ended: 'returned'; readonly result: Result }
  | { readonly ended: 'time' | 'interrupted' }

/** Time between two looks at memory and progress. */
const LOOK_MS = 100
/** Time that one state may take after the time is up, until the guard ends it. */
const GRACE_MS = 300
/** States of a random behaviour. */
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
  return { outcome: outcomeOf(end), coverage: check.coverage }
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

/**
 * One check of a specification that was loaded, explored or simulated, within its bounds: what the command and
 * `checkSpecification` have in common.
 */
import { availableMemory } from 'node:process'
import type { Machine } from '../evaluate/machine.ts'
import type { Arena } from '../values/arena.ts'
import { HeapFull, heldBytes, isHeapFull } from '../values/heap.ts'
import type { Coverage } from './coverage.ts'
import { Exploration, type StopReason } from './explore.ts'
import type { Outcome } from './outcome.ts'
import { Simulation } from './simulate.ts'
import { watched } from './watchdog.ts'

export interface Bounds {
  /** States of a behaviour, at most. */
  readonly depth?: number
  /** Distinct states, at most. */
  readonly states?: number
  /** Real time in milliseconds, from `begun` on. */
  readonly time?: number
  /** In MB; four fifths of what is free unless set. Values are bounded by Node's heap besides. */
  readonly memory?: number
}

export interface RunOptions extends Bounds {
  /** When the time began, as of `performance.now`. */
  readonly begun: number
  /** Whether a state without successors is an error; the configuration may say that it is none all the same. */
  readonly deadlock: boolean
  /** So many random behaviours instead of all states. */
  readonly simulate?: number
  readonly seed?: number
  /** Whether Ctrl-C ends it, and not the process. */
  readonly isInterruptible: boolean
  /** Runs what prints again what was printed before. */
  readonly quietly: <Result>(run: () => Result) => Result
  /** Called now and then while it goes on. */
  readonly progressed?: () => void
}

/** How often memory and progress are looked after. */
const LOOK_MS = 100
/** Time that one state may take after the time is up, until it is ended from outside. */
const GRACE_MS = 300
/** States of a random behaviour. */
const DEFAULT_DEPTH = 100
const MEMORY_SHARE = 0.8

export function runCheck(machine: Machine, options: RunOptions): { outcome: Outcome; coverage: Coverage } {
  const { begun, time, memory, depth, states, simulate, quietly } = options
  const maxBytes = memory === undefined ? availableMemory() * MEMORY_SHARE : memory * 1e6
  let looked = begun
  const shouldStop = (): StopReason | undefined => {
    const now = performance.now()
    if (time !== undefined && now - begun >= time) return 'time'
    if (now - looked < LOOK_MS) return undefined
    looked = now
    options.progressed?.()
    return isShortOfMemory(machine.arena, maxBytes) ? 'memory' : undefined
  }
  const deadlock = options.deadlock && machine.checksDeadlock
  const check =
    simulate === undefined
      ? new Exploration(machine, { deadlock, maxDepth: depth, maxStates: states, maxBytes, shouldStop, quietly })
      : new Simulation(machine, {
          deadlock,
          behaviours: simulate,
          maxDepth: depth ?? DEFAULT_DEPTH,
          seed: options.seed ?? 0,
          maxBytes: maxBytes / 2,
          shouldStop,
          quietly,
        })
  const limit = time === undefined ? undefined : Math.max(1, begun + time + GRACE_MS - performance.now())
  const end = watched(() => check.run(), limit, options.isInterruptible)
  return { outcome: outcomeOf(end), coverage: check.coverage }
}

function outcomeOf(end: ReturnType<typeof watched<Outcome>>): Outcome {
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
  const isShort = () => heldBytes() > maxBytes || isHeapFull()
  if (!isShort() || !arena.hasGrown) return isShort()
  arena.reclaim()
  return isShort()
}

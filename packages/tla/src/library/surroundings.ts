/**
 * The environment of native operators: the arena, the printer, the registers of TLCGet and TLCSet,
 * random numbers, and the progress of the exploration.
 *
 * The exploration keeps `progress`, `random` and `trace` up to date. A run is then a function of
 * the specification and the seed, unless the specification reads the time, the environment or a
 * file.
 */

import { type Random, randomFrom } from '#shared/random'
import type { Arena } from '../values/arena.ts'
import type { Value } from '../values/value.ts'
import { BARE_PLATFORM, type Platform } from './platform.ts'

/** Updated by the exploration, read by TLCGet. */
interface Progress {
  /**
   * Length of the behaviour to the current state: 1 for an initial state, 0 where there is none, as
   * in the initial predicate.
   */
  level: number
  /** By how much the level of the successor is higher: 0 in the last state of a counterexample. */
  ahead: number
  /** Initial states generated. */
  initial: number
  generated: number
  distinct: number
  queue: number
  diameter: number
  /** Behaviours begun, in simulation. */
  traces: number
}

export interface Surroundings {
  readonly arena: Arena
  /** Prints the output of the specification: lines, without a final line feed. */
  print(lines: string): void
  /** Runs `run` without printing, for repeated evaluations. */
  quietly<Result>(run: () => Result): Result
  readonly progress: Progress
  /** As in `TLCGet("config").mode`. */
  mode: 'bfs' | 'simulate'
  /**
   * Other fields of `TLCGet("config")`: the bounds of a simulation on states of a behaviour and on
   * behaviours, and whether deadlock is an error.
   */
  run: { readonly depth?: number; readonly behaviours?: number; readonly deadlock: boolean }
  /** Registers of TLCSet: by number, or by a name that begins with `s:`. */
  readonly registers: Map<number | string, Value>
  /** Set by the exploration, so that a state has the same random choices each time. */
  random: Random
  /** The seed of `random`. */
  readonly seed: number
  /** Set by `TLCSet("exit", TRUE)`: the exploration ends at the next state. */
  isOver: boolean
  /** The states up to the current one, as a sequence of records. Undefined if not recorded. */
  trace: (() => Value) | undefined
  /** TLCExt's counterexample, `[state |-> {<<1, s1>>, ...}, action |-> ...]`, if there is one. */
  counterexample: (() => Value) | undefined
  /** Milliseconds since 1970. */
  now(): number
  /** `now()` at the creation of the machine. */
  readonly began: number
  /** Files, the environment and memory. */
  readonly platform: Platform
}

export interface SurroundingsOptions {
  /** Default: 0. */
  readonly seed?: number
  /** Default: `print` of the platform. */
  print?(lines: string): void
  readonly progress?: Progress
  /** Milliseconds since 1970. Default: `Date.now`. */
  now?(): number
  /** Default: without files and environment. */
  readonly platform?: Platform
}

export function createSurroundings(arena: Arena, options: SurroundingsOptions = {}): Surroundings {
  const { seed = 0, platform = BARE_PLATFORM, print = platform.print, now = Date.now } = options
  let isQuiet = false
  return {
    arena,
    print(lines) {
      if (!isQuiet) print(lines)
    },
    quietly(run) {
      isQuiet = true
      try {
        return run()
      } finally {
        isQuiet = false
      }
    },
    progress: options.progress ?? {
      level: 0,
      ahead: 1,
      initial: 0,
      generated: 0,
      distinct: 0,
      queue: 0,
      diameter: 0,
      traces: 0,
    },
    mode: 'bfs',
    run: { deadlock: true },
    registers: new Map(),
    random: randomFrom(seed),
    seed,
    isOver: false,
    trace: undefined,
    counterexample: undefined,
    now,
    began: now(),
    platform,
  }
}

/**
 * The environment of native operators: the arena, the printer, the registers of TLCGet and TLCSet,
 * random numbers, and the progress of the exploration.
 *
 * The exploration keeps `progress`, `random` and `trace` up to date. A run is then a function of
 * the specification and the seed, unless the specification reads the time, the environment or a
 * file.
 */
import { BARE_PLATFORM, type Platform } from '../platform.ts'
import { type Random, randomFrom } from '../random.ts'
import type { Arena } from '../values/arena.ts'
import type { Value } from '../values/value.ts'

/** Progress of an exploration, which keeps it up to date; TLCGet reads it. */
interface Progress {
  /** The length of the behaviour to the current state: 1 for an initial state. */
  level: number
  generated: number
  distinct: number
  queue: number
  diameter: number
  /** Behaviours begun, in simulation. */
  traces: number
}

export interface Surroundings {
  readonly arena: Arena
  /** Prints what the specification says: lines, without a line feed at the end. */
  print(lines: string): void
  /** Runs something without printing: it computes again what was printed before. */
  quietly<Result>(run: () => Result): Result
  readonly progress: Progress
  /** How it is explored, as in `TLCGet("config").mode`. */
  mode: 'bfs' | 'simulate'
  /**
   * Other fields of `TLCGet("config")`: the bounds of a simulation on states of a behaviour and on
   * behaviours, and whether deadlock is an error.
   */
  run: { readonly depth?: number; readonly behaviours?: number; readonly deadlock: boolean }
  /** Registers of TLCSet: by number, or by a name that begins with `s:`. */
  readonly registers: Map<number | string, Value>
  /**
   * The exploration sets it to `randomFrom(seed, hash of the state)`, so that a state has the same
   * choices whenever it is reached. Natives read it at each draw.
   */
  random: Random
  /** What `random` begins with. */
  readonly seed: number
  /** Set by `TLCSet("exit", TRUE)`: the exploration ends at the next state. */
  isOver: boolean
  /**
   * The states from an initial one up to the current one, as a sequence of records. Undefined if
   * not recorded.
   */
  trace: (() => Value) | undefined
  /**
   * The counterexample as TLCExt has it, `[state |-> {<<1, s1>>, ...}, action |-> ...]`. Undefined
   * while there is none.
   */
  counterexample: (() => Value) | undefined
  /** Milliseconds since 1970. */
  now(): number
  /** What `now` gave when the machine was made. */
  readonly began: number
  /** Files, the environment and memory. */
  readonly platform: Platform
}

export interface SurroundingsOptions {
  /** 0 unless given. */
  readonly seed?: number
  /** `print` of the platform by default. */
  print?(lines: string): void
  readonly progress?: Progress
  /** Without files and environment by default. */
  readonly platform?: Platform
}

export function createSurroundings(arena: Arena, options: SurroundingsOptions = {}): Surroundings {
  const { seed = 0, platform = BARE_PLATFORM, print = platform.print } = options
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
    progress: options.progress ?? { level: 0, generated: 0, distinct: 0, queue: 0, diameter: 0, traces: 0 },
    mode: 'bfs',
    run: { deadlock: true },
    registers: new Map(),
    random: randomFrom(seed),
    seed,
    isOver: false,
    trace: undefined,
    counterexample: undefined,
    now: Date.now,
    began: Date.now(),
    platform,
  }
}

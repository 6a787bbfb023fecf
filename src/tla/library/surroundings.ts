/**
 * What natives have around them: where values are made, where printed lines go, the registers of TLCGet and TLCSet, random
 * numbers, and what is known of the exploration under way.
 *
 * Whoever explores keeps `progress` up to date; a specification can ask for it, so that two runs with the same seed give
 * the same results unless the specification asks for the time.
 */
import { type Chance, chance } from '../../tape/chance.ts'
import type { Arena } from '../values/arena.ts'
import type { Value } from '../values/value.ts'

/** What `TLCGet` with a string tells. Written by those who explore; all 0 where nothing is explored. */
export interface Progress {
  /** How many states the behaviour has up to the current one: 1 in an initial state, 0 while those are computed. */
  level: number
  generated: number
  distinct: number
  queue: number
  /** The longest behaviour so far, in states. In a simulation: how many behaviours. */
  diameter: number
  /** What is done: for `TLCGet("config").mode`. */
  mode: 'bfs' | 'simulate' | 'none'
  /** Set by `TLCSet("exit", TRUE)`: those who explore end at the next state. */
  isOver: boolean
  /** The states from an initial one up to the current one, each as a record of the variables. Undefined where nobody knows. */
  trace: (() => Value) | undefined
  /** The states of the counterexample that is being explored, as `trace`. Undefined while there is none. */
  counterexample: (() => Value) | undefined
}

export interface Surroundings {
  readonly arena: Arena
  /** Prints lines of the specification; without a line feed at the end. */
  print(lines: string): void
  /** By number, or by a name that begins with `s:`. */
  readonly registers: Map<number | string, Value>
  /**
   * Replaced by those who explore: `chance(seed, hash of the state)`, so that a state has the same choices whenever it is
   * reached. Natives read it at each draw.
   */
  random: Chance
  /** What `random` begins with. */
  readonly seed: number
  readonly progress: Progress
  /** Milliseconds since 1970. */
  now(): number
  /** Environment variables: for IOEnv. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface SurroundingsOptions {
  /** 0 unless given. */
  readonly seed?: number
  /** Standard output unless given. */
  print?(lines: string): void
}

export function createSurroundings(arena: Arena, options: SurroundingsOptions = {}): Surroundings {
  return {
    arena,
    print: options.print ?? ((lines) => process.stdout.write(`${lines}\n`)),
    registers: new Map(),
    random: chance(options.seed ?? 0),
    seed: options.seed ?? 0,
    progress: {
      level: 0,
      generated: 0,
      distinct: 0,
      queue: 0,
      diameter: 0,
      mode: 'none',
      isOver: false,
      trace: undefined,
      counterexample: undefined,
    },
    now: Date.now,
    environment: process.env,
  }
}

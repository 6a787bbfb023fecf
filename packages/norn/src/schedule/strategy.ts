/**
 * A strategy decides how late things are. After Shuttle's scheduler interface: `begin` opens an
 * execution, and what it gives back is asked for one latency at each schedule point.
 *
 * A strategy only proposes; the tape records what was chosen. So whatever strategy found a failure,
 * it is replayed, mutated and shrunk the same way.
 */
import type { Estimates } from '../contract/plan.ts'
import type { SchedulePointKind } from '../contract/subject.ts'
import type { Chance } from '../tape/chance.ts'
import type { FaultProposer } from './faults.ts'

export interface SchedulePoint {
  readonly kind: SchedulePointKind
  /** The causal chain that the operation belongs to, as in PCTCP. */
  readonly chain: string
  /** The largest latency allowed, in microseconds of virtual time. */
  readonly maxUs: number
  /** Virtual time, in microseconds since the execution began. */
  readonly nowUs: number
  /**
   * Whether no operation of the pool is under way: only what starts from here on can run against
   * this one.
   */
  readonly alone: boolean
}

/** Proposes the latencies of one execution, in microseconds; 0 is what stock Node would do. */
export type Scheduler = (point: SchedulePoint) => number

export interface Strategy {
  readonly name: string
  /**
   * Whether its executions are a function of the seed alone, so that a 64-bit number names them.
   */
  readonly byChance: boolean
  /**
   * The share of its executions that aim at bugs of a depth; without it, it promises nothing about
   * depths.
   */
  readonly aimsAt?: (depth: number) => number
  /** @param chance random numbers of this execution alone */
  begin(chance: Chance, estimates: Estimates): Scheduler
  /**
   * Proposes the faults of one execution, from random numbers of their own; without it there are
   * none.
   */
  faults?(chance: Chance, estimates: Estimates): FaultProposer
}

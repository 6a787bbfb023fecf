/**
 * A strategy proposes latencies and faults, after Shuttle's scheduler interface: `begin` starts an
 * execution and returns a function that is called at each schedule point.
 *
 * The tape records the choices, so failures of all strategies are replayed, mutated and shrunk in
 * the same way.
 */
import type { Estimates } from '../contract/plan.ts'
import type { SchedulePointKind } from '../contract/subject.ts'
import type { Chance } from '../tape/chance.ts'
import type { FaultProposer } from './faults.ts'

export interface SchedulePoint {
  readonly kind: SchedulePointKind
  /** The causal chain of the operation, as in PCTCP. */
  readonly chain: string
  /** The largest latency allowed, in microseconds of virtual time. */
  readonly maxUs: number
  /** Virtual time, in microseconds since the execution began. */
  readonly nowUs: number
  /** Whether no operation of the pool is pending: only later ones can interleave with this one. */
  readonly alone: boolean
}

/** Proposes a latency in microseconds, 0..maxUs. */
export type Scheduler = (point: SchedulePoint) => number

export interface Strategy {
  readonly name: string
  /** What may follow the name after a colon; `read` returns undefined for a text that may not. */
  readonly argument?: { readonly name: string; read(text: string): Strategy | undefined }
  /** Set if it alternates with others in the portfolio. */
  readonly isInPortfolio?: true
  /** Set if it is for latencies only: searches of schedules that are steps refuse it. */
  readonly needsLatencies?: true
  /** How it chooses where there is no latency: steps, picks and random bits. */
  readonly steps: 'default' | 'random'
  /**
   * Whether its executions are a function of the seed alone, so that a 64-bit number names them.
   */
  readonly fromSeedAlone: boolean
  /**
   * The share of its executions that aim at bugs of a depth; absent without a guarantee by depth.
   */
  readonly aimsAt?: (depth: number) => number
  /** @param chance used for one execution only */
  begin(chance: Chance, estimates: Estimates): Scheduler
  /** Starts the faults of an execution, from a separate `chance`; absent for no faults. */
  faults?(chance: Chance, estimates: Estimates): FaultProposer
}

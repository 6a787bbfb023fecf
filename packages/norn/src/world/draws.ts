/**
 * What an execution draws from its tape: latencies, faults of system calls, and the seed of the
 * program's random numbers.
 *
 * Invariants: a latency is a whole number of microseconds from 0 (the default) to the bound, under
 * a label that depends on causes alone. While modules load, nothing is drawn or delayed, and their
 * random numbers come from a fixed sequence of their own.
 */

import { CHANCE_SEED } from '../contract/choice.ts'
import { labelOf, type SchedulePointKind, type Subject } from '../contract/subject.ts'
import { CLOCK_PHASE, CLOCK_START, MAX_CORRECTION_MS, MAX_PHASE_US, MAX_START_MS } from '../contract/wall-clock.ts'
import type { SchedulePoint } from '../schedule/strategy.ts'
import { type Chance, chance } from '../tape/chance.ts'
import { Tape } from '../tape/tape.ts'
import type { Step } from './loop/causality.ts'

/** Separates the program's random numbers from those of strategies and inputs with equal seeds. */
const CHANCE_DOMAIN = 0x6e6f726e
/** Separates the random numbers of loading from those of the body, whose default seed is 0 too. */
const LOADING_DOMAIN = 0x6c6f6164

const SEED = { kind: CHANCE_SEED.kind } as const
const CLOCK = { kind: 'clock' } as const
const PHASE = { kind: 'phase' } as const
const CORRECTION = { kind: 'correction' } as const

/** The schedule point that a strategy decides. */
export type CurrentPoint = Pick<SchedulePoint, 'kind' | 'chain'>

export class Draws {
  /** Whether operations get aliases: slow, only for executions that are saved. */
  naming = false
  #tape = new Tape(() => undefined)
  #maxLatencyUs = 0
  #loading = false
  #chance: Chance | undefined
  #loadingChance: Chance | undefined
  /** How often random numbers were asked for. */
  #loadingDraws = 0
  #currentPoint: CurrentPoint | undefined
  readonly #ordinals = new Map<string, number>()
  #stalledStep: Step | undefined
  #stalledUs = 0
  /** Choices that are no schedule points: stalls, and those about the clock. */
  #beside = 0
  #mayVaryClock = false

  reset(tape: Tape, maxLatencyUs: number, naming: boolean): void {
    this.#tape = tape
    this.#maxLatencyUs = maxLatencyUs
    this.naming = naming
    // Clearing even an empty map allocates a table linked to the old one, which survives
    // collections.
    if (this.#ordinals.size > 0) this.#ordinals.clear()
    this.#chance = this.#loadingChance = undefined
    this.#beside = 0
    this.#mayVaryClock = false
    this.#stalledStep = undefined
  }

  get loadingDraws(): number {
    return this.#loadingDraws
  }

  /** Keeps the random numbers of loading. @returns what goes on from there in another execution */
  keepLoading(): () => void {
    const kept = this.#loadingChance?.copy()
    return () => {
      this.#loadingChance = kept?.copy()
    }
  }

  set loading(on: boolean) {
    this.#tape.muted = this.#loading = on
  }

  /** The number of latencies and seeds drawn, and one for all that the clock may do; stalls do not count. */
  get points(): number {
    return this.#tape.count('schedule') - this.#beside + (this.#mayVaryClock ? 1 : 0)
  }

  /** The bound on latencies now, in microseconds. */
  get maxLatencyUs(): number {
    return this.#loading ? 0 : this.#maxLatencyUs
  }

  /** The schedule point being drawn; undefined for choices that are not latencies. */
  get currentPoint(): CurrentPoint | undefined {
    return this.#currentPoint
  }

  /**
   * Draws the latency of a schedule point, in microseconds; throws `TapeTooLong`.
   *
   * @param boundUs of this point; by default that of the execution
   */
  latencyUs(
    step: Step,
    kind: string,
    point: SchedulePointKind,
    alias?: string,
    boundUs: number = this.#maxLatencyUs,
  ): number {
    if (this.#loading) return 0
    const ordinal = ordinalOf(step, kind, point)
    const subject: Subject = { chain: step.chain, step: step.label, operation: kind, point, ordinal }
    const label = labelOf(subject)
    this.#currentPoint = { kind: point, chain: step.chain }
    try {
      const options = alias ? { subject, alias: `${alias} ${point}` } : { subject }
      return this.#tape.draw('schedule', label, 0, boundUs, options)
    } finally {
      this.#currentPoint = undefined
    }
  }

  /** The number of fault choices drawn. */
  get faultPoints(): number {
    return this.#tape.count('fault')
  }

  /** Draws one of `max` faults for a system call, 0 for none; throws `TapeTooLong`. */
  fault(subject: Subject, max: number, alias: string): number {
    return this.#tape.draw('fault', labelOf(subject), 0, max, this.naming ? { subject, alias } : { subject })
  }

  /**
   * Draws how long the program stalls within a step, in microseconds; all stalls of one step
   * together stay within the bound. Throws `TapeTooLong`.
   *
   * @param before the operation that the program is about to start
   */
  stallUs(step: Step, before: string): number {
    const leftUs = this.#leftToStallUs(step)
    if (leftUs === 0) return 0
    const us = Math.min(leftUs, this.latencyUs(step, before, 'stall'))
    this.#beside++
    this.#stalledUs += us
    return us
  }

  #leftToStallUs(step: Step): number {
    if (this.#stalledStep !== step) this.#stalledUs = 0
    this.#stalledStep = step
    return this.maxLatencyUs - this.#stalledUs
  }

  /** The program reads a clock that may vary, rather than the time of a file. */
  readsClock(): void {
    this.#mayVaryClock = true
  }

  /** Draws where the wall clock starts, in milliseconds after the default; once. */
  clockStartMs(): number {
    this.#beside++
    return this.#tape.draw('schedule', CLOCK_START, 0, MAX_START_MS, CLOCK)
  }

  /** Draws, rarely, by how much its milliseconds begin after those of the loop, in microseconds; once. */
  clockPhaseUs(): number {
    const us = this.#tape.drawRarely(CLOCK_PHASE, MAX_PHASE_US, PHASE)
    if (us > 0) this.#beside++
    return us
  }

  /** Draws, rarely, how long the program takes until a read of a clock, within the bound of stalls. */
  pauseUs(step: Step): number {
    const leftUs = this.#leftToStallUs(step)
    if (leftUs === 0) return 0
    this.#mayVaryClock = true
    const subject: Subject = {
      chain: step.chain,
      step: step.label,
      operation: 'clock',
      point: 'pause',
      ordinal: ordinalOf(step, 'clock', 'pause'),
    }
    const us = this.#tape.drawRarely(labelOf(subject), this.#maxLatencyUs, { kind: 'latency', subject })
    if (us > 0) this.#beside++
    this.#stalledUs += Math.min(leftUs, us)
    return Math.min(leftUs, us)
  }

  /** Draws, rarely, how far a read finds the wall clock set back, in milliseconds. */
  correctionMs(step: Step): number {
    const label = `${step.label} clock correction#${ordinalOf(step, 'correction', 'pause')}`
    const ms = this.#tape.drawRarely(label, MAX_CORRECTION_MS, CORRECTION)
    if (ms > 0) this.#beside++
    return ms
  }

  /**
   * An operation's name over changed code, where labels may have moved: its kind, its resource and
   * an ordinal.
   *
   * @param what the resource in the form that traces show
   */
  alias(kind: string, what: string): string {
    const name = `${kind} ${what}`
    const ordinal = (this.#ordinals.get(name) ?? 0) + 1
    this.#ordinals.set(name, ordinal)
    return `${name} ${ordinal}`
  }

  /** The program's random numbers; their seed is drawn on first use. */
  chance(): Chance {
    this.#loadingDraws++
    if (this.#loading) {
      return (this.#loadingChance ??= chance(LOADING_DOMAIN, 0))
    }
    this.#chance ??= chance(CHANCE_DOMAIN, this.#drawSeed())
    return this.#chance
  }

  #drawSeed(): number {
    const { label, min, max } = CHANCE_SEED
    return this.#tape.draw('schedule', label, min, max, SEED)
  }
}

/**
 * The number of earlier choices about the same. A step is submitted once, but the loop may wake for
 * a timer, or start, several times, and a program may stall again and again.
 */
function ordinalOf(step: Step, kind: string, point: SchedulePointKind): number {
  if (point === 'timer' || point === 'start') return step.wakes++
  if (point !== 'stall' && point !== 'pause') return 0
  step.stalls ??= { __proto__: null } as unknown as Record<string, number>
  const ordinal = step.stalls[kind] ?? 0
  step.stalls[kind] = ordinal + 1
  return ordinal
}

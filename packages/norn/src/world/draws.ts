/**
 * What an execution draws from its tape: how late things are, which system calls fail, and the seed of the
 * program's random numbers.
 *
 * Invariants: a latency is a whole number of microseconds from 0 (what Node would do) to the bound, under a label that
 * depends on causes alone. While the modules load nothing is drawn and nothing is late, and the chance that they ask for
 * does not shift what the body gets.
 */
import type { SchedulePoint, SchedulePointKind } from '../schedule/strategy.ts'
import { type Chance, chance } from '../tape/chance.ts'
import { Tape } from '../tape/tape.ts'
import type { Step } from './causality.ts'
import { scheduleLabel } from './labels.ts'

/** Sets the program's random numbers apart from those that strategies and inputs draw from seeds of the same size. */
const CHANCE_DOMAIN = 0x6e6f726e
/** Sets those of the loading apart from those of the body, which has the seed 0 too when nothing is drawn. */
const LOADING_DOMAIN = 0x6c6f6164

const SEED = { kind: 'seed' } as const

/** What a strategy is told of the moment it decides. */
export type CurrentPoint = Pick<SchedulePoint, 'kind' | 'chain'>

export class Draws {
  /** Whether operations get aliases too: slow, for an execution that is saved. */
  naming = false
  #tape = new Tape(() => undefined)
  #maxLatencyUs = 0
  #loading = false
  #chance: Chance | undefined
  #loadingChance: Chance | undefined
  #currentPoint: CurrentPoint | undefined
  readonly #ordinals = new Map<string, number>()
  #stalls = 0
  #stalledStep: Step | undefined
  #stalledUs = 0

  reset(tape: Tape, maxLatencyUs: number, naming: boolean): void {
    this.#tape = tape
    this.#maxLatencyUs = maxLatencyUs
    this.naming = naming
    // Clearing makes a table that the one before points to, even of an empty map: a chain that outlives collections.
    if (this.#ordinals.size > 0) this.#ordinals.clear()
    this.#chance = this.#loadingChance = undefined
    this.#stalls = 0
    this.#stalledStep = undefined
  }

  set loading(on: boolean) {
    this.#tape.muted = this.#loading = on
  }

  /** How many latencies and seeds have been drawn; stalls do not count. */
  get points(): number {
    return this.#tape.count('schedule') - this.#stalls
  }

  /** How late anything can be now, in microseconds. */
  get maxLatencyUs(): number {
    return this.#loading ? 0 : this.#maxLatencyUs
  }

  /** The moment that is being drawn for; undefined where what is drawn is no latency. */
  get currentPoint(): CurrentPoint | undefined {
    return this.#currentPoint
  }

  /** How late something is, in microseconds; throws `TapeTooLong`. */
  latencyUs(step: Step, kind: string, point: SchedulePointKind, alias?: string): number {
    if (this.#loading) return 0
    const label = scheduleLabel(step, kind, point)
    this.#currentPoint = { kind: point, chain: step.chain }
    try {
      if (point === 'stall') return this.#tape.drawOrdinal('schedule', label, 0, this.#maxLatencyUs)
      // A step is submitted once; but the loop may wake for one timer, or start, more than once.
      const ordinal = point === 'timer' || point === 'start' ? step.wakes++ : 0
      const distinct = ordinal === 0 ? label : `${label}#${ordinal}`
      return this.#tape.draw(
        'schedule',
        distinct,
        0,
        this.#maxLatencyUs,
        alias ? { alias: `${alias} ${point}` } : undefined,
      )
    } finally {
      this.#currentPoint = undefined
    }
  }

  /** How often a fault could have been injected. */
  get faultPoints(): number {
    return this.#tape.count('fault')
  }

  /** Which of `max` faults a system call meets, 0 for none; throws `TapeTooLong`. */
  fault(label: string, max: number, alias: string): number {
    return this.#tape.draw('fault', label, 0, max, this.naming ? { alias } : undefined)
  }

  /**
   * How long the program is held up in the middle of a step, in microseconds; all stalls of one step together stay
   * within the bound. Throws `TapeTooLong`.
   *
   * @param before what it is about to do
   */
  stallUs(step: Step, before: string): number {
    if (this.#stalledStep !== step) this.#stalledUs = 0
    this.#stalledStep = step
    const leftUs = this.maxLatencyUs - this.#stalledUs
    if (leftUs === 0) return 0
    const us = Math.min(leftUs, this.latencyUs(step, before, 'stall'))
    this.#stalls++
    this.#stalledUs += us
    return us
  }

  /**
   * What an operation does to what, and the how-manieth time: its name where changed code has moved its label.
   *
   * @param what in the form that traces show
   */
  alias(kind: string, what: string): string {
    const name = `${kind} ${what}`
    const ordinal = (this.#ordinals.get(name) ?? 0) + 1
    this.#ordinals.set(name, ordinal)
    return `${name} ${ordinal}`
  }

  /** The program's random numbers; their seed is drawn when they are first asked for. */
  chance(): Chance {
    if (this.#loading) return (this.#loadingChance ??= chance(LOADING_DOMAIN, 0))
    this.#chance ??= chance(CHANCE_DOMAIN, this.#tape.draw('schedule', 'chance seed', 0, 0xffff_ffff, SEED))
    return this.#chance
  }
}

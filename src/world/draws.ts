/**
 * What an execution draws from its tape: how late things are, and the seed of the program's random numbers.
 *
 * Invariants: a latency is a whole number of microseconds from 0 (what Node would do) to the bound, under a label that
 * depends on causes alone. While the modules load nothing is drawn and nothing is late, and the chance that they ask for
 * does not shift what the body gets.
 */
import type { SchedulePointKind } from '../schedule/strategy.ts'
import { type Chance, chance } from '../tape/chance.ts'
import { Tape } from '../tape/tape.ts'
import type { Step } from './causality.ts'
import { scheduleLabel } from './labels.ts'

/** Sets the program's random numbers apart from those that strategies and inputs draw from seeds of the same size. */
const CHANCE_DOMAIN = 0x6e6f726e
/** Sets those of the loading apart from those of the body, which has the seed 0 too when nothing is drawn. */
const LOADING_DOMAIN = 0x6c6f6164

export class Draws {
  /** Whether operations get aliases too: slow, for an execution that is saved. */
  naming = false
  #tape = new Tape(() => undefined)
  #latenessUs = 0
  #loading = false
  #chance: Chance | undefined
  #loadingChance: Chance | undefined
  readonly #ordinals = new Map<string, number>()

  reset(tape: Tape, latenessUs: number, naming: boolean): void {
    this.#tape = tape
    this.#latenessUs = latenessUs
    this.naming = naming
    this.#ordinals.clear()
    this.#chance = this.#loadingChance = undefined
  }

  set loading(on: boolean) {
    this.#tape.muted = this.#loading = on
  }

  /** How many latencies and seeds have been drawn. */
  get points(): number {
    return this.#tape.count('schedule')
  }

  /** How late something is, in microseconds; throws `TapeTooLong`. */
  latencyUs(step: Step, kind: string, point: SchedulePointKind, alias?: string): number {
    if (this.#loading) return 0
    const label = scheduleLabel(step, kind, point)
    return this.#tape.drawOrdinal('schedule', label, 0, this.#latenessUs, alias && `${alias} ${point}`)
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
    this.#chance ??= chance(CHANCE_DOMAIN, this.#tape.draw('schedule', 'chance seed', 0, 0xffff_ffff))
    return this.#chance
  }
}

/**
 * Trimming and calibration of one entry of the corpus: it is run again, to see which of its features repeat; then with
 * less on its tape, as long as it still shows what it was kept for. Smaller entries are mutated where it matters (AFL's
 * trimming, on choices in place of bytes).
 *
 * Invariants: the entry never loses a feature that it was kept for; at most MAX_TRIES candidates are made.
 */
import { isNatural } from '../../tape/choice.ts'
import type { Choices } from '../../tape/replay.ts'
import type { Observation } from '../observation.ts'
import type { Entry } from './corpus.ts'
import { Timeline } from './timeline.ts'

const MAX_TRIES = 12

export class Trimming {
  readonly entry: Entry
  readonly #needed: readonly number[]
  #tries = 0
  #calibrated = false
  /** Share of what is late that is tried at once, and where the next try begins. */
  #size: number
  #start = 0

  constructor(entry: Entry) {
    this.entry = entry
    this.#needed = entry.fresh.filter((feature) => entry.owned.has(feature))
    this.#size = lateOf(entry.record).length
  }

  /** The next candidate; undefined when it is done. */
  next(): Choices | undefined {
    const { record } = this.entry
    if (!this.#calibrated) return record
    if (this.#tries >= MAX_TRIES || this.#size < 1) return undefined
    const late = lateOf(record)
    if (this.#start >= late.length) {
      this.#size = Math.floor(this.#size / 2)
      this.#start = 0
      return this.next()
    }
    this.#tries++
    const gone = new Set(late.slice(this.#start, this.#start + this.#size))
    return {
      ...record,
      schedule: record.schedule.map((choice, at) => (gone.has(at) ? { ...choice, value: 0 } : choice)),
    }
  }

  /** Takes note of what the last candidate showed. */
  judge(
    features: ReadonlySet<number>,
    observation: Observation,
    work: number,
  ): { readonly unstable: readonly number[]; readonly smaller: boolean } {
    const { entry } = this
    const lost = this.#needed.filter((feature) => !features.has(feature))
    if (!this.#calibrated) {
      this.#calibrated = true
      // An entry that does not repeat is not worth making smaller.
      if (lost.length > 0) this.#tries = MAX_TRIES
      return { unstable: lost, smaller: false }
    }
    if (lost.length > 0) {
      this.#start += this.#size
      return { unstable: [], smaller: false }
    }
    entry.record = observation.choices()
    entry.timeline = new Timeline(observation.timeline())
    entry.work = work + entry.record.input.length + entry.record.schedule.length + entry.record.fault.length
    return { unstable: [], smaller: true }
  }
}

/** Places of the schedule lane that are not natural. */
function lateOf({ schedule }: Choices): number[] {
  return schedule.flatMap((choice, at) => (isNatural(choice) ? [] : [at]))
}

/**
 * Calibration and trimming of one entry of the corpus: it is run again, to see which of its
 * features repeat; then with less on its tape, as long as it still shows what it was kept for: with
 * parts of what is late made natural, by halves, and without parts of its input, the larger ones
 * first. Smaller entries are mutated where it matters (AFL's calibration and trimming, on choices
 * and spans in place of bytes).
 *
 * Invariants: the entry never loses a feature that it owns, for no other entry is kept for it; at
 * most `tries` candidates are made beside the repetition.
 */
import { isSimplest } from '../../contract/choice.ts'
import type { Choices, Span, TapeRecord } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { Entry } from './corpus.ts'
import { Timeline } from './timeline.ts'

export class Trimming {
  readonly entry: Entry
  readonly #needed: readonly number[]
  #tries: number
  #calibrated = false
  #late: Halving
  #spans: readonly Span[] | undefined

  /** @param tries candidates that it may make; 0 to see whether it repeats, and no more */
  constructor(entry: Entry, tries: number) {
    this.entry = entry
    this.#tries = tries
    this.#needed = [...entry.owned]
    this.#late = new Halving(lateOf(entry.record).length)
  }

  /** The next candidate; undefined when it is done. */
  next(): Choices | undefined {
    const { record } = this.entry
    if (!this.#calibrated) return record
    if (this.#tries <= 0) return undefined
    return this.#withLessLate(record) ?? this.#withoutSpan(record)
  }

  /**
   * Takes note of what the last candidate showed; gives the features that did not repeat, and
   * whether it is smaller now.
   */
  judge(
    features: ReadonlySet<number>,
    observation: Observation,
    work: number,
  ): { readonly unstable: readonly number[]; readonly smaller: boolean } {
    const lost = this.#needed.filter((feature) => !features.has(feature))
    if (!this.#calibrated) {
      this.#calibrated = true
      // An entry that does not repeat is not worth making smaller.
      if (lost.length > 0) this.#tries = 0
      return { unstable: lost, smaller: false }
    }
    this.#tries--
    if (this.#spans === undefined) this.#late.judge(lost.length === 0)
    else this.#spans = lost.length === 0 ? largestFirst(observation.choices().spans) : this.#spans.slice(1)
    if (lost.length > 0) return { unstable: [], smaller: false }
    const { entry } = this
    entry.record = observation.choices()
    entry.timeline = new Timeline(observation.timeline())
    entry.products = observation.products
    entry.work = work + entry.record.input.length + entry.record.schedule.length + entry.record.fault.length
    return { unstable: [], smaller: true }
  }

  #withLessLate(record: TapeRecord): Choices | undefined {
    if (this.#spans !== undefined) return undefined
    const gone = this.#late.next(lateOf(record))
    if (gone === undefined) return undefined
    return {
      ...record,
      schedule: record.schedule.map((choice, at) => (gone.has(at) ? { ...choice, value: 0 } : choice)),
    }
  }

  #withoutSpan(record: TapeRecord): Choices | undefined {
    const [span] = (this.#spans ??= largestFirst(record.spans))
    if (span === undefined) return undefined
    const before = record.input[span.start - 1]
    const input = record.input.filter((_, at) => at < span.start || at >= span.end)
    // What stands before a part is often the count of such parts.
    if (before !== undefined && typeof before.value === 'number' && before.value > Number(before.min)) {
      input[span.start - 1] = { ...before, value: before.value - 1 }
    }
    return { ...record, input }
  }
}

/** Which of the places to try next: all, then halves, and so on. */
class Halving {
  #size: number
  #start = 0

  constructor(size: number) {
    this.#size = size
  }

  next(places: readonly number[]): ReadonlySet<number> | undefined {
    for (; this.#size >= 1; this.#size = Math.floor(this.#size / 2), this.#start = 0) {
      if (this.#start < places.length) return new Set(places.slice(this.#start, this.#start + this.#size))
    }
    return undefined
  }

  /** @param gone whether the places that were tried are no longer there */
  judge(gone: boolean): void {
    if (!gone) this.#start += this.#size
  }
}

/** Parts of the input, without the whole of it. */
function largestFirst(spans: readonly Span[]): readonly Span[] {
  const parts = spans.filter(({ lane, start, end }) => lane === 'input' && start > 0 && end > start)
  return parts.sort((a, b) => b.end - b.start - (a.end - a.start))
}

/** Places of the schedule lane that are not natural. */
function lateOf({ schedule }: Choices): number[] {
  return schedule.flatMap((choice, at) => (isSimplest(choice) ? [] : [at]))
}

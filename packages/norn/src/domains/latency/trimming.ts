/**
 * Calibration and trimming of a corpus entry, as in AFL but on choices and spans instead of bytes:
 * it runs again to see which features repeat; then with fewer latencies, by halving, and without
 * spans of its input, the largest first, as long as it keeps its features. In smaller entries more
 * mutations hit what matters.
 *
 * Invariants: the entry keeps every feature that it owns, as no other entry has it; at most `tries`
 * candidates run after the calibration.
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
  #delayed: Halving
  #spans: readonly Span[] | undefined

  /** @param tries candidates at most; 0 only calibrates */
  constructor(entry: Entry, tries: number) {
    this.entry = entry
    this.#tries = tries
    this.#needed = [...entry.owned]
    this.#delayed = new Halving(delayedIn(entry.record).length)
  }

  /** The next candidate; undefined at the end. */
  next(): Choices | undefined {
    const { record } = this.entry
    if (!this.#calibrated) return record
    if (this.#tries <= 0) return undefined
    return this.#withFewerDelays(record) ?? this.#withoutSpan(record)
  }

  /**
   * Judges the latest candidate. Returns features that did not repeat, and whether it was accepted.
   */
  judge(
    features: ReadonlySet<number>,
    observation: Observation,
  ): { readonly unstable: readonly number[]; readonly smaller: boolean } {
    const lost = this.#needed.filter((feature) => !features.has(feature))
    if (!this.#calibrated) {
      this.#calibrated = true
      // Trimming needs an entry that repeats.
      if (lost.length > 0) this.#tries = 0
      return { unstable: lost, smaller: false }
    }
    this.#tries--
    if (this.#spans === undefined) this.#delayed.judge(lost.length === 0)
    else this.#spans = lost.length === 0 ? largestFirst(observation.choices().spans) : this.#spans.slice(1)
    if (lost.length > 0) return { unstable: [], smaller: false }
    const { entry } = this
    entry.record = observation.choices()
    entry.timeline = new Timeline(observation.timeline())
    entry.products = observation.products
    return { unstable: [], smaller: true }
  }

  #withFewerDelays(record: TapeRecord): Choices | undefined {
    if (this.#spans !== undefined) return undefined
    const undelayed = this.#delayed.next(delayedIn(record))
    if (undelayed === undefined) return undefined
    return {
      ...record,
      schedule: record.schedule.map((choice, at) => (undelayed.has(at) ? { ...choice, value: 0 } : choice)),
    }
  }

  #withoutSpan(record: TapeRecord): Choices | undefined {
    const [span] = (this.#spans ??= largestFirst(record.spans))
    if (span === undefined) return undefined
    const before = record.input[span.start - 1]
    const input = record.input.filter((_, at) => at < span.start || at >= span.end)
    // The choice before a part is often the count of such parts.
    if (before !== undefined && typeof before.value === 'number' && before.value > Number(before.min)) {
      input[span.start - 1] = { ...before, value: before.value - 1 }
    }
    return { ...record, input }
  }
}

/** Selects indices to remove: all, then halves, and so on. */
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

  /** @param removed whether the selected indices were removed */
  judge(removed: boolean): void {
    if (!removed) this.#start += this.#size
  }
}

/** The spans of parts of the input. */
function largestFirst(spans: readonly Span[]): readonly Span[] {
  const parts = spans.filter(({ lane, start, end }) => lane === 'input' && start > 0 && end > start)
  return parts.sort((a, b) => b.end - b.start - (a.end - a.start))
}

/** Indices of the schedule choices with a latency. */
function delayedIn({ schedule }: Choices): number[] {
  return schedule.flatMap((choice, at) => (isSimplest(choice) ? [] : [at]))
}

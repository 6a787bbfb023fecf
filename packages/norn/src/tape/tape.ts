/**
 * The tape, norn's choice sequence: every decision of one execution, drawn as typed, labelled
 * choices in lanes.
 *
 * A tape asks its source (a strategy, a saved failure, a shrinker) for each value and records the
 * choice. Invariants:
 *
 * - The record is complete: its replay against the same program is the same execution.
 * - Where the source has no value (its entropy is used up, or it has none for the label), the
 *   choice is the simplest value of its range. So every tape is finite.
 * - A label names one choice of its lane.
 *
 * After "Random Fuzzy Thoughts" (one tape for input and interaction, finite entropy) and the typed
 * choice sequence of Hypothesis. It departs from both in that labels replace positions, so that a
 * choice stays with its operation when the order of execution changes.
 */
import { type Choice, type ChoiceKind, clamp, DEFAULT_KIND, type Lane, simplestValue } from '../contract/choice.ts'
import { type Product, type Span, type TapeRecord, UNBOUNDED } from '../contract/choices.ts'
import type { StepWeights } from '../contract/plan.ts'
import type { Subject } from '../contract/subject.ts'
import type { Chance } from './chance.ts'

interface ChoiceRequest<Value extends number | bigint = number | bigint> {
  readonly lane: Lane
  readonly kind: ChoiceKind
  readonly label: string
  readonly min: Value
  readonly max: Value
  /** Choices drawn in this lane so far. */
  readonly index: number
  readonly alias: string | undefined
  readonly subject?: Subject | undefined
  /** Whether it becomes a choice only where the source has another value than 0. */
  readonly isRare?: true
  /** See `DrawOptions`. */
  readonly suggest?: ((chance: Chance, weights?: StepWeights) => Value) | undefined
}

export interface DrawOptions<Value extends number | bigint> {
  /** Default: `value`, `latency` or `fault`, depending on the lane. */
  readonly kind?: ChoiceKind
  readonly alias?: string | undefined
  readonly subject?: Subject | undefined
  /**
   * The value where the source has none. Must be a function of the earlier draws, so that a replay
   * repeats it. Default: the simplest value.
   */
  readonly otherwise?: () => Value
  /** A random value, for a random source where only some values mean something at present. */
  readonly suggest?: ((chance: Chance, weights?: StepWeights) => Value) | undefined
}

type RareOptions = Pick<ChoiceRequest, 'kind' | 'subject'>

/** Proposes a value; `undefined` if it has none. */
export type ChoiceSource = (request: ChoiceRequest) => number | bigint | undefined

/** Choices of a lane at most; a program that draws more does so without end. */
export const MAX_CHOICES = 4_000_000

/** Spans kept. They serve mutation and shrinking, for which a longer tape is too long anyway. */
const MAX_SPANS = 50_000

/** Products kept, and the longest string among them. */
const MAX_PRODUCTS = 1024
const MAX_PRODUCT_LENGTH = 64

export class TapeTooLong extends Error {
  constructor() {
    super(`the execution drew more than ${MAX_CHOICES} choices`)
    this.name = 'TapeTooLong'
  }
}

export class Tape {
  readonly #source: ChoiceSource
  readonly #lanes: Record<Lane, Choice[]> = { input: [], schedule: [], fault: [] }
  readonly #spans: Span[] = []
  #length: number
  readonly #onChoice: ((lane: Lane, choice: Choice) => void) | undefined
  #drawn = 0
  #muted = false
  #products: Product[] | undefined

  /**
   * @param length choices until the tape ends
   * @param onChoice called with each choice, before the program sees it
   */
  constructor(source: ChoiceSource, length = UNBOUNDED, onChoice?: (lane: Lane, choice: Choice) => void) {
    this.#source = source
    this.#length = length
    this.#onChoice = onChoice
  }

  /** Whether the tape has ended: all later choices are the simplest, so generators should stop. */
  get outOfEntropy(): boolean {
    return this.#drawn >= this.#length
  }

  /**
   * Ends the tape after the choices drawn so far, for a source that cannot know its length before.
   */
  runOut(): void {
    this.#length = Math.min(this.#length, this.#drawn)
  }

  /** While muted (as modules load), a draw returns the simplest value and is not recorded. */
  set muted(value: boolean) {
    this.#muted = value
  }

  /** The number of choices drawn in a lane. */
  count(lane: Lane): number {
    return this.#lanes[lane].length
  }

  /** Draws a value in [min, max]. The label must be unique in its lane. */
  draw<Value extends number | bigint>(
    lane: Lane,
    label: string,
    min: Value,
    max: Value,
    { kind = DEFAULT_KIND[lane], alias, subject, otherwise, suggest }: DrawOptions<Value> = {},
  ): Value {
    if (min > max) throw new RangeError(`choice "${label}" has an empty range: ${min}..${max}`)
    const simplest = simplestValue(min, max)
    if (this.#muted) return simplest
    const choices = this.#lanes[lane]
    if (choices.length >= MAX_CHOICES) throw new TapeTooLong()
    const exhausted = this.#drawn++ >= this.#length
    const proposed = exhausted
      ? undefined
      : this.#source({ lane, kind, label, min, max, index: choices.length, alias, subject, suggest } as ChoiceRequest)
    const value = intoRange(proposed ?? otherwise?.() ?? simplest, min, max)
    const choice: { -readonly [Key in keyof Choice<Value>]: Choice<Value>[Key] } = { kind, label, min, max, value }
    if (alias !== undefined) choice.alias = alias
    if (subject !== undefined) choice.subject = subject
    choices.push(choice)
    this.#onChoice?.(lane, choice)
    return value
  }

  /**
   * Draws a choice from 0 to `max` that is recorded only where it is not 0: for what few executions do,
   * at points that many pass often.
   */
  drawRarely(label: string, max: number, { kind, subject }: RareOptions): number {
    if (this.#muted || this.outOfEntropy) return 0
    const choices = this.#lanes.schedule
    const asked = { lane: 'schedule', kind, label, min: 0, max, index: choices.length, alias: undefined } as const
    const value = intoRange(this.#source({ ...asked, subject, isRare: true }) ?? 0, 0, max)
    if (value === 0) return 0
    if (choices.length >= MAX_CHOICES) throw new TapeTooLong()
    this.#drawn++
    const choice = { kind, label, min: 0, max, value, ...(subject === undefined ? {} : { subject }) }
    choices.push(choice)
    this.#onChoice?.('schedule', choice)
    return value
  }

  /**
   * Whether the source leaves something out that is there by default. Only records do: elsewhere
   * nothing is drawn, and the execution is the same as if nothing had been asked.
   */
  omits(label: string): boolean {
    const request = { lane: 'schedule', kind: 'omission', label, min: 0, max: 1, index: -1, alias: undefined } as const
    if (this.#muted || this.#source({ ...request, suggest: () => 0 }) !== 1) return false
    const choice = { kind: request.kind, label, min: 0, max: 1, value: 1 }
    this.#lanes.schedule.push(choice)
    this.#onChoice?.('schedule', choice)
    return true
  }

  /** Groups the choices that `action` draws in a lane. */
  span<Result>(lane: Lane, label: string, action: () => Result): Result {
    const span = this.beginSpan(lane, label)
    try {
      return action()
    } finally {
      this.endSpan(span)
    }
  }

  /** Begins a span without the cost of a closure. End spans by `endSpan`, the innermost first. */
  beginSpan(lane: Lane, label: string): Span | undefined {
    if (this.#spans.length >= MAX_SPANS) return undefined
    const span: Span = { lane, label, start: this.#lanes[lane].length, end: -1 }
    this.#spans.push(span)
    return span
  }

  /** Ends a span; drops it if it is empty. */
  endSpan(span: Span | undefined): void {
    if (span === undefined) return
    span.end = this.#lanes[span.lane].length
    if (span.end === span.start && this.#spans.at(-1) === span) this.#spans.pop()
  }

  /** Starts recording products, up to MAX_PRODUCTS. */
  keepProducts(): void {
    this.#products = []
  }

  get products(): readonly Product[] {
    return this.#products ?? []
  }

  /** Records a value that a generator made from the choices of the input lane since `start`. */
  produced(start: number, value: unknown): void {
    const products = this.#products
    if (products === undefined || products.length >= MAX_PRODUCTS) return
    const end = this.#lanes.input.length
    const isText = typeof value === 'string' && value.length <= MAX_PRODUCT_LENGTH
    if (end > start && (isText || typeof value === 'number' || typeof value === 'bigint'))
      products.push({ start, end, value })
  }

  record(): TapeRecord {
    const { input, schedule, fault } = this.#lanes
    return {
      input: [...input],
      schedule: [...schedule],
      fault: [...fault],
      // A span does not change once it has ended.
      spans: [...this.#spans],
      length: this.#length,
    }
  }
}

/** Converts any proposed value to the type of the range, and clamps it. */
function intoRange<Value extends number | bigint>(proposed: number | bigint, min: Value, max: Value): Value {
  if (typeof min === 'bigint') {
    const value = typeof proposed === 'bigint' ? proposed : BigInt(Math.trunc(Number.isFinite(proposed) ? proposed : 0))
    return clamp(value as Value, min, max)
  }
  // Adding zero turns -0, which no serial form keeps, into 0.
  const value = Math.round(Number(proposed)) + 0
  return Number.isNaN(value) ? simplestValue(min, max) : clamp(value as Value, min, max)
}

/**
 * The tape: every decision of one execution, drawn as typed, labelled choices in lanes.
 *
 * A tape asks its source for each value and records what was chosen, so whatever proposed a value
 * (a strategy, a saved failure, a shrinker) the record replays it. Invariants:
 *
 * - The record is complete: replaying it against the same program gives the same execution.
 * - Zero is natural: where the source has nothing to say (it ran out of entropy, or has no value
 *   for a label) the choice is the value of the range that is nearest zero. So every tape is
 *   finite.
 * - A label names one choice of its lane. A second draw under the same label is told apart by an
 *   ordinal.
 *
 * After "Random Fuzzy Thoughts" (one tape for structured input and interactive run, finite entropy)
 * and Hypothesis's typed choice sequence; labels in place of positions are ours, so that a choice
 * stays with what it decides when the order of execution changes.
 */
import { type Choice, type ChoiceKind, clamp, DEFAULT_KIND, type Lane, simplestValue } from '../contract/choice.ts'
import { type Product, type Span, type TapeRecord, UNBOUNDED } from '../contract/choices.ts'
import type { Subject } from '../contract/subject.ts'
import type { Chance } from './chance.ts'

/** What a source is asked for. */
interface ChoiceRequest<Value extends number | bigint = number | bigint> {
  readonly lane: Lane
  readonly kind: ChoiceKind
  readonly label: string
  readonly min: Value
  readonly max: Value
  /** How many choices this lane has drawn so far. */
  readonly index: number
  readonly alias: string | undefined
  readonly subject?: Subject | undefined
  /** A value by chance, where the program under test limits which values mean something now. */
  readonly suggest?: ((chance: Chance) => Value) | undefined
}

export interface DrawOptions<Value extends number | bigint> {
  /** `value`, `latency` or `fault` by default, depending on the lane. */
  readonly kind?: ChoiceKind
  readonly alias?: string | undefined
  readonly subject?: Subject | undefined
  /**
   * The value where the source has none; the simplest one by default. It has to be a function of
   * the earlier draws, so that a replay that runs out at the same place continues in the same way.
   */
  readonly otherwise?: () => Value
  /** A value by chance, for a source that draws by chance. */
  readonly suggest?: ((chance: Chance) => Value) | undefined
}

/** Proposes values. `undefined`: the source has none, and the tape takes the simplest value. */
export type ChoiceSource = (request: ChoiceRequest) => number | bigint | undefined

/** A tape longer than this is refused: the program draws without end. */
export const MAX_CHOICES = 4_000_000

/**
 * Past this many spans no more are kept: they only help whoever changes the tape, and such a tape
 * is far too long to.
 */
const MAX_SPANS = 50_000

/** Products that are remembered of a tape, and the longest text among them. */
const MAX_PRODUCTS = 1024
const MAX_PRODUCT_LENGTH = 64

export class TapeTooLong extends Error {
  constructor() {
    super(`the execution drew more than ${MAX_CHOICES} choices`)
    this.name = 'TapeTooLong'
  }
}

/** A tape draws in the middle of a program, which may break what it likes. */
const RealMap = Map

export class Tape {
  readonly #source: ChoiceSource
  readonly #lanes: Record<Lane, Choice[]> = { input: [], schedule: [], fault: [] }
  readonly #spans: Span[] = []
  /** How often labels were drawn that may be drawn more than once; made when first needed. */
  #repeats: Record<Lane, Map<string, number>> | undefined
  #length: number
  readonly #onChoice: ((lane: Lane, choice: Choice) => void) | undefined
  #drawn = 0
  #muted = false
  #products: Product[] | undefined

  /**
   * @param length after how many choices the tape runs out
   * @param onChoice told of each choice as it is drawn, before the program sees it
   */
  constructor(source: ChoiceSource, length = UNBOUNDED, onChoice?: (lane: Lane, choice: Choice) => void) {
    this.#source = source
    this.#length = length
    this.#onChoice = onChoice
  }

  /**
   * Whether the tape has run out: every later choice is the natural one, so a generator may wind
   * down.
   */
  get outOfEntropy(): boolean {
    return this.#drawn >= this.#length
  }

  /**
   * Ends the tape with the choices drawn so far: for a source that learns only on the way how far
   * it reaches.
   */
  runOut(): void {
    this.#length = Math.min(this.#length, this.#drawn)
  }

  /**
   * While muted, every draw answers the natural value and records nothing (used while modules
   * load).
   */
  set muted(value: boolean) {
    this.#muted = value
  }

  /** Number of choices drawn so far in a lane. */
  count(lane: Lane): number {
    return this.#lanes[lane].length
  }

  /**
   * Draws one value in [min, max], both inclusive. Labels must be unique in their lane: see
   * `drawOrdinal`.
   */
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
   * Draws under a label that may be drawn more than once: the first keeps the label, the next are
   * `label#1`, ... A subject gets the same ordinal.
   */
  drawOrdinal<Value extends number | bigint>(
    lane: Lane,
    label: string,
    min: Value,
    max: Value,
    options: DrawOptions<Value> = {},
  ): Value {
    this.#repeats ??= { input: new RealMap(), schedule: new RealMap(), fault: new RealMap() }
    const repeats = this.#repeats[lane]
    const seen = repeats.get(label) ?? 0
    repeats.set(label, seen + 1)
    if (seen === 0) return this.draw(lane, label, min, max, options)
    const { subject } = options
    const repeated = subject === undefined ? options : { ...options, subject: { ...subject, ordinal: seen } }
    return this.draw(lane, `${label}#${seen}`, min, max, repeated)
  }

  /** Groups the choices that `action` draws in a lane under one label. */
  span<Result>(lane: Lane, label: string, action: () => Result): Result {
    const span = this.beginSpan(lane, label)
    try {
      return action()
    } finally {
      this.endSpan(span)
    }
  }

  /**
   * Begins a span, for those who call too often to pay for a closure; to be ended by `endSpan`, the
   * innermost first.
   */
  beginSpan(lane: Lane, label: string): Span | undefined {
    if (this.#spans.length >= MAX_SPANS) return undefined
    const span: Span = { lane, label, start: this.#lanes[lane].length, end: -1 }
    this.#spans.push(span)
    return span
  }

  /**
   * Ends a span; one in which nothing was drawn is forgotten, as there is nothing in it to change.
   */
  endSpan(span: Span | undefined): void {
    if (span === undefined) return
    span.end = this.#lanes[span.lane].length
    if (span.end === span.start && this.#spans.at(-1) === span) this.#spans.pop()
  }

  /** From here on it is remembered what generators make of choices; of at most MAX_PRODUCTS. */
  keepProducts(): void {
    this.#products = []
  }

  get products(): readonly Product[] {
    return this.#products ?? []
  }

  /** A generator has made a value of what was drawn in the lane of inputs since `start`. */
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

/** Makes a proposed value one of the range and of its type, whatever was proposed. */
function intoRange<Value extends number | bigint>(proposed: number | bigint, min: Value, max: Value): Value {
  if (typeof min === 'bigint') {
    const value = typeof proposed === 'bigint' ? proposed : BigInt(Math.trunc(Number.isFinite(proposed) ? proposed : 0))
    return clamp(value as Value, min, max)
  }
  // Adding zero makes -0, which no serial form keeps, 0.
  const value = Math.round(Number(proposed)) + 0
  return Number.isNaN(value) ? simplestValue(min, max) : clamp(value as Value, min, max)
}

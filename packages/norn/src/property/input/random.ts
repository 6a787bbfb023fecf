/**
 * fast-check's random source on a tape: every draw of an arbitrary is a typed choice of the input
 * lane.
 *
 * A clone is another cursor over the same sequence of draws, since fast-check clones a source to
 * draw the same numbers again (`Random.clone` in fast-check 4: equal futures).
 *
 * Where the tape proposes nothing, a draw takes the simplest value, so a `filter` could draw for
 * ever. After PATIENCE such draws a generation takes values of a fixed pseudo-random sequence of
 * slowly growing ranks, which are recorded like any choice. Invariant: such a value is a function
 * of its range and of the number of open draws before it, so a replay, which has the same open
 * draws or none, repeats the generation.
 */

import fc from 'fast-check'
import { clamp, type Lane, ofRank, simplestValue } from '../../contract/choice.ts'
import { describeReason, type InconclusiveReason } from '../../contract/inconclusive.ts'
import { pickLabel } from '../../schedule/picks.ts'
import { chance } from '../../tape/chance.ts'
import { Tape } from '../../tape/tape.ts'
import { exhaustedFilter, MAX_REFUSALS, refusedInARow } from './filters.ts'
import { Nesting } from './nesting.ts'

type RandomGenerator = ConstructorParameters<typeof fc.Random>[0]

/** The generator that fast-check requires; never used, since all drawing methods are overridden. */
const NO_GENERATOR = {
  clone: () => NO_GENERATOR,
  next: () => 0,
  jump: () => {},
  getState: () => [],
} as unknown as RandomGenerator

/** Open draws that take the simplest value; most generations draw fewer in all. */
const PATIENCE = 256
/** Open draws until the bound on the rank has doubled. */
const DOUBLING = 32
const STRAY_SALT = 0x73747261
const PICK = { kind: 'pick' } as const

/** A generation with more draws is abandoned: some filter rejects every value. */
const MAX_DRAWS = 200_000

/** The state that all cursors of a generation share. */
interface Draws {
  readonly tape: Tape
  readonly nesting: Nesting
  readonly lane: Lane
  /** The name in messages; the label is unique. */
  readonly name: string
  readonly label: string
  readonly values: (number | bigint)[]
  /** Draws for which the tape proposed nothing. */
  open: number
  /** Sources of picks derived from this one. */
  schedulers: number
  readonly refuse: Refuse
}

function newDraws(tape: Tape, lane: Lane, name: string, label: string, refuse: Draws['refuse']): Draws {
  return { tape, nesting: new Nesting(tape, name), lane, name, label, values: [], open: 0, schedulers: 0, refuse }
}

export class TapeRandom extends fc.Random {
  readonly #draws: Draws
  #position: number

  private constructor(draws: Draws, position: number) {
    super(NO_GENERATOR)
    this.#draws = draws
    this.#position = position
  }

  /**
   * A source for one generation; its draws are labelled `label.0`, `label.1`, ...
   *
   * @param refuse called when the generation does not end; throws. Default: throws a `RangeError`
   * @param ordinal distinguishes generations under one label
   */
  static over(tape: Tape, label: string, refuse: Refuse = giveUp, ordinal?: number): TapeRandom {
    const distinct = ordinal === undefined ? label : `${label}@${ordinal}`
    return new TapeRandom(newDraws(tape, 'input', label, distinct, refuse), 0)
  }

  /** The current place of the generation; shared by all cursors. */
  get nesting(): Nesting {
    return this.#draws.nesting
  }

  /** A source of picks (see `schedule/picks.ts`): its draws are choices of the schedule lane. */
  picks(): TapeRandom {
    const { tape, name, label, refuse } = this.#draws
    const ordinal = this.#draws.schedulers++
    return new TapeRandom(newDraws(tape, 'schedule', name, ordinal === 0 ? label : `${label}+${ordinal}`, refuse), 0)
  }

  /** Repeats the draws from the first, without the tape. */
  again(): TapeRandom {
    const { lane, name, label, refuse, values } = this.#draws
    return new TapeRandom({ ...newDraws(new Tape(() => undefined), lane, name, label, refuse), values: [...values] }, 0)
  }

  override clone(): TapeRandom {
    return new TapeRandom(this.#draws, this.#position)
  }

  override nextInt(min = -0x8000_0000, max = 0x7fff_ffff): number {
    return this.#draw(min, max)
  }

  override nextBigInt(min: bigint, max: bigint): bigint {
    return this.#draw(min, max)
  }

  override nextBoolean(): boolean {
    return this.#draw(0, 1) === 1
  }

  /** Of fast-check 2 and 3, for 64 bits: a sign, and words of 32 bits from the highest. */
  nextArrayInt(min: Words, max: Words): Words {
    const drawn = this.#draw(ofWords(min), ofWords(max))
    return toWords(drawn, Math.max(min.data.length, max.data.length))
  }

  override next(bits: number): number {
    return this.#draw(0, 2 ** bits - 1)
  }

  override nextDouble(): number {
    return (this.next(26) * 2 ** 27 + this.next(27)) * 2 ** -53
  }

  override getState(): undefined {
    return undefined
  }

  #draw<Value extends number | bigint>(min: Value, max: Value): Value {
    const { tape, lane, label, values } = this.#draws
    if (!(min <= max)) throw new RangeError(`an arbitrary drew an integer in ${min}..${max}: the range is empty`)
    const position = this.#position++
    if (position < values.length) {
      const earlier = values[position]!
      const typed = typeof min === 'bigint' ? BigInt(earlier) : Number(earlier)
      return clamp(typed as Value, min, max)
    }
    if (position >= MAX_DRAWS || refusedInARow() >= MAX_REFUSALS)
      this.#draws.refuse(endless(this.#draws.name, position))
    if (lane === 'schedule') {
      const pick = tape.draw(lane, pickLabel(label, position), min, max, PICK)
      values.push(pick)
      return pick
    }
    const leftOpen = () => straying(this.#draws.open++, min, max)
    const value = tape.draw(lane, `${label}.${position}`, min, max, { otherwise: leftOpen })
    values.push(value)
    return value
  }
}

/**
 * The value of the n-th open draw: the simplest at first, then of any rank below a bound that grows
 * with n.
 */
function straying<Value extends number | bigint>(n: number, min: Value, max: Value): Value {
  if (n < PATIENCE) return simplestValue(min, max)
  const rangeBits = (BigInt(max) - BigInt(min)).toString(2).length + 1
  const bits = Math.min(rangeBits, 1 + Math.floor((n - PATIENCE) / DOUBLING))
  const rank = chance(STRAY_SALT, n).bigint(0n, (1n << BigInt(bits)) - 1n)
  return ofRank(min, max, rank)
}

interface Words {
  readonly sign: number
  readonly data: readonly number[]
}

function ofWords({ sign, data }: Words): bigint {
  return BigInt(sign) * data.reduce((value, word) => (value << 32n) | BigInt(word), 0n)
}

function toWords(value: bigint, count: number): Words {
  const magnitude = value < 0n ? -value : value
  const wordAt = (_: unknown, index: number) => Number((magnitude >> BigInt(32 * (count - 1 - index))) & 0xffff_ffffn)
  return { sign: value < 0n ? -1 : 1, data: Array.from({ length: count }, wordAt) }
}

/** Ends the execution as inconclusive; throws. */
export type Refuse = (reason: InconclusiveReason) => never

function endless(input: string, choices: number): InconclusiveReason {
  const exhausted = exhaustedFilter()
  if (exhausted === undefined) return { kind: 'endless generation', input, choices }
  return { kind: 'filter exhausted', input, ...exhausted }
}

function giveUp(reason: InconclusiveReason): never {
  throw new RangeError(describeReason(reason))
}

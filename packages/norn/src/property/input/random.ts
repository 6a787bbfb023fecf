/**
 * fast-check's random source, answered from the tape: every draw of an arbitrary becomes a typed choice of the input
 * lane.
 *
 * fast-check clones a random source to draw the same numbers twice (`fc.clone`) or later (streams). So a clone here is
 * another cursor over the same sequence of draws: what one cursor has drawn, another reads again. Follows the semantics
 * of `Random.clone` in fast-check 4: equal futures.
 *
 * A tape that ran out, or has nothing to say, gives natural values; but `filter` draws until it likes what it gets, and
 * would draw for ever. So after PATIENCE draws that the tape left open, the values of one generation begin to stray from
 * natural: a fixed pseudo-random sequence of ranks that grow slowly, so that what passes at last is still small. They
 * are recorded like any other choice. Invariant: such a value is a function of its range and of how many draws were left
 * open before it, so a replay, which leaves open the same draws or none, gives the same generation.
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

/** fast-check wants a generator underneath; all drawing methods are overridden, so it is never asked. */
const NO_GENERATOR = {
  clone: () => NO_GENERATOR,
  next: () => 0,
  jump: () => {},
  getState: () => [],
} as unknown as RandomGenerator

/** Draws left open by the tape before their values stray from natural; most generations draw fewer in all. */
const PATIENCE = 256
/** Draws after which the ranks that may be taken have doubled. */
const DOUBLING = 32
const STRAY_SALT = 0x73747261
const PICK = { kind: 'pick' } as const

/** A generation that draws more than this is given up: some filter lets nothing pass. */
const MAX_DRAWS = 200_000

/** What all cursors of one generation share. */
interface Draws {
  readonly tape: Tape
  readonly nesting: Nesting
  readonly lane: Lane
  /** What a person calls it; its label tells it apart from others of that name. */
  readonly name: string
  readonly label: string
  readonly values: (number | bigint)[]
  /** How many draws the tape had nothing to say about. */
  open: number
  /** Sources of picks made of this one. */
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
   * @param refuse called when the generation does not end; throws. Unless given, a `RangeError`
   * @param ordinal tells generations under one label apart
   */
  static over(tape: Tape, label: string, refuse: Refuse = giveUp, ordinal?: number): TapeRandom {
    const distinct = ordinal === undefined ? label : `${label}@${ordinal}`
    return new TapeRandom(newDraws(tape, 'input', label, distinct, refuse), 0)
  }

  /** Where the generation is: shared by all cursors, as they draw in turns from one tape. */
  get nesting(): Nesting {
    return this.#draws.nesting
  }

  /** A source of picks (see `schedule/picks.ts`): its draws are choices of the schedule lane. */
  picks(): TapeRandom {
    const { tape, name, label, refuse } = this.#draws
    const ordinal = this.#draws.schedulers++
    return new TapeRandom(newDraws(tape, 'schedule', name, ordinal === 0 ? label : `${label}+${ordinal}`, refuse), 0)
  }

  /** The same draws from the first, so that what they made is made again; the tape does not hear of it. */
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

/** The value of the n-th draw that was left open: natural at first, then of any rank below a bound that grows with n. */
function straying<Value extends number | bigint>(n: number, min: Value, max: Value): Value {
  if (n < PATIENCE) return simplestValue(min, max)
  const rangeBits = (BigInt(max) - BigInt(min)).toString(2).length + 1
  const bits = Math.min(rangeBits, 1 + Math.floor((n - PATIENCE) / DOUBLING))
  const rank = chance(STRAY_SALT, n).bigint(0n, (1n << BigInt(bits)) - 1n)
  return ofRank(min, max, rank)
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

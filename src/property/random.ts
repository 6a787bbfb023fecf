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
import { chance } from '../tape/chance.ts'
import { clamp, naturalValue, ofRank } from '../tape/choice.ts'
import type { Tape } from '../tape/tape.ts'
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

/** A generation that draws more than this is given up: some filter lets nothing pass. */
const MAX_DRAWS = 200_000

/** What all cursors of one generation share. */
interface Draws {
  readonly tape: Tape
  readonly nesting: Nesting
  readonly label: string
  readonly values: (number | bigint)[]
  /** How many draws the tape had nothing to say about. */
  open: number
  readonly refuse: (what: string) => never
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
  static over(tape: Tape, label: string, refuse: (what: string) => never = giveUp, ordinal?: number): TapeRandom {
    const distinct = ordinal === undefined ? label : `${label}@${ordinal}`
    const nesting = new Nesting(tape, label)
    return new TapeRandom({ tape, nesting, label: distinct, values: [], open: 0, refuse }, 0)
  }

  /** Where the generation is: shared by all cursors, as they draw in turns from one tape. */
  get nesting(): Nesting {
    return this.#draws.nesting
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
    const { tape, label, values } = this.#draws
    const position = this.#position++
    if (position < values.length) {
      const earlier = values[position]!
      const typed = typeof min === 'bigint' ? BigInt(earlier) : Number(earlier)
      return clamp(typed as Value, min, max)
    }
    if (position >= MAX_DRAWS) {
      this.#draws.refuse(
        `the generation of '${label}' (${MAX_DRAWS} choices and no end: is it meant to be as large, or does a filter let nothing pass?)`,
      )
    }
    const leftOpen = () => straying(this.#draws.open++, min, max)
    const value = tape.draw('input', `${label}.${position}`, min, max, undefined, leftOpen)
    values.push(value)
    return value
  }
}

/** The value of the n-th draw that was left open: natural at first, then of any rank below a bound that grows with n. */
function straying<Value extends number | bigint>(n: number, min: Value, max: Value): Value {
  if (n < PATIENCE) return naturalValue(min, max)
  const rangeBits = (BigInt(max) - BigInt(min)).toString(2).length + 1
  const bits = Math.min(rangeBits, 1 + Math.floor((n - PATIENCE) / DOUBLING))
  const rank = chance(STRAY_SALT, n).bigint(0n, (1n << BigInt(bits)) - 1n)
  return ofRank(min, max, rank)
}

function giveUp(what: string): never {
  throw new RangeError(what)
}

/**
 * fast-check's random source, answered from the tape: every draw of an arbitrary becomes a typed choice of the input
 * lane.
 *
 * fast-check clones a random source to draw the same numbers twice (`fc.clone`) or later (streams). So a clone here is
 * another cursor over the same sequence of draws: what one cursor has drawn, another reads again. Follows the semantics
 * of `Random.clone` in fast-check 4: equal futures.
 */
import fc from 'fast-check'
import { clamp } from '../tape/choice.ts'
import type { Tape } from '../tape/tape.ts'

type RandomGenerator = ConstructorParameters<typeof fc.Random>[0]

/** fast-check wants a generator underneath; all drawing methods are overridden, so it is never asked. */
const NO_GENERATOR = {
  clone: () => NO_GENERATOR,
  next: () => 0,
  jump: () => {},
  getState: () => [],
} as unknown as RandomGenerator

/** What all cursors of one generation share. */
interface Draws {
  readonly tape: Tape
  readonly label: string
  readonly values: (number | bigint)[]
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
   * @param ordinal tells generations under one label apart
   */
  static over(tape: Tape, label: string, ordinal?: number): TapeRandom {
    return new TapeRandom({ tape, label: ordinal === undefined ? label : `${label}@${ordinal}`, values: [] }, 0)
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
    const value = tape.draw('input', `${label}.${position}`, min, max)
    values.push(value)
    return value
  }
}

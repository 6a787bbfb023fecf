/**
 * Mutation: makes the choices of a new execution from the record of one that was worth keeping.
 *
 * Several mutators may be stacked, as in AFL's havoc; which ones is a bandit's decision, by how
 * often each has paid so far. Mutators work on typed choices and on spans, never on bytes: what
 * they write is in the range of its choice, and what a span holds is moved as a whole.
 *
 * Invariant: the mutant is a function of the records, the bandit's counts and the random numbers.
 */

import type { Choice, Lane } from '../contract/choice.ts'
import { type Choices, type Product, type Span, type TapeRecord, UNBOUNDED } from '../contract/choices.ts'
import type { Operand } from '../contract/observation.ts'
import type { Chance } from '../tape/chance.ts'
import { Bandit } from './bandit.ts'
import type { Dictionary } from './dictionary.ts'
import type { Place } from './place.ts'

/** Two values that the program compared. */
export interface OperandPair {
  readonly left: Operand
  readonly right: Operand
}

/** A record under mutation. */
export interface Draft extends Record<Lane, Choice[]> {
  /** After how many choices the tape runs out. */
  length: number
  /** Of the input lane; none any more once a mutator has moved choices. */
  spans: readonly Span[]
}

/** What mutators work with. */
export interface Material {
  readonly chance: Chance
  /** Another entry's record, to take parts from. */
  readonly other: TapeRecord
  readonly operands: readonly OperandPair[]
  /** What generators made in it, and which choices make what. */
  readonly products: readonly Product[]
  readonly dictionary: Dictionary
  /** Where the entry's own mutation had its effect. */
  readonly place: Place | undefined
  /**
   * An index below `count`, near to where the entry's own mutation had its effect if it is to be,
   * else anywhere.
   */
  index(lane: Lane, count: number): number
}

export interface Mutator<From extends Material = Material> {
  readonly name: string
  readonly lane: Lane
  /**
   * Changes the draft, nowhere before the place that it gives; gives undefined if it found nothing
   * to change.
   */
  mutate(draft: Draft, material: From): number | undefined
}

export interface Mutant<From extends Material = Material> {
  readonly choices: Choices
  readonly place: Place | undefined
  readonly mutators: readonly Mutator<From>[]
}

/**
 * How mutants are made: how many mutators are stacked, each number as likely, and how often they
 * look near the entry's place.
 */
export interface MutationStyle {
  readonly stacks: readonly number[]
  readonly near: number
}

/** Looking for anything new, as AFL's havoc does. */
export const FREE: MutationStyle = { stacks: [1, 1, 1, 1, 2, 2, 4, 8], near: 0.5 }
/** Going on from what has just come nearer: in small steps, where it did. */
export const AIMED: MutationStyle = { stacks: [1, 1, 1, 1, 1, 2, 2, 4], near: 0.85 }

/** How far from that place, in the mean. */
const REACH = 4
/**
 * The share of mutants whose tape runs out where their parent's did: an input that grows needs
 * room.
 */
const SAME_LENGTH = 0.25

export class Mutation<From extends Material = Material> {
  readonly #style: MutationStyle
  readonly #bandit: Bandit<Mutator<From>>

  constructor(style: MutationStyle, mutators: readonly Mutator<From>[]) {
    this.#style = style
    this.#bandit = new Bandit(mutators)
  }

  /** @param other another entry's record */
  mutate(record: TapeRecord, from: Omit<From, 'chance' | 'index'>, chance: Chance): Mutant<From> {
    const draft: Draft = {
      input: [...record.input],
      schedule: [...record.schedule],
      fault: [...record.fault],
      length: chance.coin(SAME_LENGTH) ? record.length : UNBOUNDED,
      spans: record.spans.filter(({ lane }) => lane === 'input'),
    }
    const { stacks } = this.#style
    const near = chance.coin(this.#style.near)
    const material = {
      ...from,
      chance,
      index: (lane: Lane, count: number) => {
        const { place } = from
        if (!near || place === undefined || place.lane !== lane) return chance.integer(0, count - 1)
        const away = Math.floor(-REACH * Math.log(1 - chance.unit())) * (chance.coin(0.5) ? 1 : -1)
        return Math.max(0, Math.min(count - 1, place.index + away))
      },
    } as From
    const mutators: Mutator<From>[] = []
    let place: Place | undefined
    const stack = stacks[chance.integer(0, stacks.length - 1)]!
    for (let n = 0; n < stack; n++) {
      const mutator = this.#bandit.pick(chance, ({ lane }) => record[lane].length > 0)
      if (mutator === undefined || draft[mutator.lane].length === 0) continue
      const index = mutator.mutate(draft, material)
      if (index === undefined) continue
      mutators.push(mutator)
      if (place === undefined || (place.lane === mutator.lane && index < place.index))
        place = { lane: mutator.lane, index }
    }
    const { input, schedule, fault, length } = draft
    return { choices: { input, schedule, fault, length }, place, mutators }
  }

  /** Takes note of whether what these mutators made was worth keeping. */
  judge(mutators: readonly Mutator<From>[], paid: boolean): void {
    this.#bandit.judge(mutators, paid)
  }
}

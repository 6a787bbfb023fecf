/**
 * Mutation: makes the choices of a new execution from the record of a corpus entry.
 *
 * Mutators are stacked, as in AFL's havoc; a bandit picks them. They work on typed choices and
 * spans instead of bytes: values stay in the range of their choice, and a span moves as a whole.
 *
 * Invariant: a mutant is a function of the records, the bandit's counts and the random numbers.
 */

import type { Choice, Lane } from '../contract/choice.ts'
import { type Choices, type Product, type Span, type TapeRecord, UNBOUNDED } from '../contract/choices.ts'
import type { Operand } from '../contract/observation.ts'
import type { Chance } from '../tape/chance.ts'
import { Bandit } from './bandit.ts'
import type { Dictionary } from './dictionary.ts'

/** A position on a tape: the index of a choice in its lane. */
export interface Place {
  readonly lane: Lane
  readonly index: number
}

/** Two values that the program compared. */
export interface OperandPair {
  readonly left: Operand
  readonly right: Operand
}

/** A record under mutation. */
export interface Draft extends Record<Lane, Choice[]> {
  /** Choices until the tape ends. */
  length: number
  /** Spans of the input lane; empty once a mutator has moved choices. */
  spans: readonly Span[]
}

export interface Material {
  readonly chance: Chance
  /** The record of another entry. */
  readonly other: TapeRecord
  readonly operands: readonly OperandPair[]
  /** Values that generators made from its choices. */
  readonly products: readonly Product[]
  readonly dictionary: Dictionary
  /** Where the mutation that made the entry began. */
  readonly place: Place | undefined
  /** Draws an index below `count`: near `place` or anywhere, depending on the mutant. */
  index(lane: Lane, count: number): number
}

export interface Mutator<From extends Material = Material> {
  readonly name: string
  readonly lane: Lane
  /** Changes the draft. Returns the first index changed; undefined if nothing changed. */
  mutate(draft: Draft, material: From): number | undefined
}

export interface Mutant<From extends Material = Material> {
  readonly choices: Choices
  readonly place: Place | undefined
  readonly mutators: readonly Mutator<From>[]
}

export interface MutationStyle {
  /** Numbers of stacked mutators, all equally likely. */
  readonly stacks: readonly number[]
  /** The share of mutants that change choices near the entry's place. */
  readonly near: number
}

/** For new coverage, as in AFL's havoc. */
export const FREE: MutationStyle = { stacks: [1, 1, 1, 1, 2, 2, 4, 8], near: 0.5 }
/** For objectives: small steps near the latest progress. */
export const AIMED: MutationStyle = { stacks: [1, 1, 1, 1, 1, 2, 2, 4], near: 0.85 }

/** The mean distance from the place. */
const REACH = 4
/**
 * The share of mutants that keep the length of the tape; an input that grows needs a longer one.
 */
const SAME_LENGTH = 0.25

export class Mutation<From extends Material = Material> {
  readonly #style: MutationStyle
  readonly #bandit: Bandit<Mutator<From>>

  constructor(style: MutationStyle, mutators: readonly Mutator<From>[]) {
    this.#style = style
    this.#bandit = new Bandit(mutators)
  }

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

  /** Records whether a mutant of these mutators paid off. */
  judge(mutators: readonly Mutator<From>[], paid: boolean): void {
    this.#bandit.judge(mutators, paid)
  }
}

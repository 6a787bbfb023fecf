/**
 * Mutation of a cluster's execution: several mutators of its schedule one after the other, and now
 * and then some of what its clients ask for. Which mutators is a bandit's decision, as in
 * search/mutation.ts, whose mutators of inputs are taken as they are.
 */

import { type Choices, NO_CHOICES, UNBOUNDED } from '../../contract/choices.ts'
import { Bandit } from '../../search/bandit.ts'
import { Dictionary } from '../../search/dictionary.ts'
import { INPUT_MUTATORS } from '../../search/input-mutators.ts'
import { FREE, Mutation, type Mutator } from '../../search/mutation.ts'
import type { Chance } from '../../tape/chance.ts'
import { NATURAL } from '../steps.ts'
import type { Kept } from './archive.ts'
import { choicesOf, stepChoice } from './schedule.ts'
import type { StepMutator } from './step-mutator.ts'
import { STEP_MUTATORS } from './step-mutators.ts'

/** How many mutators of the schedule are stacked, each number as likely. */
const STACKS = [1, 1, 1, 1, 2, 2, 3, 5] as const
/** How many mutants look near the place that matters, and how far from it in the mean, in steps. */
const [NEAR, REACH] = [0.75, 4]
/** Of executions with an input, how many get another one. */
const INPUT_SHARE = 0.2

export interface ClusterMutant {
  readonly choices: Choices
  readonly mutators: readonly StepMutator[]
  readonly inputMutators: readonly Mutator[]
}

/**
 * Where an execution goes on from: what was kept, and after how many of its steps it showed what
 * matters.
 */
export interface Origin {
  readonly kept: Kept
  readonly at: number
}

export class StepMutation {
  readonly #bandit = new Bandit(STEP_MUTATORS)
  readonly #inputs = new Mutation(FREE, INPUT_MUTATORS)
  readonly #dictionary = new Dictionary()

  /** The steps that led to what matters; what follows is drawn by chance. */
  prefix({ kept, at }: Origin): ClusterMutant {
    return { choices: asChoices(kept, kept.steps.slice(0, at)), mutators: [], inputMutators: [] }
  }

  /**
   * The same, and of the `count` steps that follow some natural ones.
   *
   * @param origin undefined: the start
   */
  calmed(origin: Origin | undefined, count: number, share: number, chance: Chance): Choices {
    const at = origin?.at ?? 0
    const choices = origin === undefined ? NO_CHOICES : this.prefix(origin).choices
    const natural = Array.from({ length: count }, (_, more) => stepChoice(at + more, NATURAL, NATURAL))
    return { ...choices, schedule: [...choices.schedule, ...natural.filter(() => chance.coin(share))] }
  }

  /** @param other another one, to take parts from */
  mutate({ kept, at }: Origin, other: Kept, chance: Chance): ClusterMutant {
    const { codes } = kept
    if (kept.base.input.length > 0 && chance.coin(INPUT_SHARE)) return this.#otherInput(kept, other, chance)
    const steps = [...kept.steps]
    const isNear = chance.coin(NEAR)
    const index = (count: number) => {
      if (!isNear) return chance.integer(0, count - 1)
      const away = Math.floor(-REACH * Math.log(1 - chance.unit())) * (chance.coin(0.7) ? -1 : 1)
      return Math.max(0, Math.min(count - 1, at + away))
    }
    const mutators: StepMutator[] = []
    const stack = STACKS[chance.integer(0, STACKS.length - 1)]!
    for (let n = 0; n < stack; n++) {
      const mutator = this.#bandit.pick(chance, ({ suits }) => suits?.(codes) ?? true)!
      if (mutator.mutate(steps, { chance, codes, other: other.steps, index }) !== undefined) mutators.push(mutator)
    }
    return { choices: asChoices(kept, steps), mutators, inputMutators: [] }
  }

  judge({ mutators, inputMutators }: ClusterMutant, paid: boolean): void {
    this.#bandit.judge(mutators, paid)
    this.#inputs.judge(inputMutators, paid)
  }

  #otherInput(kept: Kept, other: Kept, chance: Chance): ClusterMutant {
    const { choices, mutators } = this.#inputs.mutate(
      kept.base,
      {
        other: other.base,
        dictionary: this.#dictionary,
        operands: [],
        products: [],
        place: undefined,
      },
      chance,
    )
    return {
      choices: { ...asChoices(kept, kept.steps), input: choices.input },
      mutators: [],
      inputMutators: mutators,
    }
  }
}

/** The choices of a kept execution with other steps. */
export function asChoices({ base, others, codes }: Kept, steps: readonly number[]): Choices {
  const schedule = choicesOf({ steps, others }, codes)
  return { input: base.input, schedule, fault: base.fault, length: UNBOUNDED }
}

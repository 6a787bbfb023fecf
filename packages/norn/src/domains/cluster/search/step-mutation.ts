/**
 * Mutation of a cluster's execution: a stack of mutators of its schedule, or sometimes a mutator of
 * its requests (search/mutation.ts). A bandit chooses the mutators.
 */

import { NATURAL } from '../../../cluster/steps.ts'
import { type Choices, NO_CHOICES, UNBOUNDED } from '../../../contract/choices.ts'
import { Bandit } from '../../../search/bandit.ts'
import { Dictionary } from '../../../search/dictionary.ts'
import { INPUT_MUTATORS } from '../../../search/input-mutators.ts'
import { FREE, Mutation, type Mutator } from '../../../search/mutation.ts'
import type { Chance } from '../../../tape/chance.ts'
import type { ArchivedExecution } from './archive.ts'
import { choicesOf, stepChoice } from './schedule.ts'
import type { StepMutator } from './step-mutator.ts'
import { STEP_MUTATORS } from './step-mutators.ts'

/** The number of stacked mutators is drawn from these. */
const STACKS = [1, 1, 1, 1, 2, 2, 3, 5] as const
/** The share of mutants that change the schedule near the cell, and their mean distance in steps. */
const [NEAR, REACH] = [0.75, 4]
/** The share of mutants that change the requests, if they are generated. */
const INPUT_SHARE = 0.2

export interface ClusterMutant {
  readonly choices: Choices
  readonly mutators: readonly StepMutator[]
  readonly inputMutators: readonly Mutator[]
}

/** Where an execution continues from: an archived execution, and the number of steps to the cell. */
export interface Origin {
  readonly kept: ArchivedExecution
  readonly at: number
}

export class StepMutation {
  readonly #bandit = new Bandit(STEP_MUTATORS)
  readonly #inputs = new Mutation(FREE, INPUT_MUTATORS)
  readonly #dictionary = new Dictionary()

  /** Keeps the steps to the cell; later steps are drawn by the strategy. */
  prefix({ kept, at }: Origin): ClusterMutant {
    return { choices: asChoices(kept, kept.steps.slice(0, at)), mutators: [], inputMutators: [] }
  }

  /**
   * Keeps the steps to the cell, and repeats the last one half as often as it is among them: what
   * was last productive is stretched by 1.5. (The replay of ModelFuzz's published harness overshoots
   * its parent by that much, which is what finds its bug.)
   */
  stretch({ kept, at }: Origin): ClusterMutant {
    const steps = kept.steps.slice(0, at)
    const last = steps.at(-1)
    const more = steps.filter((step) => step === last).length / 2
    const stretched = [...steps, ...new Array<number>(Math.ceil(more)).fill(last ?? NATURAL)]
    return { choices: asChoices(kept, stretched), mutators: [], inputMutators: [] }
  }

  /**
   * Keeps the steps to the cell; of the `count` later steps a share are default steps.
   *
   * @param origin undefined for the start
   */
  continued(origin: Origin | undefined, count: number, share: number, chance: Chance): Choices {
    const at = origin?.at ?? 0
    const choices = origin === undefined ? NO_CHOICES : this.prefix(origin).choices
    const defaults = Array.from({ length: count }, (_, more) => stepChoice(at + more, NATURAL, NATURAL))
    return { ...choices, schedule: [...choices.schedule, ...defaults.filter(() => chance.coin(share))] }
  }

  /** @param other another archived execution, to take parts from */
  mutate({ kept, at }: Origin, other: ArchivedExecution, chance: Chance): ClusterMutant {
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

  #otherInput(kept: ArchivedExecution, other: ArchivedExecution, chance: Chance): ClusterMutant {
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

/** The choices of an archived execution with other steps. */
export function asChoices({ base, others, codes }: ArchivedExecution, steps: readonly number[]): Choices {
  const schedule = choicesOf({ steps, others }, codes)
  return { input: base.input, schedule, fault: base.fault, length: UNBOUNDED }
}

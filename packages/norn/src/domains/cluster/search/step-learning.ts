/**
 * What a campaign learns about classes of steps (cluster/step-classes.ts): factors for the weights of
 * random steps, so that executions spend fewer of their steps on what shows nothing.
 *
 * What a step shows counts the more the less the steps of its class have shown so far: else what is
 * easy to reach is all that counts (on etcd-raft elections), and bugs elsewhere are found later.
 *
 * Two means for each class: `shown`, the new behaviour that its steps showed themselves; and `gain`,
 * the discounted new behaviour of the steps after them, beyond what is usual at that place of an
 * execution and in that situation of the nodes: a step deserves no credit for where it was. The
 * factor is shown^1.5 exp(gain), both relative to the mean of all steps.
 *
 * Invariants: a function of the executions so far; classes are bounded, and further ones keep
 * factor 1; a table of factors never changes, so a plan with it repeats its execution.
 */
import type { DrawnSteps } from '../../../contract/observation.ts'
import { NO_WEIGHTS, type StepWeights } from '../../../contract/plan.ts'

interface Learnt {
  shown: number
  gain: number
  /** All that its steps have shown. */
  news: number
  /** Steps seen, with those that each prior counts as. */
  shownSteps: number
  gainSteps: number
}

/** The steps that the priors count as, and those that a mean remembers. */
const [SHOWN_PRIOR, GAIN_PRIOR, WINDOW] = [20, 30, 500]
/** The steps that the mean of all steps remembers. */
const LONG_WINDOW = 10_000
/** How much a later step counts for the one before it. */
const DISCOUNT = 0.95
/** The rate of the mean for each place of an execution. */
const PLACE_RATE = 0.02
/** Relative to the mean: the least `shown`, and the largest exponent of `gain` either way. */
const [LEAST, MOST_GAIN] = [0.02, 3]
const SHOWN_POWER = 1.5
/** The power of the relative rarity of a class in the value of its news, and the bound of the value either way. */
const [RARITY_POWER, MOST_VALUE] = [0.5, 8]
/** News of a step below which there is hardly anything to learn from: factors approach 1. */
const RARE = 0.01
const MAX_CLASSES = 4096
const MAX_SITUATIONS = 1 << 14
/** Executions for which a table is used: making one takes a while. */
const TABLE_EXECUTIONS = 8

/** What counts beside what a step shows itself. */
export interface LearningCounts {
  /** The steps after it. */
  readonly gains: boolean
  /** How much is usual in its situation. */
  readonly situations: boolean
  /** How little its class has shown. */
  readonly rarity: boolean
}

const EVERYTHING: LearningCounts = { gains: true, situations: true, rarity: true }

export class StepLearning {
  readonly #counts: LearningCounts
  readonly #learnt = new Map<number, Learnt>()
  /** The usual discounted news after each place, and beyond that in each situation. */
  readonly #usual: number[] = []
  readonly #situations = new Map<number, { value: number; steps: number }>()
  /** The mean news of a step. */
  #mean = 1
  /** What all steps have shown. */
  #news = 0
  #steps = SHOWN_PRIOR
  #executions = 0
  /** By power. */
  readonly #tables = new Map<number, StepWeights>()

  constructor(counts = EVERYTHING) {
    this.#counts = counts
  }

  /** The factors as of a few executions ago, each to this power: 0 means that all classes are alike. */
  weights(power: number): StepWeights {
    if (power === 0) return NO_WEIGHTS
    let table = this.#tables.get(power)
    if (table === undefined) this.#tables.set(power, (table = this.#weightsOf(power)))
    return table
  }

  /**
   * @param drawn scheduled steps; those without a class teach nothing
   * @param news what each step showed that the campaign had not seen
   */
  learn({ classes, situations }: DrawnSteps, news: readonly number[]): void {
    let later = 0
    for (let place = classes.length - 1; place >= 0; place--) {
      const stepClass = classes[place]
      const shown = this.#valueOf(stepClass, news[place] ?? 0)
      if (stepClass !== undefined)
        this.#learnStep(stepClass, shown, later - this.#usualAt(place, situations[place]!, later))
      later = shown + DISCOUNT * later
    }
    if (++this.#executions % TABLE_EXECUTIONS === 0) this.#tables.clear()
  }

  #valueOf(stepClass: number | undefined, news: number): number {
    if (!this.#counts.rarity || stepClass === undefined || news === 0) return news
    const learnt = this.#learntOf(stepClass)
    if (learnt === undefined) return news
    learnt.news += news
    this.#news += news
    const rarity = this.#news / this.#learnt.size / learnt.news
    return news * Math.max(1 / MOST_VALUE, Math.min(MOST_VALUE, rarity ** RARITY_POWER))
  }

  #learnStep(stepClass: number, shown: number, beyond: number): void {
    this.#mean += (shown - this.#mean) / Math.min(LONG_WINDOW, ++this.#steps)
    const learnt = this.#learntOf(stepClass)
    if (learnt === undefined) return
    learnt.shown += (shown - learnt.shown) / Math.min(WINDOW, ++learnt.shownSteps)
    learnt.gain += (beyond - learnt.gain) / Math.min(WINDOW, ++learnt.gainSteps)
  }

  /** What was usual before, which then is updated. */
  #usualAt(place: number, situation: number, later: number): number {
    const usual = this.#usual[place] ?? later
    this.#usual[place] = usual + PLACE_RATE * (later - usual)
    if (!this.#counts.situations) return usual
    let known = this.#situations.get(situation)
    if (known === undefined) {
      if (this.#situations.size >= MAX_SITUATIONS) return usual
      this.#situations.set(situation, (known = { value: 0, steps: GAIN_PRIOR }))
    }
    const { value } = known
    known.value += (later - usual - value) / Math.min(WINDOW, ++known.steps)
    return usual + value
  }

  #learntOf(stepClass: number): Learnt | undefined {
    const known = this.#learnt.get(stepClass)
    if (known !== undefined || this.#learnt.size >= MAX_CLASSES) return known
    const learnt = { shown: this.#mean, gain: 0, news: 1, shownSteps: SHOWN_PRIOR, gainSteps: GAIN_PRIOR }
    this.#learnt.set(stepClass, learnt)
    return learnt
  }

  #weightsOf(power: number): StepWeights {
    const factors: number[] = []
    const mean = this.#mean + RARE
    for (const { shown, gain } of this.#learnt.values()) {
      const exponent = this.#counts.gains ? gain / mean : 0
      const ahead = Math.exp(Math.max(-MOST_GAIN, Math.min(MOST_GAIN, exponent)))
      const factor = Math.max(LEAST, (shown + RARE) / mean) ** SHOWN_POWER * ahead
      factors.push(Number((factor ** power).toPrecision(3)))
    }
    return { classes: [...this.#learnt.keys()], factors }
  }
}

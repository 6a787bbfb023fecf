/**
 * The unguided planner: divides executions between inputs and schedules.
 *
 * The n-th plan is a function of the seed, the options and the results so far. The order is: the
 * simplest input under the default schedule; each example under a few schedules; generated inputs,
 * each under a few schedules, the first of which is the default schedule. A property without
 * schedule points and operations that could meet a fault gets one execution an input; a property
 * without inputs gets schedules only.
 */

import type { ExecutionResult } from '../contract/execution.ts'
import {
  DEFAULT_PLAN,
  type Estimates,
  type ExecutionName,
  type InputPlan,
  NO_ESTIMATES,
  type Plan,
} from '../contract/plan.ts'
import { type StrategyChooser, strategyChooser } from '../schedule/portfolio.ts'
import { chance, mix } from '../tape/chance.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import type { CampaignPlanner, PlannerOptions } from './domain.ts'

/** Executions of an input. */
const SCHEDULES = 5

/** The length of a tape that is not short, in choices. */
export const FULL_LENGTH = 1 << 20
const SHORT_SHARE = 0.2

/** Weight of the latest execution in the running estimates. */
const FRESHNESS = 0.2

export class Planner {
  readonly #options: PlannerOptions
  readonly #strategyOf: StrategyChooser
  #estimates: Estimates = NO_ESTIMATES
  #faultPoints = 0
  #observed = false
  #hasInput = false
  #hasSchedule = false
  #next = 0
  #block = 0
  #ordinal = 0

  constructor(options: PlannerOptions) {
    this.#options = options
    this.#strategyOf = strategyChooser(options.strategy)
  }

  next(): Plan {
    const index = this.#next++
    if (index === 0) return DEFAULT_PLAN
    if (index === 1) this.#ordinal = this.#firstOrdinal()
    if (this.#ordinal >= this.#schedulesPerInput()) {
      this.#ordinal = this.#firstOrdinal()
      this.#block++
    }
    return this.#plan(this.#block, this.#ordinal++)
  }

  observe(result: ExecutionResult): void {
    if (result.voided !== undefined) return
    this.#hasInput ||= result.inputChoices > 0
    this.#hasSchedule ||= result.points > 0 || (result.faultPoints ?? 0) > 0
    this.#observeFaults(result)
    const { points, chains, durationUs } = result
    if (points === 0) return
    if (!this.#observed) this.#estimates = { points, chains, durationUs }
    this.#observed = true
    const blend = (old: number, now: number) => old + FRESHNESS * (now - old)
    const e = this.#estimates
    this.#estimates = {
      points: blend(e.points, points),
      chains: blend(e.chains, chains),
      durationUs: blend(e.durationUs, durationUs),
    }
  }

  /**
   * Injected faults can end an execution early and exhaust its budget of faults, after which no
   * operation counts. So such executions only raise the estimate.
   */
  #observeFaults({ faultPoints = 0, faults = [] }: ExecutionResult): void {
    if (faults.length > 0) this.#faultPoints = Math.max(this.#faultPoints, faultPoints)
    else this.#faultPoints += (this.#faultPoints === 0 ? 1 : FRESHNESS) * (faultPoints - this.#faultPoints)
  }

  #schedulesPerInput(): number {
    if (!this.#hasSchedule) return 1
    return this.#hasInput ? SCHEDULES : SCHEDULES_PER_INPUT
  }

  /** Without inputs the default schedule needs no second run. */
  #firstOrdinal(): number {
    return this.#hasSchedule && !this.#hasInput && this.#options.examples === 0 ? 1 : 0
  }

  #plan(block: number, ordinal: number): Plan {
    const { seed, strategy, examples } = this.#options
    const inputPart = (mix(mix(seed) ^ block) & 0x0fff_ffff) >>> 0
    // After the end of a tape latencies are 0, which would void a guarantee by depth.
    const long = !this.#hasInput && this.#strategyOf(ordinal).aimsAt !== undefined
    const name: ExecutionName = {
      seed: inputPart * SCHEDULES_PER_INPUT + ordinal,
      length: long ? FULL_LENGTH : tapeLength(inputPart),
    }
    const input: InputPlan = block < examples ? { from: 'example', index: block } : { from: 'tape' }
    return { input, choices: { from: 'strategy', strategy, name, estimates: this.estimates } }
  }

  get estimates(): Estimates {
    const { points, chains, durationUs } = this.#estimates
    return {
      points: Math.round(points),
      chains: Math.round(chains),
      durationUs: Math.round(durationUs),
      ...(this.#faultPoints === 0 ? {} : { faultPoints: Math.round(this.#faultPoints) }),
    }
  }
}

/**
 * Most tapes are long enough for any input; some are short, which gives small inputs and simple
 * endings. The schedules of an input share the length, as it affects the input.
 */
function tapeLength(inputPart: number): number {
  const draws = chance(0x6c656e67, inputPart)
  return draws.coin(SHORT_SHARE) ? Math.round(8 * 64 ** draws.unit()) : FULL_LENGTH
}

export function unguided(options: PlannerOptions): CampaignPlanner {
  const planner = new Planner(options)
  return { isUnguided: true, next: () => planner.next(), observe: (_, result) => planner.observe(result) }
}

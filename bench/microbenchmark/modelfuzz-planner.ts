/**
 * The policy of ModelFuzz ("Model-guided Fuzzing of Distributed Systems"), for comparison: a set of
 * random schedules, then a FIFO queue of mutants, five for each abstract state that an execution
 * reached first; when the queue is empty, another set. Under its
 * guidance by traces an execution of a new happens-before class counts as one state.
 *
 * Departures, in its favour: its generator names any channel, most of which are empty, and so
 * wastes most of its steps; here, as in its harness for actors, it picks among enabled steps. Steps
 * that a mutant lacks, as others were skipped, are random too. In the published harnesses a
 * replayed request is lost and crashes are never swapped; here both follow the paper.
 *
 * The paper does not give the number of swaps of a mutant. The published harness for etcd makes
 * twenty of each kind; in the microbenchmark a single swap does better. The published harness for
 * actors replays a list of recorded events that lets an execution go on further than its parent, in
 * 1,000 scheduling points; published/ simulates it.
 *
 * Invariant: the n-th plan is a function of the options and the results so far.
 */

import type { StepCodes } from '../../packages/norn/src/cluster/steps.ts'
import type { GuidedState } from '../../packages/norn/src/contract/campaign-summary.ts'
import { NO_CHOICES, type TapeRecord, UNBOUNDED } from '../../packages/norn/src/contract/choices.ts'
import type { ExecutionResult } from '../../packages/norn/src/contract/execution.ts'
import { DEFAULT_PLAN, type InputPlan, NO_ESTIMATES, type Plan } from '../../packages/norn/src/contract/plan.ts'
import { ClusterFeatures } from '../../packages/norn/src/domains/cluster/search/cluster-features.ts'
import { choicesOf, type Schedule, scheduleOf } from '../../packages/norn/src/domains/cluster/search/schedule.ts'
import { SWAP_MUTATORS } from '../../packages/norn/src/domains/cluster/search/swap-mutators.ts'
import type { CampaignPlanner, GuidedOptions } from '../../packages/norn/src/search/domain.ts'
import { type Chance, chance } from '../../packages/norn/src/tape/chance.ts'

export interface ModelFuzzOptions {
  /** Random schedules of a set; 20 unless set. */
  readonly seeds?: number
  /** Mutants for each new state; 5 unless set. */
  readonly mutants?: number
  /** How many swaps of each kind make a mutant; undefined is one swap of one kind. */
  readonly swaps?: number
}

/** Mutants that wait; of more none is made. */
const MAX_QUEUE = 1 << 18
const MODELFUZZ_DOMAIN = 0x6d66757a

/** One execution, of which so many mutants are still to be made. */
interface Waiting {
  readonly input: InputPlan
  readonly record: TapeRecord
  readonly schedule: Schedule
  left: number
}

export class ModelFuzzPlanner implements CampaignPlanner {
  readonly #seeds: number
  readonly #mutants: number
  readonly #swaps: number | undefined
  readonly #byTrace: boolean
  readonly #chance: Chance
  readonly #features: ClusterFeatures
  readonly #queue: Waiting[] = []
  #waiting = 0
  #codes: StepCodes | undefined
  #random = 0
  #planned = 0
  #lastDiscovery = 0
  isUnguided = true

  constructor(options: Pick<GuidedOptions, 'seed' | 'guide'>, settings: ModelFuzzOptions = {}) {
    this.#seeds = settings.seeds ?? 20
    this.#mutants = settings.mutants ?? 5
    this.#swaps = settings.swaps
    this.#byTrace = options.guide.trace && !options.guide.model
    this.#chance = chance(MODELFUZZ_DOMAIN, options.seed)
    this.#features = new ClusterFeatures(options.guide)
    this.#random = this.#seeds
  }

  get state(): GuidedState {
    const { branches, states, traces } = this.#features.counts
    const lastDiscovery = this.#lastDiscovery
    const corpus = this.#queue.length
    return { branches, order: 0, classes: 0, corpus, objectives: 0, unstable: 0, lastDiscovery, traces, states }
  }

  next(): Plan {
    this.#planned++
    const observe = { counters: false, order: false, comparisons: false, model: true }
    if (this.#planned === 1) return { ...DEFAULT_PLAN, observe }
    return { ...this.#next(), observe }
  }

  observe(plan: Plan, { observation, verdict }: ExecutionResult): void {
    const cluster = observation?.cluster
    if (observation === undefined || cluster === undefined || verdict === 'void') return
    this.#codes = cluster.codes as StepCodes
    const { newStates, newTraces } = this.#features.observe(observation, cluster)
    const worth = this.#byTrace ? newTraces : newStates
    if (worth === 0) return
    this.#lastDiscovery = this.#planned
    const left = Math.min(worth * this.#mutants, MAX_QUEUE - this.#waiting)
    if (verdict !== 'passed' || left <= 0) return
    const record = observation.choices()
    this.#waiting += left
    this.#queue.push({ input: plan.input, record, schedule: scheduleOf(record.schedule), left })
  }

  #next(): Plan {
    const first = this.#queue[0]
    // A set is run as a whole before its mutants.
    if (this.#random === 0 && first === undefined) this.#random = this.#seeds
    this.isUnguided = this.#random > 0 || this.#codes === undefined || first === undefined
    const name = { seed: this.#chance.bits(), length: UNBOUNDED }
    const byChance = { strategy: 'random', name, estimates: { ...NO_ESTIMATES } }
    if (this.isUnguided) {
      this.#random--
      return { input: { from: 'tape' }, choices: { from: 'strategy', ...byChance } }
    }
    const { input, record, schedule } = first!
    this.#waiting--
    if (--first!.left === 0) this.#queue.shift()
    const steps = choicesOf({ steps: this.#mutate(schedule.steps), others: schedule.others }, this.#codes!)
    const choices = { ...NO_CHOICES, input: record.input, schedule: steps, fault: record.fault }
    return { input, choices: { from: 'mutation', choices, ...byChance } }
  }

  #mutate(steps: readonly number[]): number[] {
    const draws = this.#chance
    const codes = this.#codes!
    const mutated = [...steps]
    const material = { chance: draws, codes, other: steps, index: (count: number) => draws.integer(0, count - 1) }
    const suited = SWAP_MUTATORS.filter(({ suits }) => suits?.(codes) ?? true)
    if (this.#swaps === undefined) suited[draws.integer(0, suited.length - 1)]!.mutate(mutated, material)
    else for (const { mutate } of suited) for (let n = 0; n < this.#swaps; n++) mutate(mutated, material)
    return mutated
  }
}

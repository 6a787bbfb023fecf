/**
 * Which execution of a cluster comes next: norn's own policy.
 *
 * It begins unguided, by chance among what is possible at each step. What executions show is kept in an archive of cells,
 * each with the steps that lead there (archive.ts). Then most executions return to a cell, one that was seldom reached, and
 * go on from there: some by chance at once, the others by mutants of the execution that reached it, changed
 * near the place (step-mutation.ts), which reach what no continuation can. A share stays unguided, a tenth while there is
 * progress and half where there is none; from it alone estimates are made.
 *
 * Departures from ModelFuzz (modelfuzz-planner.ts): the steps up to the new state are kept as they were, so that it is
 * reached again for certain; energy goes to what is rare instead of first come, first served; what a mutant has no step
 * for is one of the things that are possible, so that no step is wasted.
 *
 * Invariant: the n-th plan is a function of the options, the records at the start and the results so far; no clock has a
 * say.
 */

import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { ClusterObservation, Observation } from '../../contract/observation.ts'
import type { InputPlan, Plan } from '../../contract/plan.ts'
import type { CampaignPlanner } from '../../search/campaign.ts'
import { guideFor, isGuided } from '../../search/guided/guide.ts'
import type { GuidedPlannerOptions, GuidedState, KeptOfCampaign } from '../../search/guided/guided-planner.ts'
import { Planner } from '../../search/planner.ts'
import { type Chance, chance } from '../../tape/chance.ts'
import type { StepCodes } from '../steps.ts'
import { Archive, type Cell, Kept } from './archive.ts'
import { ClusterFeatures, type ClusterShown } from './cluster-features.ts'
import { clusterStrategy } from './cluster-strategy.ts'
import { performedOnly, scheduleOf } from './schedule.ts'
import { type ClusterMutant, StepMutation } from './step-mutation.ts'

/** Executions before anything is mutated. */
const WARM_UP = 20
/** Of what comes then, how much stays unguided: where there is progress, and where there is none. */
const [UNGUIDED_HOT, UNGUIDED_COLD] = [0.1, 0.5]
/** How fast it is forgotten that there was progress. */
const FRESHNESS = 0.01
/** Of the executions that return to a cell, how many to the newest one, as long as it is new. */
const NEWEST = 0.2
/** Of the executions that return to a cell, how many go on by chance from there; the others are mutants. */
const CONTINUED = 0.4
/** Of the executions that go on, how many do so in the order of time. */
const NATURAL_TAILS = 0.1
/** How often it is asked what others have found, in executions. */
const POLLED_EVERY = 256
const CLUSTER_DOMAIN = 0x636c7573

type Origin =
  | { readonly kind: 'unguided' | 'resumed' }
  | { readonly kind: 'mutant'; readonly cell: Cell; readonly mutant: ClusterMutant }

export class ClusterPlanner implements CampaignPlanner {
  readonly #options: GuidedPlannerOptions
  readonly #unguided: Planner
  readonly #chance: Chance
  readonly #features: ClusterFeatures
  readonly #archive: Archive
  readonly #mutation = new StepMutation()
  readonly #resumed: Choices[]
  #origin: Origin = { kind: 'unguided' }
  #planned = 0
  #lastDiscovery = 0
  /** How many of the latest guided executions showed something new. */
  #heat = 1

  constructor(given: GuidedPlannerOptions) {
    const options = { ...given, guide: guideFor(given.guide, 'cluster') }
    const { corpusObserver } = options
    this.#options = options
    this.#unguided = new Planner({ ...options, strategy: clusterStrategy(options.strategy) })
    this.#chance = chance(CLUSTER_DOMAIN, options.seed)
    this.#features = new ClusterFeatures(options.guide)
    this.#resumed = isGuided(options.guide) ? [...options.resumed] : []
    this.#archive = new Archive({
      added: (kept) => corpusObserver?.added(kept),
      removed: (kept) => corpusObserver?.removed(kept),
    })
  }

  get isUnguided(): boolean {
    return this.#origin.kind === 'unguided'
  }

  get state(): GuidedState {
    const { branches, order, states, traces } = this.#features.counts
    const corpus = this.#archive.executions
    const lastDiscovery = this.#lastDiscovery
    return { branches, order, classes: 0, corpus, objectives: 0, unstable: 0, lastDiscovery, traces, states }
  }

  /** What is worth keeping: the executions that lead to cells, and the records that were not run yet. */
  get kept(): KeptOfCampaign {
    return { entries: this.#archive.kept, unseen: this.#resumed }
  }

  next(): Plan {
    this.#planned++
    const { edges } = this.#options.guide
    return { ...this.#next(), observe: { counters: edges, order: false, comparisons: false } }
  }

  observe(plan: Plan, result: ExecutionResult): void {
    this.#unguided.observe(result)
    const { observation } = result
    const cluster = observation?.cluster
    if (observation === undefined || cluster === undefined || result.verdict === 'void') return
    const shown = this.#features.observe(observation, cluster)
    const isNew = shown.fresh.length > 0
    if (isNew || shown.newStates > 0) this.#lastDiscovery = this.#planned
    this.#judge(isNew)
    // What fails has been found: its mutants would be found again.
    if (result.verdict === 'passed' && isGuided(this.#options.guide))
      this.#keep(plan.input, observation, cluster, shown)
  }

  #next(): Plan {
    const { skip = 0, corpusObserver, guide } = this.#options
    const guided = isGuided(guide)
    if (guided && this.#planned % POLLED_EVERY === 0) this.#resumed.push(...(corpusObserver?.poll?.() ?? []))
    const resumed = this.#planned > Math.max(1, skip) ? this.#resumed.shift() : undefined
    if (resumed !== undefined) {
      this.#origin = { kind: 'resumed' }
      return { input: { from: 'tape' }, choices: { from: 'record', choices: resumed } }
    }
    const isWarm = guided && this.#planned > WARM_UP && this.#archive.size > 0
    if (isWarm && !this.#chance.coin(this.#unguidedShare())) return this.#mutant()
    this.#origin = { kind: 'unguided' }
    return this.#unguided.next()
  }

  #mutant(): Plan {
    const draws = this.#chance
    const cell = (draws.coin(NEWEST) ? this.#archive.newest() : undefined) ?? this.#archive.pick(draws)
    const { kept } = cell
    const at = cell.at < 0 ? draws.integer(0, kept.steps.length) : cell.at
    const mutant = draws.coin(CONTINUED)
      ? this.#mutation.prefix({ kept, at })
      : this.#mutation.mutate({ kept, at }, this.#archive.pick(draws).kept, draws)
    this.#origin = { kind: 'mutant', cell, mutant }
    return {
      input: kept.input,
      choices: {
        from: 'mutation',
        choices: mutant.choices,
        strategy: draws.coin(NATURAL_TAILS) ? 'natural' : 'random',
        name: { seed: draws.bits(), length: UNBOUNDED },
        estimates: this.#unguided.estimates,
      },
    }
  }

  #judge(paid: boolean): void {
    const origin = this.#origin
    if (origin.kind !== 'mutant') return
    this.#heat += FRESHNESS * (Number(paid) - this.#heat)
    this.#mutation.judge(origin.mutant, paid)
    if (paid) origin.cell.vain = 0
    else origin.cell.vain++
  }

  /** The execution becomes the way to whatever it was the first to show, or shows after fewer steps than others. */
  #keep(
    input: InputPlan,
    observation: Observation,
    cluster: ClusterObservation,
    { guiding, fresh }: ClusterShown,
  ): void {
    let made: { kept: Kept; left: (count: number) => number } | undefined
    const make = () => (made ??= keptOf(input, observation, cluster))
    const isFresh = fresh.length > 0 ? new Set(fresh.map(({ feature }) => feature)) : NOTHING_FRESH
    for (const { feature, after } of guiding) {
      const cell = this.#archive.see(feature)
      if (cell === undefined && !isFresh.has(feature)) continue
      if (cell !== undefined && (after < 0 || after >= cell.at)) continue
      const { kept, left } = make()
      const at = after < 0 ? -1 : left(after)
      if (cell === undefined || at < cell.at) this.#archive.reach(feature, kept, at)
    }
  }

  #unguidedShare(): number {
    return UNGUIDED_COLD + (UNGUIDED_HOT - UNGUIDED_COLD) * Math.min(1, 10 * this.#heat)
  }
}

const NOTHING_FRESH: ReadonlySet<number> = new Set()

function keptOf(
  input: InputPlan,
  observation: Observation,
  cluster: ClusterObservation,
): { kept: Kept; left: (count: number) => number } {
  const record = observation.choices()
  const { steps, others } = scheduleOf(record.schedule)
  const possible = performedOnly(steps, cluster.performed)
  const base = { ...record, schedule: [] }
  const codes = cluster.codes as StepCodes
  return { kept: new Kept({ input, base, steps: possible.steps, others, codes }), left: possible.left }
}

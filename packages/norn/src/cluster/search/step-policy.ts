/**
 * The policy for steps: norn's own for clusters.
 *
 * What executions show is kept in an archive of cells, each with the steps that lead there
 * (archive.ts). Most executions return to a cell that was seldom reached and continue from there:
 * some by chance, the others as mutants of the execution that reached it, changed near the place
 * (step-mutation.ts), which reach what no continuation can.
 *
 * Departures from ModelFuzz ("Model-guided Fuzzing of Distributed Systems"): a mutant keeps the
 * steps up to the new state, so that it reaches the state again; energy goes to rare cells instead
 * of first come, first served; where a mutant has no step, one of the possible steps is drawn, so
 * that none is wasted.
 */

import { UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { ClusterObservation, Observation } from '../../contract/observation.ts'
import type { Estimates, InputPlan, Observing, Plan } from '../../contract/plan.ts'
import type { CorpusEntry, GuidedOptions, GuidedState } from '../../search/domain.ts'
import { type GuideName, guideWithin, isGuided } from '../../search/guide.ts'
import { GuidedPlanner, type Origin, type Policy } from '../../search/guided-planner.ts'
import type { Chance } from '../../tape/chance.ts'
import type { StepCodes } from '../steps.ts'
import { Archive, type Cell, Kept } from './archive.ts'
import { ClusterFeatures, type ClusterShown } from './cluster-features.ts'
import { clusterStrategy } from './cluster-strategy.ts'
import { performedOnly, scheduleOf } from './schedule.ts'
import { type ClusterMutant, StepMutation } from './step-mutation.ts'

/** Executions before anything is mutated. */
const WARM_UP = 20
/**
 * Of what comes then, how much stays unguided: where there is progress, and where there is none.
 */
const [UNGUIDED_HOT, UNGUIDED_COLD] = [0.1, 0.5]
/** How fast it is forgotten that there was progress. */
const FRESHNESS = 0.01
/** Of the executions that return to a cell, how many to the newest one, as long as it is new. */
const NEWEST = 0.2
/**
 * Of the executions that return to a cell, how many go on by chance from there; the others are
 * mutants.
 */
const CONTINUED = 0.4
/** Of the executions that go on, how many do so in the order of time. */
const NATURAL_TAILS = 0.1
const CLUSTER_DOMAIN = 0x636c7573

/** All but comparisons, since nothing is compared with the number of a step. */
export const STEP_GUIDES: readonly GuideName[] = ['edges', 'order', 'trace', 'model']

/** @throws RangeError for a strategy that clusters do not have */
export function stepPlanner(given: GuidedOptions): GuidedPlanner {
  const options = {
    ...given,
    guide: guideWithin(given.guide, { guides: STEP_GUIDES }),
    strategy: clusterStrategy(given.strategy),
  }
  return new GuidedPlanner(options, new StepPolicy(options))
}

class StepPolicy implements Policy {
  readonly salt = CLUSTER_DOMAIN
  readonly warmUp = WARM_UP
  readonly guides: boolean
  readonly #options: GuidedOptions
  readonly #features: ClusterFeatures
  readonly #archive: Archive
  readonly #mutation = new StepMutation()
  #made: { readonly cell: Cell; readonly mutant: ClusterMutant } | undefined
  /** How many of the latest guided executions showed something new. */
  #heat = 1

  constructor(options: GuidedOptions) {
    const { guide, corpusObserver } = options
    this.#options = options
    this.guides = isGuided(guide)
    this.#features = new ClusterFeatures(guide)
    this.#archive = new Archive({
      added: (kept) => corpusObserver?.added(kept),
      removed: (kept) => corpusObserver?.removed(kept),
    })
  }

  get isReady(): boolean {
    return this.#archive.size > 0
  }

  get unguidedShare(): number {
    return UNGUIDED_COLD + (UNGUIDED_HOT - UNGUIDED_COLD) * Math.min(1, 10 * this.#heat)
  }

  get state(): Omit<GuidedState, 'lastDiscovery'> {
    const { branches, order, states, traces } = this.#features.counts
    return { branches, order, classes: 0, corpus: this.#archive.executions, objectives: 0, unstable: 0, traces, states }
  }

  get entries(): readonly CorpusEntry[] {
    return this.#archive.kept
  }

  observing(): Observing {
    return { counters: this.#options.guide.edges, order: false, comparisons: false }
  }

  observe(plan: Plan, result: ExecutionResult, observation: Observation, origin: Origin): boolean {
    const { cluster } = observation
    if (cluster === undefined) return false
    const shown = this.#features.observe(observation, cluster)
    const isNew = shown.fresh.length > 0
    if (origin === 'guided') this.#judge(isNew)
    // Mutants of a failure would fail again.
    if (result.verdict === 'passed' && this.guides) this.#keep(plan.input, observation, cluster, shown)
    return isNew || shown.newStates > 0
  }

  next(draws: Chance, estimates: Estimates): Plan {
    const cell = (draws.coin(NEWEST) ? this.#archive.newest() : undefined) ?? this.#archive.pick(draws)
    const { kept } = cell
    const at = cell.at < 0 ? draws.integer(0, kept.steps.length) : cell.at
    const mutant = draws.coin(CONTINUED)
      ? this.#mutation.prefix({ kept, at })
      : this.#mutation.mutate({ kept, at }, this.#archive.pick(draws).kept, draws)
    this.#made = { cell, mutant }
    return {
      input: kept.input,
      choices: {
        from: 'mutation',
        choices: mutant.choices,
        strategy: draws.coin(NATURAL_TAILS) ? 'natural' : 'random',
        name: { seed: draws.bits(), length: UNBOUNDED },
        estimates,
      },
    }
  }

  #judge(paid: boolean): void {
    const { cell, mutant } = this.#made!
    this.#heat += FRESHNESS * (Number(paid) - this.#heat)
    this.#mutation.judge(mutant, paid)
    if (paid) cell.vain = 0
    else cell.vain++
  }

  /**
   * The execution becomes the way to whatever it was the first to show, or shows after fewer steps
   * than others.
   */
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

/**
 * Norn's policy for clusters.
 *
 * The archive keeps a cell for each feature, with the steps that lead there (archive.ts). Most
 * executions return to a rarely reached cell: some continue from there by chance, the others are
 * mutants of the execution that reached it, changed near the cell (step-mutation.ts).
 *
 * Departures from ModelFuzz ("Model-guided Fuzzing of Distributed Systems"): a mutant keeps the
 * steps up to the new state, so that it reaches the state again; energy goes to rare cells instead
 * of first come, first served; beyond the steps of a mutant, a possible step is drawn, so that none
 * is wasted.
 */

import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { ClusterObservation, Observation } from '../../contract/observation.ts'
import type { Estimates, InputPlan, Observing, Plan } from '../../contract/plan.ts'
import type { CorpusEntry, DomainSummary, GuidedOptions, GuidedState } from '../../search/domain.ts'
import { type GuideName, guideWithin, isGuided } from '../../search/guide.ts'
import { GuidedPlanner, type Origin, type Policy } from '../../search/guided-planner.ts'
import type { Chance } from '../../tape/chance.ts'
import type { FramesGoal } from '../frames/goal.ts'
import { DEFAULT_STEPS } from '../run.ts'
import type { StepCodes } from '../steps.ts'
import { Archive, ArchivedExecution, type Cell, type KeptExecution } from './archive.ts'
import { ClusterFeatures, type ClusterShown } from './cluster-features.ts'
import { clusterStrategy } from './cluster-strategy.ts'
import { performedOnly, scheduleOf } from './schedule.ts'
import { asChoices, type ClusterMutant, StepMutation } from './step-mutation.ts'

/** Executions before the first mutant. */
const WARM_UP = 20
/** The share of later executions that stay unguided: with progress, and without. */
const [UNGUIDED_HOT, UNGUIDED_COLD] = [0.1, 0.5]
/** The decay of the average that measures progress. */
const FRESHNESS = 0.01
/** The share of guided executions that return to the newest cell, while it has first turns. */
const NEWEST = 0.2
/** The share of guided executions that continue by the strategy; the others are mutants. */
const CONTINUED = 0.4
/** The share of guided executions that end in the default schedule. */
const DEFAULT_TAILS = 0.1
const CLUSTER_DOMAIN = 0x636c7573

/** All but comparisons, since nothing is compared with the number of a step. */
export const STEP_GUIDES: readonly GuideName[] = ['edges', 'order', 'trace', 'model']

/** Shares of default steps in a directed execution after its cell, each equally likely. */
const DEFAULT_SHARES = [0, 0.5, 0.8, 0.9, 0.97] as const

/**
 * @param goal key frames; the search ends once they are reached
 * @throws RangeError for a strategy that clusters do not have
 */
export function stepPlanner(given: GuidedOptions, goal?: FramesGoal): GuidedPlanner {
  const options = {
    ...given,
    guide: guideWithin(given.guide, { guides: STEP_GUIDES }),
    strategy: clusterStrategy(given.strategy),
  }
  return new GuidedPlanner(options, new StepPolicy(options, goal))
}

class StepPolicy implements Policy {
  readonly salt = CLUSTER_DOMAIN
  readonly warmUp: number
  readonly guides: boolean
  readonly #goal: FramesGoal | undefined
  readonly #options: GuidedOptions
  readonly #features: ClusterFeatures
  readonly #archive: Archive
  readonly #mutation = new StepMutation()
  #made: { readonly cell: Cell; readonly mutant: ClusterMutant } | undefined
  /** A moving average of the share of guided executions that showed something new. */
  #heat = 1
  /** The most scheduled steps that an execution had. */
  #steps = DEFAULT_STEPS

  constructor(options: GuidedOptions, goal: FramesGoal | undefined) {
    const { guide, corpusObserver } = options
    this.#options = options
    this.#goal = goal
    this.warmUp = goal === undefined ? WARM_UP : 1
    this.guides = isGuided(guide) || goal !== undefined
    this.#features = new ClusterFeatures(guide)
    this.#archive = new Archive({
      added: (kept) => corpusObserver?.added(kept),
      removed: (kept) => corpusObserver?.removed(kept),
    })
  }

  get isReady(): boolean {
    return this.#archive.size > 0 || (this.#goal?.share ?? 0) > 0
  }

  get isDone(): boolean {
    return this.#goal?.isDone ?? false
  }

  get summary(): DomainSummary {
    return this.#goal === undefined ? {} : { frames: this.#goal.states }
  }

  get unguidedShare(): number {
    const share = UNGUIDED_COLD + (UNGUIDED_HOT - UNGUIDED_COLD) * Math.min(1, 10 * this.#heat)
    return this.#goal === undefined ? share : Math.min(share, (1 - this.#goal.share) / 2)
  }

  get state(): Omit<GuidedState, 'lastDiscovery'> {
    const { branches, order, states, traces } = this.#features.counts
    return { branches, order, classes: 0, corpus: this.#archive.executions, objectives: 0, unstable: 0, traces, states }
  }

  get entries(): readonly CorpusEntry[] {
    return this.#archive.entries
  }

  observing(): Observing {
    return { counters: this.#options.guide.edges, order: false, comparisons: false }
  }

  nothingShown(): void {
    this.#goal?.observe(undefined, 0, NOTHING_KEPT)
  }

  observe(plan: Plan, result: ExecutionResult, observation: Observation, origin: Origin, planned: number): boolean {
    const { cluster } = observation
    if (cluster === undefined) {
      this.nothingShown()
      return false
    }
    const shown = this.#features.observe(observation, cluster)
    const isNew = shown.fresh.length > 0
    if (origin === 'guided') this.#judge(isNew)
    let kept: KeptExecution | undefined
    const keep = () => (kept ??= archived(plan.input, observation, cluster))
    // Mutants of a failing execution would fail again.
    if (result.verdict === 'passed' && this.guides) this.#keep(keep, shown)
    this.#steps = Math.max(this.#steps, cluster.performed.length)
    const frames = this.#goal?.observe(cluster.frames, planned, keep)
    if (frames !== undefined) this.#keep(keep, { guiding: frames, fresh: frames })
    return isNew || shown.newStates > 0
  }

  next(draws: Chance, estimates: Estimates): Plan {
    this.#made = undefined
    if (this.#goal !== undefined) {
      const share = this.#archive.size === 0 ? 1 : this.#goal.share / (1 - this.unguidedShare)
      if (draws.coin(share)) return this.#directed(this.#goal, draws, estimates)
    }
    const cell = (draws.coin(NEWEST) ? this.#archive.newest() : undefined) ?? this.#archive.pick(draws)
    const { kept } = cell
    const at = cell.at < 0 ? draws.integer(0, kept.steps.length) : cell.at
    const mutant = draws.coin(CONTINUED)
      ? this.#mutation.prefix({ kept, at })
      : this.#mutation.mutate({ kept, at }, this.#archive.pick(draws).kept, draws)
    this.#made = { cell, mutant }
    const strategy = draws.coin(DEFAULT_TAILS) ? 'natural' : 'random'
    return mutated(kept.input, mutant.choices, strategy, draws, estimates)
  }

  #directed(goal: FramesGoal, draws: Chance, estimates: Estimates): Plan {
    const next = goal.next(this.#archive, draws)
    if (next.candidate !== undefined) {
      const { kept, candidate } = next
      return { input: kept.input, choices: { from: 'record', choices: asChoices(kept, candidate) } }
    }
    const { cell } = next
    // The first continuation of a cell has the default schedule.
    const share = cell?.hits === 1 ? 1 : DEFAULT_SHARES[draws.integer(0, DEFAULT_SHARES.length - 1)]!
    const choices = this.#mutation.continued(cell, this.#steps, share, draws)
    return mutated(cell?.kept.input ?? FROM_TAPE, choices, 'random', draws, estimates)
  }

  #judge(paid: boolean): void {
    if (this.#made === undefined) return
    const { cell, mutant } = this.#made
    this.#heat += FRESHNESS * (Number(paid) - this.#heat)
    this.#mutation.judge(mutant, paid)
    if (paid) cell.fruitless = 0
    else cell.fruitless++
  }

  /** Archives the execution as the way to features that are new, or that it reached in fewer steps. */
  #keep(keep: () => KeptExecution, { guiding, fresh }: Pick<ClusterShown, 'guiding' | 'fresh'>): void {
    const isFresh = fresh.length > 0 ? new Set(fresh.map(({ feature }) => feature)) : NOTHING_FRESH
    for (const { feature, after } of guiding) {
      const cell = this.#archive.hit(feature)
      if (cell === undefined && !isFresh.has(feature)) continue
      if (cell !== undefined && (after < 0 || after >= cell.at)) continue
      const { kept, left } = keep()
      const at = after < 0 ? -1 : left(after)
      if (cell === undefined || at < cell.at) this.#archive.reach(feature, kept, at)
    }
  }
}

const NOTHING_FRESH: ReadonlySet<number> = new Set()

const NOTHING_KEPT = (): KeptExecution => {
  throw new Error('an execution without observation cannot be kept')
}
const FROM_TAPE: InputPlan = { from: 'tape' }

function mutated(input: InputPlan, choices: Choices, strategy: string, draws: Chance, estimates: Estimates): Plan {
  const name = { seed: draws.bits(), length: UNBOUNDED }
  return { input, choices: { from: 'mutation', choices, strategy, name, estimates } }
}

function archived(input: InputPlan, observation: Observation, cluster: ClusterObservation): KeptExecution {
  const record = observation.choices()
  const { steps, others } = scheduleOf(record.schedule)
  const possible = performedOnly(steps, cluster.performed)
  const base = { ...record, schedule: [] }
  const codes = cluster.codes as StepCodes
  return { kept: new ArchivedExecution({ input, base, steps: possible.steps, others, codes }), left: possible.left }
}

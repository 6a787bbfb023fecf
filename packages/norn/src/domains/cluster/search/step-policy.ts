/**
 * Norn's policy for clusters.
 *
 * Kinds of executions compete by what they show (arms.ts): random ones, of which some weigh their
 * steps by what classes of steps have shown (step-learning.ts), or hold one channel back; executions
 * that return to a rarely reached cell of the archive (archive.ts) and continue at random, or first
 * repeat the step that reached it; and mutants of the execution that reached it, changed near the
 * cell (step-mutation.ts). A tenth stays unguided, for estimates.
 *
 * Departures from ModelFuzz ("Model-guided Fuzzing of Distributed Systems"): mutants have to earn
 * their share, since in a large state space their first part shows nothing new (on etcd-raft they
 * halved the coverage of chance); a mutant keeps the steps up to the new state, so that it reaches
 * the state again; energy goes to rare cells instead of first come, first served; beyond the steps
 * of a mutant, a possible step is drawn, so that none is wasted.
 */

import { DEFAULT_STEPS } from '../../../cluster/run.ts'
import type { StepCodes } from '../../../cluster/steps.ts'
import type { DomainSummary, GuidedState } from '../../../contract/campaign-summary.ts'
import { type Choices, UNBOUNDED } from '../../../contract/choices.ts'
import type { ExecutionResult } from '../../../contract/execution.ts'
import type { ClusterObservation, Observation } from '../../../contract/observation.ts'
import {
  type Estimates,
  type InputPlan,
  NO_WEIGHTS,
  type Observing,
  type Plan,
  type StepWeights,
} from '../../../contract/plan.ts'
import { type GuideName, guideWithin, isGuided } from '../../../options/guide.ts'
import type { CorpusEntry, GuidedOptions } from '../../../search/domain.ts'
import { GuidedPlanner, type Origin, type Policy } from '../../../search/guided-planner.ts'
import type { Chance } from '../../../tape/chance.ts'
import type { FramesGoal } from '../frames/goal.ts'
import { Archive, ArchivedExecution, type Cell, type KeptExecution } from './archive.ts'
import { Arms } from './arms.ts'
import { ClusterFeatures, type ClusterShown } from './cluster-features.ts'
import { clusterStrategy } from './cluster-strategy.ts'
import { FollowShare } from './follow-share.ts'
import { ALL_PIECES, type Pieces } from './pieces.ts'
import { performedOnly, scheduleOf } from './schedule.ts'
import { StepLearning } from './step-learning.ts'
import { asChoices, type Origin as CellOrigin, type ClusterMutant, StepMutation } from './step-mutation.ts'

/** Unguided executions at the start: what random steps show is what the first weights are learnt from. */
const WARM_UP = 50
/** The share of later executions that stay unguided, for estimates. */
const UNGUIDED = 0.1
/** The share of executions from a cell that return to the newest cell, while it has first turns. */
const NEWEST = 0.2
/** The share of executions from a cell that end in the default schedule. */
const DEFAULT_TAILS = 0.1
/** The least steps for which a channel is held; of an execution, where a hold begins at the latest. */
const [SHORTEST_HOLD, LATEST_HOLD] = [5, 0.7]
const CLUSTER_DOMAIN = 0x636c7573

/** All but comparisons, since nothing is compared with the number of a step. */
export const STEP_GUIDES: readonly GuideName[] = ['edges', 'order', 'trace', 'model']

/** Shares of default steps in a directed execution after its cell, each equally likely. */
const DEFAULT_SHARES = [0, 0.5, 0.8, 0.9, 0.97] as const

/**
 * @param goal key frames; the search ends once they are reached
 * @throws RangeError for a strategy that clusters do not have
 */
export function stepPlanner(given: GuidedOptions, goal?: FramesGoal, pieces: Partial<Pieces> = {}): GuidedPlanner {
  const options = {
    ...given,
    guide: guideWithin(given.guide, { guides: STEP_GUIDES }),
    strategy: clusterStrategy(given.strategy),
  }
  return new GuidedPlanner(options, new StepPolicy(options, goal, { ...ALL_PIECES, ...pieces }))
}

/** How far the steps of random executions follow what was learnt: the power of the learnt factors. */
const POWERS = { plain: 0, mild: 0.5, weighted: 1, holds: 1 } as const
/**
 * The kinds of guided executions, each with its share where all show the same: random ones; those
 * that return to a cell and continue; mutants; those that repeat how a cell was reached.
 */
const ARMS = { plain: 1, mild: 1, weighted: 1, holds: 1, returns: 2, mutants: 2, stretches: 2 } as const
type Arm = keyof typeof ARMS

class StepPolicy implements Policy {
  readonly salt = CLUSTER_DOMAIN
  readonly warmUp: number
  readonly guides: boolean
  readonly #goal: FramesGoal | undefined
  readonly #options: GuidedOptions
  readonly #features: ClusterFeatures
  readonly #archive: Archive
  readonly #mutation = new StepMutation()
  readonly #pieces: Pieces
  readonly #learning: StepLearning
  readonly #arms: Arms<Arm>
  readonly #followShare = new FollowShare()
  /** Of the latest guided plan; undefined if key frames directed it. */
  #arm: Arm | undefined
  /** The latest plan, if it mutates the execution of a cell. */
  #mutated: { readonly cell: Cell; readonly mutant: ClusterMutant } | undefined
  /** The most scheduled steps that an execution had. */
  #steps = DEFAULT_STEPS
  /** The number of nodes of the latest execution; 0 before the first that was observed. */
  #nodes = 0

  constructor(options: GuidedOptions, goal: FramesGoal | undefined, pieces: Pieces) {
    const { guide, corpusObserver } = options
    this.#options = options
    this.#goal = goal
    this.#pieces = pieces
    this.#learning = new StepLearning(pieces)
    this.#arms = new Arms(ARMS, pieces.shares)
    this.warmUp = goal === undefined ? WARM_UP : 1
    this.guides = isGuided(guide) || goal !== undefined
    this.#features = new ClusterFeatures(guide)
    this.#archive = new Archive({
      added: (kept) => corpusObserver?.added(kept),
      removed: (kept) => corpusObserver?.removed(kept),
    })
  }

  get isReady(): boolean {
    return this.#nodes > 0 || (this.#goal?.share ?? 0) > 0
  }

  get isDone(): boolean {
    return this.#goal?.isDone ?? false
  }

  get summary(): DomainSummary {
    return this.#goal === undefined ? {} : { frames: this.#goal.states }
  }

  get unguidedShare(): number {
    return this.#goal === undefined ? UNGUIDED : Math.min(UNGUIDED, (1 - this.#goal.share) / 2)
  }

  get state(): Omit<GuidedState, 'lastDiscovery'> {
    const { branches, order, states, traces } = this.#features.counts
    return { branches, order, classes: 0, corpus: this.#archive.executions, objectives: 0, unstable: 0, traces, states }
  }

  get entries(): readonly CorpusEntry[] {
    return this.#archive.entries
  }

  observing(origin: Origin, chance: Chance): Observing {
    const { edges } = this.#options.guide
    const isSampled = this.#options.guide.model && this.#pieces.samples && origin !== 'resumed'
    return { counters: edges, order: false, comparisons: false, model: !isSampled || this.#followShare.draw(chance) }
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
    // What was not followed says nothing about new states.
    if (!cluster.isUnfollowed) {
      this.#followShare.observe(shown.newStates)
      this.#judge(shown, cluster, origin)
    }
    this.#nodes = (cluster.codes as StepCodes).nodes.length
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
    this.#mutated = undefined
    this.#arm = undefined
    if (this.#goal !== undefined) {
      const share = this.#archive.size === 0 ? 1 : this.#goal.share / (1 - this.unguidedShare)
      if (draws.coin(share)) return this.#directed(this.#goal, draws, estimates)
    }
    const arm = (this.#arm = this.#arms.pick(draws, (each) => this.#isOpen(each)))
    if (isRandom(arm)) {
      const name = { seed: draws.bits(), length: UNBOUNDED }
      const learnt = this.#learning.weights(this.#pieces.weights ? POWERS[arm] : 0)
      const weights = arm === 'holds' ? { ...learnt, hold: this.#drawHold(draws) } : learnt
      return { input: FROM_TAPE, choices: { from: 'strategy', strategy: 'random', name, estimates, weights } }
    }
    const cell = (draws.coin(NEWEST) ? this.#archive.newest() : undefined) ?? this.#archive.pick(draws)
    const { kept } = cell
    const at = cell.at < 0 ? draws.integer(0, kept.steps.length) : cell.at
    const mutant = this.#mutantOf(arm, { kept, at }, draws)
    this.#mutated = { cell, mutant }
    const strategy = draws.coin(DEFAULT_TAILS) ? 'natural' : 'random'
    return mutated(
      kept.input,
      mutant.choices,
      strategy,
      draws,
      estimates,
      this.#learning.weights(this.#pieces.weights ? 1 : 0),
    )
  }

  #mutantOf(arm: Exclude<Arm, keyof typeof POWERS>, cell: CellOrigin, draws: Chance): ClusterMutant {
    switch (arm) {
      case 'returns':
        return this.#mutation.prefix(cell)
      case 'stretches':
        return this.#mutation.stretch(cell)
      case 'mutants':
        return this.#mutation.mutate(cell, this.#archive.pick(draws).kept, draws)
    }
  }

  /** Weights that weigh nothing: with them, the classes of the steps are observed. */
  unguided(plan: Plan): Plan {
    const { choices } = plan
    return choices.from === 'strategy' ? { ...plan, choices: { ...choices, weights: NO_WEIGHTS } } : plan
  }

  #isOpen(arm: Arm): boolean {
    if (arm === 'plain') return true
    if (arm === 'mild' || arm === 'weighted') return this.#pieces.weights
    return this.#pieces[arm] && (isRandom(arm) || this.#archive.size > 0)
  }

  /** A channel, and a number of steps, log-uniform. */
  #drawHold(draws: Chance): NonNullable<StepWeights['hold']> {
    const node = () => draws.integer(0, this.#nodes - 1)
    const first = draws.integer(0, Math.floor(LATEST_HOLD * this.#steps))
    const steps = SHORTEST_HOLD * (this.#steps / SHORTEST_HOLD) ** draws.unit()
    return { from: node(), to: node(), first, last: first + Math.round(steps) }
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

  /** Learns from an execution. Recorded steps show less than random ones, so they teach no weights. */
  #judge(shown: ClusterShown, cluster: ClusterObservation, origin: Origin): void {
    const arm = origin === 'unguided' ? 'plain' : origin === 'guided' ? this.#arm : undefined
    const news = shown.fresh.length
    if (arm !== undefined) this.#arms.judge(arm, news, cluster.performed.length)
    if (arm !== undefined && isRandom(arm)) this.#learning.learn(cluster.drawn, newsOf(shown, cluster))
    if (origin !== 'guided' || this.#mutated === undefined) return
    const { cell, mutant } = this.#mutated
    this.#mutation.judge(mutant, news > 0)
    if (news > 0) cell.fruitless = 0
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

function mutated(
  input: InputPlan,
  choices: Choices,
  strategy: string,
  draws: Chance,
  estimates: Estimates,
  weights = NO_WEIGHTS,
): Plan {
  const name = { seed: draws.bits(), length: UNBOUNDED }
  return { input, choices: { from: 'mutation', choices, strategy, name, estimates, weights } }
}

/** The new features that each scheduled step showed; those of unknown steps are shared among all. */
function newsOf({ fresh }: ClusterShown, { performed }: ClusterObservation): readonly number[] {
  const news = new Array<number>(performed.length).fill(0)
  let anywhere = 0
  for (const { after } of fresh) {
    if (after < 0) anywhere++
    else if (after > 0 && after <= news.length) news[after - 1]!++
  }
  return anywhere === 0 ? news : news.map((shown) => shown + anywhere / news.length)
}

function isRandom(arm: Arm): arm is keyof typeof POWERS {
  return arm in POWERS
}

function archived(input: InputPlan, observation: Observation, cluster: ClusterObservation): KeptExecution {
  const record = observation.choices()
  const { steps, others } = scheduleOf(record.schedule)
  const possible = performedOnly(steps, cluster.performed)
  const base = { ...record, schedule: [] }
  const codes = cluster.codes as StepCodes
  return { kept: new ArchivedExecution({ input, base, steps: possible.steps, others, codes }), left: possible.left }
}

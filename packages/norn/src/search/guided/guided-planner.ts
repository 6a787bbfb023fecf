/**
 * The guided planner: which execution comes next, given what the earlier ones showed. A grey-box fuzzer over inputs and
 * schedules together, after ConFuzz (Padhiyar and Sivaramakrishnan, 2021) and "Combining AFL and QuickCheck"; instead of
 * bytes it mutates typed choices, and instead of one map of edges it keeps branches, orders and comparisons apart.
 *
 * It begins as the unguided planner does, with the same executions: what is found early needs no guidance, and must not
 * be found later because of it. Then most executions are mutants of entries of the corpus, or of what came nearest to an
 * objective. A share stays unguided, a tenth while there is progress and more where there is none: it keeps the search from
 * narrowing, and from it alone it can be estimated what is still to be found.
 *
 * Invariant: the n-th plan is a function of the options, the corpus at the start and the results so far; no clock has a say.
 */

import type { Choice } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { Observation } from '../../contract/observation.ts'
import type { InputPlan, Plan } from '../../contract/plan.ts'
import { type Chance, chance } from '../../tape/chance.ts'
import { Planner, type PlannerOptions } from '../planner.ts'
import { Corpus, type CorpusEntry, type Entry, type OperandPair } from './corpus.ts'
import { Descent } from './descent.ts'
import { Dictionary } from './dictionary.ts'
import { FeatureMap, type Shown } from './features.ts'
import type { FollowUp } from './follow-up.ts'
import type { Guide } from './guide.ts'
import { AIMED, FREE, Mutation, type Mutator } from './mutation.ts'
import { type Approach, Objectives } from './objectives.ts'
import type { Place } from './place.ts'
import { Pursuit } from './pursuit.ts'
import { Refinement } from './refinement.ts'
import { Reordering } from './reordering.ts'
import { Timeline } from './timeline.ts'
import { Trimming } from './trimming.ts'

export interface GuidedPlannerOptions extends PlannerOptions {
  readonly guide: Guide
  /** Records kept by earlier campaigns: they are run again before anything is mutated. */
  readonly resumed: readonly Choices[]
  /** Plans that are not run: none of those is a record of an earlier campaign. */
  readonly skip?: number
  readonly corpusObserver?: CorpusObserver
  /** Key frames of clusters that are to be reached, out of files. */
  readonly frames?: readonly KeyFramesData[]
}

/** What of a campaign is worth keeping: entries, and records of earlier campaigns that were not run yet. */
export interface KeptOfCampaign {
  readonly entries: readonly CorpusEntry[]
  readonly unseen: readonly Choices[]
}

/** Told of what the corpus keeps. */
export interface CorpusObserver {
  added(entry: CorpusEntry): void
  removed(entry: CorpusEntry): void
  /** Records that others have kept since it was asked last. */
  poll?(): readonly Choices[]
}

/** Executions before anything is mutated. */
const WARM_UP = 48
/** How often it is asked what others have found, in executions. */
const POLLED_EVERY = 256
/** Of what comes then, how much stays unguided: where there is progress, and where there is none. */
const [UNGUIDED_HOT, UNGUIDED_COLD] = [0.1, 0.7]
/** Of the mutants, how many start from what is nearest to an objective: where there is no progress, and where there is. */
const [AIMED_COLD, AIMED_HOT] = [0.3, 0.95]
/** Comparisons are traced in every execution that does no more than this, and in fewer of larger ones. */
const TRACED_WORK = 4096
const LEAST_TRACED = 1 / 32
/** How fast the estimate of an execution's work follows. */
const FRESHNESS = 0.1
/** Operand pairs kept of an entry. */
const MAX_OPERANDS = 64
/** Of the entries picked for the first time, which are all calibrated, how many are trimmed, and at what cost at most. */
const TRIMMED_SHARE = 0.1
const TRIMMING_TRIES = 16
/** Executions that look closer at what came nearer: their share, unless nothing ever came as near, and how many wait. */
const FOLLOWED_SHARE = 0.4
const MAX_FOLLOW_UPS = 8
/** Numbers of fewer values are tried by mutation alone. */
const WIDE = 256
const GUIDED_DOMAIN = 0x67756964
/** Strategies for what a mutant draws beyond its record. */
const TAIL_STRATEGIES = ['random', 'random', 'natural', 'pct'] as const

/** How a plan came about. */
type Origin =
  | { readonly kind: 'unguided' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'trimming'; readonly trimming: Trimming }
  | { readonly kind: 'follow-up'; readonly followUp: FollowUp }
  | {
      readonly kind: 'mutant'
      readonly mutators: readonly Mutator[]
      readonly place: Place | undefined
      readonly aimed: boolean
    }

export class GuidedPlanner {
  readonly #options: GuidedPlannerOptions
  readonly #unguided: Planner
  readonly #chance: Chance
  readonly #features: FeatureMap
  readonly #objectives = new Objectives<Entry>()
  readonly #corpus: Corpus
  /** What pays where something is to be brought nearer is not what pays where anything new counts. */
  readonly #mutations = { aimed: new Mutation(AIMED), free: new Mutation(FREE) }
  readonly #dictionary = new Dictionary()
  readonly #resumed: Choices[]
  readonly #unstable = new Set<number>()
  #trimming: Trimming | undefined
  readonly #followUps: FollowUp[] = []
  #followed = 0
  #origin: Origin = { kind: 'unguided' }
  #planned = 0
  #work = 0
  #lastDiscovery = 0

  constructor(options: GuidedPlannerOptions) {
    this.#options = options
    this.#unguided = new Planner(options)
    this.#chance = chance(GUIDED_DOMAIN, options.seed)
    this.#features = new FeatureMap({ branches: options.guide.edges, order: options.guide.order })
    this.#resumed = [...options.resumed]
    this.#corpus = new Corpus({
      seen: (feature) => this.#features.seen(feature),
      isHeld: (entry) => this.#objectives.isHeld(entry),
      removed: (entry) => options.corpusObserver?.removed(entry),
    })
  }

  get state(): GuidedState {
    return {
      ...this.#features.counts,
      corpus: this.#corpus.size,
      objectives: this.#objectives.size,
      unstable: this.#unstable.size,
      lastDiscovery: this.#lastDiscovery,
    }
  }

  /** What is worth keeping: the entries, and the records of earlier campaigns that were not run yet. */
  get kept(): KeptOfCampaign {
    return { entries: this.#corpus.entries, unseen: this.#resumed }
  }

  /** Whether the plan given last belongs to the unguided share. */
  get isUnguided(): boolean {
    return this.#origin.kind === 'unguided'
  }

  next(): Plan {
    this.#planned++
    const plan = this.#next()
    const { edges, order, compare } = this.#options.guide
    const comparisons =
      compare &&
      (this.#origin.kind === 'mutant' || this.#origin.kind === 'follow-up' || this.#chance.coin(this.#tracedShare()))
    return { ...plan, observe: { counters: edges, order, comparisons } }
  }

  observe(plan: Plan, result: ExecutionResult): void {
    this.#unguided.observe(result)
    const { observation } = result
    if (observation === undefined || result.verdict === 'void') {
      this.#nothingSaid(this.#origin)
      return
    }
    const shown = this.#features.observe(observation)
    this.#work += FRESHNESS * (shown.work - this.#work)
    const approaches = this.#objectives.approaches(observation)
    if (observation.products.length > 0 && !this.#dictionary.isFull)
      this.#dictionary.learn(observation.choices().input, observation.products)
    const origin = this.#origin
    if (origin.kind === 'trimming') this.#trimmed(origin.trimming, observation, shown)
    const paid = shown.fresh.length > 0 || approaches.some(({ best }) => best)
    if (origin.kind === 'follow-up') this.#follow(origin.followUp, observation, approaches)
    if (origin.kind === 'mutant') {
      const { aimed, mutators } = origin
      this.#mutationOf(aimed).judge(mutators, aimed ? approaches.some(({ best }) => best) : paid)
    }
    if (paid) this.#lastDiscovery = this.#planned
    // What a follow-up came near to, it holds already.
    const held =
      origin.kind === 'follow-up' ? approaches.filter(({ key }) => key !== origin.followUp.pursuit.key) : approaches
    const isKept = shown.fresh.length > 0 || held.length > 0
    // What fails has been found: its mutants would be found again. (A follow-up that fails stays with its objective.)
    if (isKept && result.verdict === 'passed') this.#keep(plan.input, observation, shown, held)
  }

  #next(): Plan {
    if (this.#planned % POLLED_EVERY === 0) this.#resumed.push(...(this.#options.corpusObserver?.poll?.() ?? []))
    const resumed = this.#planned > Math.max(1, this.#options.skip ?? 0) ? this.#resumed.shift() : undefined
    if (resumed !== undefined) {
      this.#origin = { kind: 'resumed' }
      return { input: { from: 'tape' }, choices: { from: 'record', choices: resumed } }
    }
    const unguided = this.#planned <= WARM_UP || this.#corpus.size === 0 || this.#chance.coin(this.#unguidedShare())
    if (unguided) {
      this.#origin = { kind: 'unguided' }
      return this.#unguided.next()
    }
    for (; this.#followUps.length > 0; this.#followUps.shift()) {
      const followUp = this.#followUps[0]!
      const choices = followUp.next()
      if (choices === undefined) continue
      this.#followed++
      this.#origin = { kind: 'follow-up', followUp }
      return { input: followUp.pursuit.entry.input, choices: { from: 'record', choices } }
    }
    const candidate = this.#trimming?.next()
    if (candidate !== undefined) {
      this.#origin = { kind: 'trimming', trimming: this.#trimming! }
      return { input: this.#trimming!.entry.input, choices: { from: 'record', choices: candidate } }
    }
    this.#trimming = undefined
    return this.#mutant()
  }

  #mutant(): Plan {
    const draws = this.#chance
    const isAimed = draws.coin(AIMED_COLD + (AIMED_HOT - AIMED_COLD) * this.#objectives.heat)
    const aimed = isAimed ? this.#objectives.pick(draws) : undefined
    const entry = aimed ?? this.#corpus.pick(draws)
    entry.picks++
    if (aimed === undefined && !entry.trimmed && !this.#objectives.isHeld(entry)) {
      entry.trimmed = true
      this.#trimming = new Trimming(entry, draws.coin(TRIMMED_SHARE) ? TRIMMING_TRIES : 0)
    }
    const { entries } = this.#corpus
    const other = entries[draws.integer(0, entries.length - 1)]!.record
    const mutation = this.#mutationOf(aimed !== undefined)
    const { choices, place, mutators } = mutation.mutate(
      entry.record,
      { ...entry, other, dictionary: this.#dictionary },
      draws,
    )
    this.#origin = { kind: 'mutant', mutators, place, aimed: aimed !== undefined }
    return {
      input: entry.input,
      choices: {
        from: 'mutation',
        choices,
        strategy: TAIL_STRATEGIES[draws.integer(0, TAIL_STRATEGIES.length - 1)]!,
        name: { seed: draws.bits(), length: UNBOUNDED },
        estimates: this.#unguided.estimates,
      },
    }
  }

  #keep(input: InputPlan, observation: Observation, shown: Shown, approaches: readonly Approach[]): void {
    const record = observation.choices()
    const features = shown.all().filter((feature) => !this.#unstable.has(feature))
    const place = this.#origin.kind === 'mutant' ? this.#origin.place : undefined
    const draws = record.input.length + record.schedule.length + record.fault.length
    const made = {
      input,
      record,
      fresh: shown.fresh,
      work: shown.work + draws,
      place,
      timeline: new Timeline(observation.timeline()),
      products: observation.products,
      operands: operandsOf(observation),
    }
    const entry = this.#corpus.add(made, features)
    this.#objectives.hold(entry, approaches)
    this.#lookCloser(entry, approaches)
    this.#options.corpusObserver?.added(entry)
  }

  /** What came nearer to an objective is worth some executions of its own, unless these have had their share. */
  #lookCloser(entry: Entry, approaches: readonly Approach[]): void {
    const isAffordable = this.#followed < FOLLOWED_SHARE * this.#planned
    const nearest = approaches.find(({ best }) => best) ?? (isAffordable ? approaches[0] : undefined)
    if (nearest === undefined || this.#planned === 1 || this.#followUps.length > MAX_FOLLOW_UPS) return
    const pursuit = new Pursuit(entry, nearest.key, nearest.distance)
    const at = entry.place?.lane === 'input' ? entry.place.index : entry.record.input.findIndex(isWide)
    const number = entry.record.input[at]
    if (number !== undefined && isWide(number)) this.#followUps.push(new Descent(pursuit, at))
    if (!nearest.best || entry.record.schedule.length === 0) return
    this.#followUps.push(new Refinement(pursuit), new Reordering(pursuit))
  }

  #follow(followUp: FollowUp, observation: Observation, approaches: readonly Approach[]): void {
    const { key, entry } = followUp.pursuit
    if (!followUp.judge(observation)) return
    this.#objectives.hold(
      entry,
      approaches.filter((approach) => approach.key === key),
    )
  }

  /** What looks closer at an entry goes on; else it would ask for the same again, and again learn nothing. */
  #nothingSaid(origin: Origin): void {
    if (origin.kind === 'follow-up') origin.followUp.judge(undefined)
    if (origin.kind === 'trimming') this.#trimming = undefined
  }

  #trimmed(trimming: Trimming, observation: Observation, shown: Shown): void {
    const features = new Set(shown.all())
    const { unstable, smaller } = trimming.judge(features, observation, shown.work)
    for (const feature of unstable) this.#unstable.add(feature)
    if (smaller) this.#corpus.own(trimming.entry, [...features])
  }

  #mutationOf(aimed: boolean): Mutation {
    return aimed ? this.#mutations.aimed : this.#mutations.free
  }

  #unguidedShare(): number {
    return UNGUIDED_COLD + (UNGUIDED_HOT - UNGUIDED_COLD) * this.#objectives.heat
  }

  #tracedShare(): number {
    return Math.max(LEAST_TRACED, Math.min(1, TRACED_WORK / (1 + this.#work)))
  }
}

function isWide({ min, max }: Choice): boolean {
  return BigInt(max) - BigInt(min) > WIDE
}

export interface GuidedState {
  readonly branches: number
  readonly order: number
  readonly classes: number
  readonly corpus: number
  readonly objectives: number
  readonly unstable: number
  /** The execution that last showed something new. */
  readonly lastDiscovery: number
  /** Of a cluster: happens-before classes of executions, and abstract states of its model, if it has one. */
  readonly traces?: number
  readonly states?: number
}

function operandsOf({ comparisons }: Observation): OperandPair[] {
  const pairs: OperandPair[] = []
  if (comparisons === undefined) return pairs
  const known = new Set<string>()
  for (let at = comparisons.length - 1; at >= 0 && pairs.length < MAX_OPERANDS; at--) {
    const [left, right] = [comparisons.left(at), comparisons.right(at)]
    if (left === right) continue
    const key = `${typeof left} ${String(left)} ${String(right)}`
    if (known.has(key)) continue
    known.add(key)
    pairs.push({ left, right })
  }
  return pairs
}

/**
 * The policy for latencies: a grey-box fuzzer of inputs and schedules, after ConFuzz (Padhiyar and
 * Sivaramakrishnan, 2021) and "Combining AFL and QuickCheck". It mutates typed choices instead of
 * bytes, and separates branches, orders and comparisons instead of using one edge map. Most
 * executions are mutants of corpus entries, or of the entries nearest to an objective.
 */
import type { GuidedState } from '../../contract/campaign-summary.ts'
import type { Choice } from '../../contract/choice.ts'
import { type Choices, UNBOUNDED } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { Numbering, Observation } from '../../contract/observation.ts'
import type { Estimates, InputPlan, Observing, Plan } from '../../contract/plan.ts'
import { Dictionary } from '../../search/dictionary.ts'
import type { CorpusEntry, GuidedOptions, Resumed } from '../../search/domain.ts'
import { type EntryMetadata, isNumberedAlike, numberingOf } from '../../search/entry-metadata.ts'
import { FeatureMap, type Shown } from '../../search/features.ts'
import type { Origin, Policy } from '../../search/guided-planner.ts'
import { INPUT_MUTATORS } from '../../search/input-mutators.ts'
import { AIMED, FREE, Mutation, type Mutator, type OperandPair, type Place } from '../../search/mutation.ts'
import type { Chance } from '../../tape/chance.ts'
import { Corpus, type Entry } from './corpus.ts'
import { Descent } from './descent.ts'
import { LATENCY_MUTATORS, type LatencyMaterial } from './latency-mutators.ts'
import { type Approach, Objectives } from './objectives.ts'
import { type FollowUp, Pursuit } from './pursuit.ts'
import { Refinement } from './refinement.ts'
import { Reordering } from './reordering.ts'
import { Timeline } from './timeline.ts'
import { Trimming } from './trimming.ts'

const MUTATORS: readonly Mutator<LatencyMaterial>[] = [...INPUT_MUTATORS, ...LATENCY_MUTATORS]

const WARM_UP = 48
/** The unguided share after the warm-up, with and without progress. */
const [UNGUIDED_HOT, UNGUIDED_COLD] = [0.1, 0.7]
/** The share of mutants of entries nearest to an objective, without and with progress. */
const [AIMED_COLD, AIMED_HOT] = [0.3, 0.95]
/** The work up to which comparisons are traced in all unguided executions; fewer beyond it. */
const TRACED_WORK = 4096
const LEAST_TRACED = 1 / 32
/** The weight of the latest execution in the estimate of work. */
const FRESHNESS = 0.1
/** Operand pairs kept for an entry. */
const MAX_OPERANDS = 64
/** The share of entries that are trimmed after calibration, and executions for one at most. */
const TRIMMED_SHARE = 0.1
const TRIMMING_TRIES = 16
/** The share of executions for follow-ups that are not the nearest ever, and follow-ups queued. */
const FOLLOWED_SHARE = 0.4
const MAX_FOLLOW_UPS = 8
/** Descent applies to numbers with more values; mutation covers the others. */
const WIDE = 256
const FROM_TAPE: InputPlan = { from: 'tape' }
const NOT_NUMBERED: Numbering = { counters: [], sites: [] }
const GUIDED_SALT = 0x67756964
/** Strategies for the choices that a record lacks. */
const TAIL_STRATEGIES = ['random', 'random', 'natural', 'pct'] as const

/** The source of the latest guided plan. */
type PlanSource =
  | { readonly kind: 'trimming'; readonly trimming: Trimming }
  | { readonly kind: 'follow-up'; readonly followUp: FollowUp }
  | {
      readonly kind: 'mutant'
      readonly mutators: readonly Mutator<LatencyMaterial>[]
      readonly place: Place | undefined
      readonly aimed: boolean
    }

export class LatencyPolicy implements Policy {
  readonly salt = GUIDED_SALT
  readonly warmUp = WARM_UP
  readonly guides = true
  readonly #options: GuidedOptions
  readonly #features: FeatureMap
  readonly #objectives = new Objectives<Entry>()
  readonly #corpus: Corpus
  /** Separate bandits, as different mutators pay off for objectives and for new coverage. */
  readonly #mutations = { aimed: new Mutation(AIMED, MUTATORS), free: new Mutation(FREE, MUTATORS) }
  readonly #dictionary = new Dictionary()
  readonly #unstable = new Set<number>()
  #trimming: Trimming | undefined
  /** By author of metadata: the number of the latest execution that it mentions. */
  readonly #elsewhere = new Map<string, number>()
  /** The authors among them that search beside this process. */
  readonly #beside = new Set<string>()
  #numbering: Numbering | undefined
  #followUps: FollowUp[] = []
  #followed = 0
  /** Undefined where the latest plan is not guided. */
  #source: PlanSource | undefined
  #work = 0

  constructor(options: GuidedOptions) {
    this.#options = options
    this.#features = new FeatureMap({ branches: options.guide.edges, order: options.guide.order })
    this.#corpus = new Corpus({
      seen: (feature) => this.#features.seen(feature),
      isHeld: (entry) => this.#objectives.isHeld(entry),
      removed: (entry) => options.corpusObserver?.removed(entry),
    })
  }

  get isReady(): boolean {
    return this.#corpus.size > 0
  }

  get unguidedShare(): number {
    return UNGUIDED_COLD + (UNGUIDED_HOT - UNGUIDED_COLD) * this.#objectives.heat
  }

  get state(): Omit<GuidedState, 'lastDiscovery'> {
    return {
      ...this.#features.counts,
      corpus: this.#corpus.size,
      objectives: this.#objectives.size,
      unstable: this.#unstable.size,
    }
  }

  get entries(): readonly CorpusEntry[] {
    return this.#corpus.entries
  }

  observing(origin: Origin, chance: Chance): Observing {
    if (origin !== 'guided') this.#source = undefined
    const { edges, order, compare } = this.#options.guide
    const isTraced = this.#source?.kind === 'mutant' || this.#source?.kind === 'follow-up'
    const comparisons = compare && (isTraced || chance.coin(this.#tracedShare()))
    return { counters: edges, order, comparisons, model: true }
  }

  observe(plan: Plan, result: ExecutionResult, observation: Observation, _: Origin, planned: number): boolean {
    const shown = this.#features.observe(observation)
    this.#numbering = observation.numbering
    this.#work += FRESHNESS * (shown.work - this.#work)
    const approaches = this.#objectives.approaches(observation)
    if (observation.products.length > 0 && !this.#dictionary.isFull)
      this.#dictionary.learn(observation.choices().input, observation.products)
    const source = this.#source
    if (source?.kind === 'trimming') this.#trimmed(source.trimming, observation, shown, planned)
    const paid = shown.fresh.length > 0 || approaches.some(({ best }) => best)
    if (source?.kind === 'follow-up') this.#follow(source.followUp, observation, shown, approaches, planned)
    if (source?.kind === 'mutant') {
      const { aimed, mutators } = source
      this.#mutationOf(aimed).judge(mutators, aimed ? approaches.some(({ best }) => best) : paid)
    }
    // A follow-up already holds its own objective.
    const held =
      source?.kind === 'follow-up' ? approaches.filter(({ key }) => key !== source.followUp.pursuit.key) : approaches
    const isKept = shown.fresh.length > 0 || held.length > 0
    // Mutants of a failure would fail again. A failing follow-up keeps its objective.
    if (isKept && result.verdict === 'passed') this.#keep(plan.input, observation, shown, held, planned)
    return paid
  }

  /** A follow-up must advance, or it would propose the same execution again. */
  unobserved(): void {
    if (this.#source?.kind === 'follow-up') this.#source.followUp.judge(undefined)
    if (this.#source?.kind === 'trimming') this.#trimming = undefined
  }

  next(draws: Chance, estimates: Estimates): Plan {
    for (; this.#followUps.length > 0; this.#followUps.shift()) {
      const followUp = this.#followUps[0]!
      const choices = followUp.next()
      if (choices === undefined) {
        this.#publish(followUp.pursuit.entry)
        continue
      }
      this.#followed++
      this.#source = { kind: 'follow-up', followUp }
      return { input: followUp.pursuit.entry.input, choices: { from: 'record', choices } }
    }
    const candidate = this.#trimming?.next()
    if (candidate !== undefined) {
      this.#source = { kind: 'trimming', trimming: this.#trimming! }
      return { input: this.#trimming!.entry.input, choices: { from: 'record', choices: candidate } }
    }
    this.#trimming = undefined
    return this.#mutant(draws, estimates)
  }

  #mutant(draws: Chance, estimates: Estimates): Plan {
    const isAimed = draws.coin(AIMED_COLD + (AIMED_HOT - AIMED_COLD) * this.#objectives.heat)
    const aimed = isAimed ? this.#objectives.pick(draws, 1 + this.#beside.size) : undefined
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
    this.#source = { kind: 'mutant', mutators, place, aimed: aimed !== undefined }
    return {
      input: entry.input,
      choices: {
        from: 'mutation',
        choices,
        strategy: TAIL_STRATEGIES[draws.integer(0, TAIL_STRATEGIES.length - 1)]!,
        name: { seed: draws.bits(), length: UNBOUNDED },
        estimates,
      },
    }
  }

  #keep(
    input: InputPlan,
    observation: Observation,
    shown: Shown,
    approaches: readonly Approach[],
    planned: number,
  ): void {
    const record = observation.choices()
    const place = this.#source?.kind === 'mutant' ? this.#source.place : undefined
    const kept = {
      input,
      record,
      fresh: shown.fresh,
      work: workOf(shown, record),
      place,
      timeline: new Timeline(observation.timeline()),
      products: observation.products,
      operands: operandsOf(observation),
    }
    const features = [...this.#stable(shown)]
    const distances = approaches.map(({ key, distance }) => [key, distance] as const)
    const metadata = this.#metadataOf(kept, features, observation, distances, planned)
    const entry = this.#corpus.add({ ...kept, metadata, published: record }, features)
    this.#objectives.hold(entry, approaches)
    this.#queueFollowUps(entry, approaches, planned)
    this.#options.corpusObserver?.added(entry)
  }

  /** Undefined if no other process reads the corpus. */
  #metadataOf(
    { record, work, place, products, operands }: Pick<Entry, 'record' | 'work' | 'place' | 'products' | 'operands'>,
    features: readonly number[],
    observation: Observation,
    distances: EntryMetadata['distances'],
    planned: number,
  ): EntryMetadata | undefined {
    const by = this.#options.corpusObserver?.author
    if (by === undefined) return undefined
    return {
      ...{ by, at: planned, features, work, place, products, operands, spans: record.spans },
      ...numberingOf(observation.numbering ?? NOT_NUMBERED),
      happensBefore: observation.happensBefore,
      moments: observation.timeline(),
      distances,
    }
  }

  get ranElsewhere(): number {
    return [...this.#elsewhere.values()].reduce((sum, at) => sum + at, 0)
  }

  adopt({ choices, metadata, isLive = false }: Resumed): boolean {
    if (metadata === undefined || !isNumberedAlike(metadata, this.#numbering ?? NOT_NUMBERED)) return false
    const { by, at, features, happensBefore, work, place, spans, products, operands, moments, distances } = metadata
    this.#elsewhere.set(by, Math.max(at, this.#elsewhere.get(by) ?? 0))
    if (isLive) this.#beside.add(by)
    const fresh = this.#features.adopt(features, happensBefore)
    const approaches = this.#objectives.near(distances, happensBefore)
    if (fresh.length === 0 && approaches.length === 0) return true
    if (!this.#dictionary.isFull) this.#dictionary.learn(choices.input, products)
    const record = { ...choices, spans }
    const timeline = new Timeline(moments)
    const kept = { input: FROM_TAPE, record, fresh, work, place, timeline, products, operands }
    const entry = this.#corpus.add(kept, features)
    entry.trimmed = true // Its author trims it.
    this.#objectives.hold(entry, approaches)
    this.#dropOvertaken(approaches)
    return true
  }

  /** Another process has come nearer: its pursuit goes on, and the one here would end behind it. */
  #dropOvertaken(approaches: readonly Approach[]): void {
    const overtaken = new Set(approaches.filter(({ best }) => best).map(({ key }) => key))
    this.#followUps = this.#followUps.filter(({ pursuit }) => !overtaken.has(pursuit.key))
  }

  /** Queues follow-ups of an entry that came nearer to an objective, within their share. */
  #queueFollowUps(entry: Entry, approaches: readonly Approach[], planned: number): void {
    const isAffordable = this.#followed < FOLLOWED_SHARE * planned
    const nearest = approaches.find(({ best }) => best) ?? (isAffordable ? approaches[0] : undefined)
    if (nearest === undefined || planned === 1 || this.#followUps.length > MAX_FOLLOW_UPS) return
    const pursuit = new Pursuit(entry, nearest.key, nearest.distance)
    const at = entry.place?.lane === 'input' ? entry.place.index : entry.record.input.findIndex(isWide)
    const number = entry.record.input[at]
    if (number !== undefined && isWide(number)) this.#followUps.push(new Descent(pursuit, at))
    if (!nearest.best || entry.record.schedule.length === 0) return
    this.#followUps.push(new Refinement(pursuit), new Reordering(pursuit))
  }

  #follow(
    followUp: FollowUp,
    observation: Observation,
    shown: Shown,
    approaches: readonly Approach[],
    planned: number,
  ): void {
    const { key, entry } = followUp.pursuit
    if (!followUp.judge(observation)) return
    this.#objectives.hold(
      entry,
      approaches.filter((approach) => approach.key === key),
    )
    this.#replaced(entry, observation, shown, [[key, followUp.pursuit.distance]], planned)
  }

  /** Takes note that the record of an entry was replaced by that of an execution. */
  #replaced(
    entry: Entry,
    observation: Observation,
    shown: Shown,
    distances: EntryMetadata['distances'],
    planned: number,
  ): void {
    const features = this.#stable(shown)
    entry.work = workOf(shown, entry.record)
    entry.metadata = this.#metadataOf(entry, [...features], observation, distances, planned)
    this.#corpus.replaced(entry, features)
  }

  /** Replaces the stored form of an entry by its current one. */
  #publish(entry: Entry): void {
    const { corpusObserver } = this.#options
    const isKnown = entry.published === entry.record || !this.#corpus.entries.includes(entry)
    if (corpusObserver?.author === undefined || isKnown) return
    entry.published = entry.record
    corpusObserver.removed(entry)
    corpusObserver.added(entry)
  }

  #trimmed(trimming: Trimming, observation: Observation, shown: Shown, planned: number): void {
    const { unstable, smaller } = trimming.judge(new Set(shown.all()), observation)
    for (const feature of unstable) this.#unstable.add(feature)
    if (!smaller) return
    this.#replaced(trimming.entry, observation, shown, [], planned)
  }

  /** The features of an execution, without those that did not repeat. */
  #stable(shown: Shown): ReadonlySet<number> {
    return new Set(shown.all().filter((feature) => !this.#unstable.has(feature)))
  }

  #mutationOf(aimed: boolean): Mutation {
    return aimed ? this.#mutations.aimed : this.#mutations.free
  }

  #tracedShare(): number {
    return Math.max(LEAST_TRACED, Math.min(1, TRACED_WORK / (1 + this.#work)))
  }
}

/** The hits, tasks and choices of an execution. */
function workOf({ work }: Shown, { input, schedule, fault }: Choices): number {
  return work + input.length + schedule.length + fault.length
}

function isWide({ min, max }: Choice): boolean {
  return BigInt(max) - BigInt(min) > WIDE
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

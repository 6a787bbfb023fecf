/**
 * The planner of all guided searches: warm-up, resumed records of earlier campaigns, polling for
 * records of other processes, the unguided share. The policy of a domain makes the guided plans.
 *
 * The warm-up consists of unguided executions, since guidance must not delay what random search
 * finds early. Afterwards a share stays unguided: it keeps the search diverse, and estimates use it
 * alone.
 *
 * Invariant: the n-th plan is a function of the options, the corpus at the start and the results so
 * far, not of a clock.
 */
import type { DomainSummary, GuidedState } from '../contract/campaign-summary.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Observation } from '../contract/observation.ts'
import type { Estimates, Observing, Plan } from '../contract/plan.ts'
import { type Chance, chance } from '../tape/chance.ts'
import type { CampaignPlanner, CorpusEntry, GuidedOptions, KeptOfCampaign, Resumed } from './domain.ts'
import { Planner } from './planner.ts'

/** The source of a plan; `guided`: the policy. */
export type Origin = 'unguided' | 'resumed' | 'guided'

export interface Policy {
  /** Separates its random numbers from others with the same seed. */
  readonly salt: number
  /** Unguided executions at the start. */
  readonly warmUp: number
  /** Whether any feedback guides; if not, every execution is unguided. */
  readonly guides: boolean
  /** Whether there is anything to mutate. */
  readonly isReady: boolean
  /** The share of executions that stays unguided, 0..1. */
  readonly unguidedShare: number
  next(chance: Chance, estimates: Estimates): Plan
  /** Adds to an unguided plan what the policy observes, without a change to the execution. */
  unguided?(plan: Plan): Plan
  /** What the latest plan observes. */
  observing(origin: Origin, chance: Chance): Observing
  /**
   * @param planned the number of the execution in the campaign, from 1
   * @returns whether it showed something new
   */
  observe(plan: Plan, result: ExecutionResult, observation: Observation, origin: Origin, planned: number): boolean
  /** Takes over an entry by its metadata. @returns false if its execution has to run here */
  adopt?(resumed: Resumed): boolean
  /** The number of executions of other processes, as far as their metadata shows it. */
  readonly ranElsewhere?: number
  /** Called instead of `observe` for an inconclusive or unobserved execution. */
  unobserved?(origin: Origin): void
  readonly state: Omit<GuidedState, 'lastDiscovery'>
  readonly entries: readonly CorpusEntry[]
  readonly isDone?: boolean
  readonly summary?: DomainSummary
}

/** Executions between two polls for records of other processes, which have to run here. */
const POLLED_EVERY = 256

export class GuidedPlanner implements CampaignPlanner {
  readonly #options: GuidedOptions
  readonly #policy: Policy
  readonly #unguided: Planner
  readonly #chance: Chance
  readonly #resumed: Resumed[]
  #origin: Origin = 'unguided'
  #planned = 0
  #lastDiscovery = 0

  constructor(options: GuidedOptions, policy: Policy) {
    this.#options = options
    this.#policy = policy
    this.#unguided = new Planner(options)
    this.#chance = chance(policy.salt, options.seed)
    this.#resumed = policy.guides ? [...options.resumed] : []
  }

  get isUnguided(): boolean {
    return this.#origin === 'unguided'
  }

  get state(): GuidedState {
    return { ...this.#policy.state, lastDiscovery: this.#lastDiscovery }
  }

  get kept(): KeptOfCampaign {
    return { entries: this.#policy.entries, unseen: this.#resumed.map(({ choices }) => choices) }
  }

  get isDone(): boolean {
    return this.#policy.isDone ?? false
  }

  get summary(): DomainSummary {
    return this.#policy.summary ?? {}
  }

  /** Entries that the policy adopts cost no execution, and are worth most at once. */
  get #polledEvery(): number {
    const { author, polledEvery = POLLED_EVERY } = this.#options.corpusObserver ?? {}
    return author !== undefined && this.#policy.adopt !== undefined ? 1 : polledEvery
  }

  next(): Plan {
    this.#planned++
    const plan = this.#next()
    return { ...plan, observe: this.#policy.observing(this.#origin, this.#chance) }
  }

  observe(plan: Plan, result: ExecutionResult): void {
    this.#unguided.observe(result)
    const { observation } = result
    if (observation === undefined || result.voided !== undefined) this.#policy.unobserved?.(this.#origin)
    else if (this.#policy.observe(plan, result, observation, this.#origin, this.#planned))
      this.#lastDiscovery = this.#planned
  }

  #next(): Plan {
    const { skip = 0, corpusObserver } = this.#options
    const { guides, warmUp } = this.#policy
    if (guides && this.#planned % this.#polledEvery === 0)
      for (const polled of corpusObserver?.poll?.() ?? []) this.#resumed.push({ ...polled, isLive: true })
    while (this.#planned > Math.max(1, skip) && this.#resumed.length > 0) {
      const resumed = this.#resumed.shift()!
      if (this.#policy.adopt?.(resumed)) continue
      this.#origin = 'resumed'
      return { input: { from: 'tape' }, choices: { from: 'record', choices: resumed.choices } }
    }
    const { ranElsewhere = 0 } = this.#policy
    const isWarm = guides && this.#planned + ranElsewhere > warmUp && this.#policy.isReady
    if (isWarm && !this.#chance.coin(this.#policy.unguidedShare)) {
      this.#origin = 'guided'
      return this.#policy.next(this.#chance, this.#unguided.estimates)
    }
    this.#origin = 'unguided'
    const plan = this.#unguided.next()
    return guides ? (this.#policy.unguided?.(plan) ?? plan) : plan
  }
}

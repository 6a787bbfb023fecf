/**
 * The campaign: runs executions of one property until a failure is found or the budget is spent,
 * deduplicates failures, checks that they repeat, and shrinks them.
 *
 * Invariants: a failure is announced before it is shrunk, so that a kill loses at most the
 * execution under way; an announced failure was seen twice with the same trace, otherwise it is
 * flaky. With a budget in runs all announcements are a function of the seed.
 *
 * The determinism guard runs one in a hundred passing executions twice. If the two runs differ, the
 * execution is inconclusive, and the report names the first step that differs.
 */

import type { Choices } from '../contract/choices.ts'
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { reasonKey } from '../contract/inconclusive.ts'
import type { Observing, Plan } from '../contract/plan.ts'
import { chance } from '../tape/chance.ts'
import type {
  CampaignPlanner,
  CorpusObserver,
  Domain,
  DomainOptions,
  DomainSummary,
  GuidedState,
  KeptOfCampaign,
} from './domain.ts'
import type { FoundFailure, SearchEvent } from './events.ts'
import { NOTHING } from './guide.ts'
import type { SearchOptions } from './options.ts'
import { type Provenance, provenance } from './provenance.ts'
import { speciesOf } from './species-of.ts'
import { StopEstimate, type StopTally } from './stop-estimate.ts'

export interface CampaignOptions extends DomainOptions, Omit<SearchOptions, 'timeMs' | 'shrinkMs' | 'frames'> {
  readonly examples: number
  /** Whether the time is up; asked before every execution. */
  readonly expired: () => boolean
  /** Choice sequences of earlier campaigns to begin with. */
  readonly resumed?: readonly Choices[]
  /** Labels of notes that some execution has to reach. */
  readonly required?: readonly string[]
  readonly domain: Domain
}

export interface CampaignObserver {
  /** Before each execution. */
  starting(execution: number, plan: Plan): void
  /** Reports failures, flaky ones, and executions that are inconclusive. */
  emit(event: SearchEvent): void
  /** What the corpus of a guided campaign keeps. */
  readonly corpus?: CorpusObserver
  /** The campaign begins; from then on the planner can be asked what it has gathered. */
  begun?(planner: Pick<CampaignPlanner, 'state' | 'summary'>): void
  /** What is worth keeping when it ends. */
  ended?(kept: KeptOfCampaign): void
}

/** Whether the body rejected every input, so that nothing was checked. */
export function isAllDiscarded({ executions, discarded }: CampaignSummary): boolean {
  return executions > 0 && discarded === executions
}

export interface CampaignSummary extends DomainSummary {
  readonly executions: number
  readonly passed: number
  /** Passed, with an input that was not what the property requires (`fc.pre`). */
  readonly discarded: number
  readonly failed: number
  readonly voided: number
  readonly flaky: number
  readonly distinctFailures: number
  /**
   * Faults that were injected, over all executions; and operations that could have met one, in the
   * execution with most.
   */
  readonly faults: number
  readonly maxFaultPoints: number
  /** Largest number of schedule points, and of causal chains, that an execution passed. */
  readonly maxPoints: number
  readonly maxChains: number
  /** Labels of the notes that were reached; of those that had to be, the ones that were not. */
  readonly notes: readonly string[]
  readonly missed: readonly string[]
  /** What guidance has gathered; undefined if nothing guided. */
  readonly guided?: GuidedState
  /** What "when may I stop" is answered from. */
  readonly stop: StopTally
}

/**
 * Labels of notes that are remembered, beside those that are required: a label made of a value has
 * no end.
 */
export const MAX_NOTES = 1000

/**
 * The share of executions that the determinism guard runs twice; the second one always is, to tell
 * early.
 */
const GUARDED_SHARE = 0.01
const ALWAYS_GUARDED = 2

const NOTHING_OBSERVED: Observing = { counters: false, order: false, comparisons: false }

/**
 * Sets the guard's choice of executions apart from everything else that is drawn from the
 * campaign's seed.
 */
const GUARD_DOMAIN = 0x67756172

export async function campaign(
  executor: Executor,
  options: CampaignOptions,
  observer: CampaignObserver,
): Promise<CampaignSummary> {
  const { guide = NOTHING, domain } = options
  const corpus = observer.corpus && { corpusObserver: observer.corpus }
  const planner = domain.planner({ resumed: [], ...options, guide, ...corpus })
  observer.begun?.(planner)
  const notes = new Set<string>()
  const known = new Set<string>()
  const lost = new Set<string>()
  const guard = chance(GUARD_DOMAIN, options.seed)
  let executions = 0
  let discarded = 0
  let [passed, failed, voided, flaky, maxPoints, maxChains] = [0, 0, 0, 0, 0, 0]
  let [faults, maxFaultPoints] = [0, 0]
  const stop = new StopEstimate()
  while (executions < options.runs && !options.expired() && !planner.isDone) {
    const plan = observed(planner)
    executions++
    const guarded = guard.coin(GUARDED_SHARE) || executions === ALWAYS_GUARDED
    if (executions <= options.skip) {
      // The first one tells whether there is input and schedule; with it, what follows is planned
      // as it was before.
      if (executions === 1 && options.skip > 1) planner.observe(plan, await executor.execute(plan))
      continue
    }
    observer.starting(executions, plan)
    const result = await (guarded ? executeGuarded(executor, plan) : executor.execute(plan))
    planner.observe(plan, result)
    for (const label of result.notes ?? [])
      if (notes.size < MAX_NOTES || options.required?.includes(label)) notes.add(label)
    const { observation } = result
    const species = observation === undefined || !planner.isUnguided ? undefined : speciesOf(observation)
    stop.observe(executions, plan, result, species, !planner.isUnguided)
    if (guarded) stop.repeated(result.voided?.reason.kind !== 'nondeterminism')
    maxPoints = Math.max(maxPoints, result.points)
    maxChains = Math.max(maxChains, result.chains)
    faults += result.faults?.length ?? 0
    maxFaultPoints = Math.max(maxFaultPoints, result.faultPoints ?? 0)
    if (result.discarded) discarded++
    else if (result.verdict === 'passed') passed++
    if (result.verdict === 'void') {
      voided++
      const reason = reasonKey(result.voided!.reason)
      if (!lost.has(reason)) observer.emit({ type: 'inconclusive', execution: executions, report: result.voided! })
      lost.add(reason)
    }
    if (result.verdict !== 'failed') continue
    failed++
    const key = fingerprint(result.failure!)
    if (known.has(key)) continue
    known.add(key)
    const again = await executor.execute(replayPlan(plan, result))
    if (again.verdict !== 'failed' || again.traceHash !== result.traceHash || fingerprint(again.failure!) !== key) {
      flaky++
      const { divergence } = await executor.executeTwice(plan)
      const parted = divergence === undefined ? {} : { divergence }
      observer.emit({ type: 'flaky', failure: { foundAt: executions, first: result, second: again, ...parted } })
      continue
    }
    const found: FoundFailure = {
      identity: key,
      result,
      foundAt: executions,
      seed: options.seed,
      ...(planner.isUnguided ? provenance(plan) : GUIDED),
      shrinking: undefined,
    }
    observer.emit({ type: 'found', failure: found, input: plan.input })
    const small =
      options.shrink && !result.takesRealTime
        ? await domain.shrink(executor, plan.input, result, options.expired)
        : undefined
    const shrunk = small === undefined ? found : { ...found, result: small.result, shrinking: small.summary }
    observer.emit({ type: 'shrunk', failure: shrunk, input: plan.input })
    if (!options.keepGoing) break
  }
  if (planner.kept !== undefined) observer.ended?.(planner.kept)
  return {
    executions,
    passed,
    discarded,
    failed,
    voided,
    flaky,
    distinctFailures: known.size - flaky,
    faults,
    maxFaultPoints,
    maxPoints,
    maxChains,
    stop: stop.tally(),
    notes: [...notes].sort(),
    missed: (options.required ?? []).filter((label) => !notes.has(label)),
    ...(planner.state === undefined ? {} : { guided: planner.state }),
    ...planner.summary,
  }
}

/** A plan made from what others showed has no number. */
const GUIDED: Provenance = { strategy: 'guided', name: undefined }

/** The next plan; if chance alone drew it, with what estimates are made from observed too. */
function observed(planner: CampaignPlanner): Plan {
  const plan = planner.next()
  if (plan.observe?.order) return plan
  return planner.isUnguided ? { ...plan, observe: { ...NOTHING_OBSERVED, ...plan.observe, order: true } } : plan
}

/** Runs a plan twice; a passing execution that does not repeat is void. */
async function executeGuarded(executor: Executor, plan: Plan): Promise<ExecutionResult> {
  const { result, divergence } = await executor.executeTwice(plan)
  if (result.verdict !== 'passed' || divergence === undefined) return result
  const { first, second } = divergence
  const frames = [first.frame ?? second.frame].filter((frame) => frame !== undefined)
  return { ...result, verdict: 'void', voided: { reason: { kind: 'nondeterminism', divergence }, stack: '', frames } }
}

/** The plan that replays exactly what a plan led to. */
function replayPlan(plan: Plan, result: ExecutionResult): Plan {
  return { input: plan.input, choices: { from: 'record', choices: result.choices! } }
}

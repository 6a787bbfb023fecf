/**
 * The campaign: runs executions of one property until a failure is found or the budget is spent;
 * deduplicates failures, checks that they repeat, and shrinks them.
 *
 * Invariants: a failure is emitted before it is shrunk, so a kill loses at most the current
 * execution; an emitted failure was seen twice with the same trace, otherwise it is flaky (but for
 * open mode, where no execution repeats exactly). With a
 * budget in runs all events are a function of the seed.
 *
 * The determinism guard runs one in a hundred executions twice. If the two runs of a passing
 * execution differ, it is inconclusive, and the report names the first step that differs.
 */

import type { CampaignSummary, ExecutionCounts } from '../contract/campaign-summary.ts'
import type { FoundFailure, Provenance, SessionEvent } from '../contract/events.ts'
import type { ExecutionResult, Executor, FaultKind } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { lacksServer, reasonKey } from '../contract/inconclusive.ts'
import type { InputPlan, Observing, Plan } from '../contract/plan.ts'
import { NOTHING } from '../options/guide.ts'
import { chance } from '../tape/chance.ts'
import type { CampaignPlanner, CorpusObserver, Domain, KeptOfCampaign, Resumed } from './domain.ts'
import type { EarlierFailure, SearchOptions } from './options.ts'
import { provenance } from './provenance.ts'
import { speciesOf } from './species.ts'
import { StopEstimate } from './stop-estimate.ts'

export interface CampaignOptions extends Omit<SearchOptions, 'timeMs' | 'shrinkMs'> {
  readonly examples: number
  /** Whether the time is up; called before every execution. */
  readonly expired: () => boolean
  /** Choice sequences of earlier campaigns. */
  readonly resumed?: readonly Resumed[]
  /** Labels of notes that some execution must reach. */
  readonly required?: readonly string[]
  /** Options that name a host or an operation, which some execution should have. */
  readonly naming?: readonly string[]
  /** Kinds of faults that are allowed. */
  readonly faultKinds?: readonly FaultKind[]
  readonly domain: Domain
}

export interface CampaignObserver {
  /** Before each execution. @param counts how those before it ended */
  starting(execution: number, plan: Plan, counts: ExecutionCounts): void
  emit(event: SessionEvent): void
  /** Observes the corpus of a guided campaign. */
  readonly corpus?: CorpusObserver
  /**
   * Called once, with access to the state of the planner during the campaign, and to its summary so far.
   *
   * @param left how many executions its bound leaves, as a multiple of those so far
   */
  begun?(planner: Pick<CampaignPlanner, 'state' | 'summary'>, summary: () => CampaignSummary, left: () => number): void
  /** Called at the end, with what the next campaign can start with. */
  ended?(kept: KeptOfCampaign): void
}

/** Labels of notes kept beside the required ones; a label made of a value has no bound. */
export const MAX_NOTES = 1000

/** The share of executions that the determinism guard runs twice, and one that it always does. */
const GUARDED_SHARE = 0.01
const ALWAYS_GUARDED = 2

/** A search ends with so many inconclusive executions for one reason, if they are this share of all. */
const ENOUGH_LOST = 10
const LOST_SHARE = 0.5

const NOTHING_OBSERVED: Observing = { counters: false, order: false, comparisons: false, model: true }

/** Separates the random numbers of the guard from others with the same seed. */
const GUARD_SALT = 0x67756172

export async function campaign(
  executor: Executor,
  options: CampaignOptions,
  observer: CampaignObserver,
): Promise<CampaignSummary> {
  const { guide = NOTHING, domain, isOpen = false } = options
  const corpus = observer.corpus && { corpusObserver: observer.corpus }
  const planner = domain.planner({ resumed: [], ...options, guide, ...corpus })
  const notes = new Set<string>()
  const matched = new Set<string>()
  const injected = new Set<FaultKind>()
  const { known: knownBefore = [], earlier = [] } = options
  const known = new Set<string>(knownBefore)
  /** Inconclusive executions by reason. */
  const lost = new Map<string, number>()
  const guard = chance(GUARD_SALT, options.seed)
  let executions = 0
  let discarded = 0
  let [passed, failed, voided, flaky, maxPoints, maxChains] = [0, 0, 0, 0, 0, 0]
  let [faults, maxFaultPoints] = [0, 0]
  let failedAsBefore = 0
  const stop = new StopEstimate()
  const summary = (): CampaignSummary => {
    const unmatched = (options.naming ?? []).filter((option) => !matched.has(option))
    const uninjected = (options.faultKinds ?? []).filter((kind) => !injected.has(kind))
    return {
      executions,
      passed,
      discarded,
      failed,
      voided,
      flaky,
      distinctFailures: known.size - flaky - knownBefore.length,
      ...(failedAsBefore === 0 ? {} : { failedAsBefore }),
      faults,
      maxFaultPoints,
      maxPoints,
      maxChains,
      stop: stop.tally(),
      notes: [...notes].sort(),
      missed: (options.required ?? []).filter((label) => !notes.has(label)),
      ...(unmatched.length === 0 ? {} : { unmatched }),
      ...(uninjected.length === 0 ? {} : { uninjected }),
      ...(planner.state === undefined ? {} : { guided: planner.state }),
      ...planner.summary,
    }
  }
  observer.begun?.(planner, summary, () => options.runs / executions - 1)
  while (executions < options.runs && !options.expired() && !planner.isDone) {
    const plan = observed(planner)
    executions++
    const guarded = !isOpen && (guard.coin(GUARDED_SHARE) || executions === ALWAYS_GUARDED)
    if (executions <= options.skip) {
      // The first execution shows whether there are inputs and schedules, so the later plans are the
      // same as before.
      if (executions === 1 && options.skip > 1) planner.observe(plan, await executor.execute(plan))
      continue
    }
    observer.starting(executions, plan, { passed, discarded, failed, voided, flaky })
    const result = await (guarded ? executeGuarded(executor, plan) : executor.execute(plan))
    planner.observe(plan, result)
    for (const label of result.notes ?? [])
      if (notes.size < MAX_NOTES || options.required?.includes(label)) notes.add(label)
    for (const option of result.matched ?? []) matched.add(option)
    for (const { kind = 'fs' } of result.faults ?? []) injected.add(kind)
    const { observation } = result
    const isSample = planner.isUnguided && observation !== undefined && !observation.isPartial
    const species = isSample ? speciesOf(observation) : undefined
    stop.observe(executions, plan, result, species, !planner.isUnguided)
    if (guarded) stop.repeated(result.voided?.reason.kind !== 'nondeterminism')
    maxPoints = Math.max(maxPoints, result.points)
    maxChains = Math.max(maxChains, result.chains)
    faults += result.faults?.length ?? 0
    maxFaultPoints = Math.max(maxFaultPoints, result.faultPoints ?? 0)
    if (result.discarded) discarded++
    else if (result.verdict === 'passed') passed++
    if (result.voided !== undefined) {
      voided++
      const reason = reasonKey(result.voided.reason)
      const times = (lost.get(reason) ?? 0) + 1
      lost.set(reason, times)
      if (times === 1) observer.emit({ type: 'inconclusive', execution: executions, report: result.voided })
      // The next execution would wait as long.
      if (lacksServer(result.voided.reason) && !options.keepGoing) break
      if (times >= ENOUGH_LOST && times >= executions * LOST_SHARE && !options.keepGoing) {
        const text = `stopped after ${executions} executions, ${times} of them inconclusive for one reason. With --keep-going it goes on`
        observer.emit({ type: 'remark', text })
        break
      }
    }
    if (result.verdict !== 'failed') continue
    failed++
    const key = fingerprint(result.failure!)
    if (knownBefore.includes(key)) failedAsBefore++
    if (known.has(key)) continue
    known.add(key)
    const again = isOpen ? result : await executor.execute(replayPlan(plan, result))
    if (again.verdict !== 'failed' || again.traceHash !== result.traceHash || fingerprint(again.failure!) !== key) {
      flaky++
      const { divergence } = await executor.executeTwice(plan)
      const divergent = divergence === undefined ? {} : { divergence }
      observer.emit({ type: 'flaky', failure: { foundAt: executions, first: result, second: again, ...divergent } })
      continue
    }
    const found: FoundFailure = {
      identity: key,
      result,
      foundAt: executions,
      seed: options.seed,
      ...(planner.isUnguided ? provenance(plan) : GUIDED),
      planned: plan.input,
      shrinking: undefined,
    }
    const saved = isOpen ? undefined : await stillFailing(executor, plan.input, key, earlier)
    const isSaved = saved !== undefined && domain.isSimpler(saved, result)
    observer.emit({ type: 'found', failure: found, ...(isSaved ? { isSaved } : {}) })
    const outcome =
      options.shrink && !result.takesRealTime
        ? await domain.shrink(executor, plan.input, result, options.expired)
        : undefined
    const final = outcome === undefined ? found : { ...found, result: outcome.result, shrinking: outcome.summary }
    const shrunk = isSaved && domain.isSimpler(saved, final.result) ? { ...final, result: saved, isSaved } : final
    observer.emit({ type: 'shrunk', failure: shrunk })
    if (!options.keepGoing) break
  }
  if (planner.kept !== undefined) observer.ended?.(planner.kept)
  return summary()
}

/** Guided plans have no name. */
const GUIDED: Provenance = { strategy: 'guided', name: undefined }

/** The next plan. Unguided plans observe what the estimates need. */
function observed(planner: CampaignPlanner): Plan {
  const plan = planner.next()
  if (plan.observe?.order) return plan
  return planner.isUnguided ? { ...plan, observe: { ...NOTHING_OBSERVED, ...plan.observe, order: true } } : plan
}

/** Runs a plan twice; a passing execution that does not repeat is inconclusive. */
async function executeGuarded(executor: Executor, plan: Plan): Promise<ExecutionResult> {
  const { result, divergence } = await executor.executeTwice(plan)
  if (result.verdict !== 'passed' || divergence === undefined) return result
  const { first, second } = divergence
  const frames = [first.frame ?? second.frame].filter((frame) => frame !== undefined)
  return { ...result, verdict: 'void', voided: { reason: { kind: 'nondeterminism', divergence }, stack: '', frames } }
}

/** The failure as it was saved earlier, if it still fails in the same way. */
async function stillFailing(
  executor: Executor,
  input: InputPlan,
  identity: string,
  earlier: readonly EarlierFailure[],
): Promise<ExecutionResult | undefined> {
  const example = input.from === 'example' ? input.index : undefined
  const saved = earlier.find((each) => each.identity === identity && each.example === example)
  if (saved === undefined) return undefined
  const result = await executor.execute({ input, choices: { from: 'record', choices: saved.choices } })
  return result.verdict === 'failed' && fingerprint(result.failure!) === identity ? result : undefined
}

function replayPlan(plan: Plan, result: ExecutionResult): Plan {
  return { input: plan.input, choices: { from: 'record', choices: result.choices! } }
}

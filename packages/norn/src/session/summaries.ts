/** The summary of a property whose search took several processes. */
import type { CampaignSummary, ExecutionCounts } from '../contract/campaign-summary.ts'
import { addDomainSummaries } from '../domains/kinds.ts'
import { addStops, NO_STOP_TALLY } from '../search/stop-estimate.ts'

export const NOTHING_RUN: CampaignSummary = {
  executions: 0,
  passed: 0,
  discarded: 0,
  failed: 0,
  voided: 0,
  flaky: 0,
  distinctFailures: 0,
  faults: 0,
  maxFaultPoints: 0,
  maxPoints: 0,
  maxChains: 0,
  notes: [],
  missed: [],
  stop: NO_STOP_TALLY,
}

export function addCounts(a: ExecutionCounts, b: Partial<ExecutionCounts>): ExecutionCounts {
  const { passed = 0, discarded = 0, failed = 0, voided = 0, flaky = 0 } = b
  return {
    passed: a.passed + passed,
    discarded: a.discarded + discarded,
    failed: a.failed + failed,
    voided: a.voided + voided,
    flaky: a.flaky + flaky,
  }
}

/** The summary of two campaigns on one property. */
export function addSummaries(a: CampaignSummary, b: CampaignSummary): CampaignSummary {
  const notes = [...new Set([...a.notes, ...b.notes])].sort()
  const guided = b.guided ?? a.guided
  const failedAsBefore = (a.failedAsBefore ?? 0) + (b.failedAsBefore ?? 0)
  const unmatched = missingIn(a, b, a.unmatched, b.unmatched)
  const uninjected = missingIn(a, b, a.uninjected, b.uninjected)
  return {
    executions: a.executions + b.executions,
    ...addCounts(a, b),
    distinctFailures: a.distinctFailures + b.distinctFailures,
    faults: a.faults + b.faults,
    maxFaultPoints: Math.max(a.maxFaultPoints, b.maxFaultPoints),
    maxPoints: Math.max(a.maxPoints, b.maxPoints),
    maxChains: Math.max(a.maxChains, b.maxChains),
    notes,
    missed: [...new Set([...a.missed, ...b.missed])].filter((label) => !notes.includes(label)),
    ...(failedAsBefore === 0 ? {} : { failedAsBefore }),
    ...(unmatched.length === 0 ? {} : { unmatched }),
    ...(uninjected.length === 0 ? {} : { uninjected }),
    ...(guided === undefined ? {} : { guided }),
    ...addDomainSummaries(a, b),
    stop: addStops(a.stop, b.stop),
  }
}

/** What neither campaign had: what one lacks, the other may have had. */
function missingIn<Name>(
  a: CampaignSummary,
  b: CampaignSummary,
  ofA: readonly Name[] = [],
  ofB: readonly Name[] = [],
): readonly Name[] {
  if (a.executions === 0) return ofB
  return b.executions === 0 ? ofA : ofA.filter((each) => ofB.includes(each))
}

/**
 * The search domain of clusters: a schedule is a list of steps. Shrinking deletes and lowers steps,
 * and compares the event logs.
 */

import type { Choices } from '../../contract/choices.ts'
import type { ExecutionResult } from '../../contract/execution.ts'
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { Domain } from '../../search/domain.ts'
import { startEarlier } from '../../shrink/earlier-start.ts'
import { isSimplerBy, type ShrinkPolicy, shrink } from '../../shrink/shrink.ts'
import { countNonSimplest } from '../../shrink/simplicity.ts'
import { simplifySchedule } from '../../shrink/simplify-schedule.ts'
import { LATENCY_POLICY, latencyDomain } from '../latency/domain.ts'
import { FramesGoal } from './frames/goal.ts'
import { nearSteps } from './search/near-steps.ts'
import { isRenumbered, isStep } from './search/step-list.ts'
import { STEP_GUIDES, stepPlanner } from './search/step-policy.ts'
import { deleteRequests, omitRequests } from './shrink/delete-requests.ts'
import { deleteSteps } from './shrink/delete-steps.ts'
import { explainByFewSteps } from './shrink/few-steps.ts'
import { lowerSteps } from './shrink/lower-steps.ts'
import { rearrange } from './shrink/rearrange.ts'
import { compareClusters } from './shrink/simplicity.ts'
import { VacuityPlanner } from './vacuity.ts'

/** The passes move single steps anyway, so more restarts rarely find anything simpler than several. */
const MAX_RESTARTS = 2
/** A failure that needs more steps than these is rare: fresh executions do not meet it. */
const MAX_RESTARTED = 8

const STEP_PASSES = {
  first: [simplifySchedule, omitRequests, deleteSteps, explainByFewSteps, rearrange],
  withInput: [deleteRequests],
  last: [startEarlier, lowerSteps],
}

const STEP_POLICY: ShrinkPolicy = {
  passes: (best) => (hasSteps(best.choices) ? STEP_PASSES : LATENCY_POLICY.passes(best)),
  compare: (a, b) => {
    if (a.cluster === undefined || b.cluster === undefined) return LATENCY_POLICY.compare(a, b)
    return compareClusters(a, b) || a.choices.length - b.choices.length
  },
  compareDrawn: (a, b) => {
    const isCluster = a.cluster !== undefined && b.cluster !== undefined
    return isCluster ? compareClusters(a, b) : LATENCY_POLICY.compareDrawn(a, b)
  },
  maxRestarts: (best) => {
    if (!hasSteps(best.choices)) return LATENCY_POLICY.maxRestarts(best)
    const steps = countNonSimplest(best.choices.schedule)
    return steps > 1 && steps <= MAX_RESTARTED ? MAX_RESTARTS : 0
  },
}

export const clusterDomain: Domain = {
  guides: STEP_GUIDES,
  planner: (options) => new VacuityPlanner(stepPlanner(options, goalOf(options.frames))),
  shrink: (executor, input, failing, expired) => shrink(executor, input, failing, expired, STEP_POLICY),
  isSimpler: (one, other) => isSimplerBy(STEP_POLICY, one, other),
  neighbours,
}

/** The share of executions that search for key frames; the others search for failures as ever. */
const DIRECTED_SHARE = 0.5

function goalOf(asked: readonly KeyFramesData[] | undefined): FramesGoal | undefined {
  const names = asked?.map(({ name, frames }) => ({ name, frames: frames.map((frame) => frame.name) }))
  return names && new FramesGoal(names, DIRECTED_SHARE)
}

/** None if the numbers of steps have changed their meaning. */
function neighbours(recorded: Choices, now: ExecutionResult): readonly Choices[] {
  if (!hasSteps(recorded)) return latencyDomain.neighbours(recorded, now)
  return now.choices !== undefined && isRenumbered(recorded, now.choices) ? [] : nearSteps(recorded)
}

function hasSteps({ schedule }: Choices): boolean {
  return schedule.some(isStep)
}

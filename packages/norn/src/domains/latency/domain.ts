/** The domain of programs under the world, whose schedules are latencies. */

import { type GuideName, guideWithin, isGuided } from '../../options/guide.ts'
import type { Domain } from '../../search/domain.ts'
import { GuidedPlanner } from '../../search/guided-planner.ts'
import { unguided } from '../../search/planner.ts'
import { startEarlier } from '../../shrink/earlier-start.ts'
import { lowerValues } from '../../shrink/lower-values.ts'
import { isSimplerBy, type SchedulePasses, type ShrinkPolicy, shrink } from '../../shrink/shrink.ts'
import { compare, compareDrawn } from '../../shrink/simplicity.ts'
import { simplifySchedule } from '../../shrink/simplify-schedule.ts'
import { explainByFew } from './few-delays.ts'
import { LatencyPolicy } from './latency-policy.ts'
import { lowerDelays } from './lower-delays.ts'
import { moveDelays } from './move-delays.ts'
import { neighbours } from './neighbours.ts'
import { shiftTime } from './shift-time.ts'

const MAX_RESTARTS = 6

const GUIDES: readonly GuideName[] = ['edges', 'order', 'compare']

const PASSES: SchedulePasses = {
  first: [simplifySchedule, explainByFew],
  withInput: [shiftTime],
  last: [
    startEarlier,
    lowerDelays,
    moveDelays,
    (shrinker) => lowerValues(shrinker, 'schedule'),
    (shrinker) => lowerValues(shrinker, 'fault'),
  ],
}

export const LATENCY_POLICY: ShrinkPolicy = {
  passes: () => PASSES,
  compare: (a, b) => compare(a.choices, b.choices),
  compareDrawn: (a, b) => compareDrawn(a.choices, b.choices),
  maxRestarts: () => MAX_RESTARTS,
}

export const latencyDomain: Domain = {
  guides: GUIDES,
  planner: (given) => {
    const options = { ...given, guide: guideWithin(given.guide, { guides: GUIDES }) }
    return isGuided(options.guide) ? new GuidedPlanner(options, new LatencyPolicy(options)) : unguided(options)
  },
  shrink: (executor, input, failing, expired) => shrink(executor, input, failing, expired, LATENCY_POLICY),
  isSimpler: (one, other) => isSimplerBy(LATENCY_POLICY, one, other),
  neighbours,
}

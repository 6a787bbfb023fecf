/** What happened in an execution of a cluster, and what could have happened: counts for the report. */
import type { Happened } from '../contract/observation.ts'
import { CROWDED_OUT } from '../model/identities.ts'
import type { Simulation } from './simulation.ts'

const FAULTS = ['crashes', 'drops', 'duplicates', 'partitions'] as const

/** The counts of one execution. */
export function happenedIn({ cluster, log, faults, following }: Simulation): Happened {
  const { faults: quotas = {}, model } = cluster
  const allowed = FAULTS.filter((fault) => (quotas[fault] ?? 0) > 0)
  return {
    log,
    faults: Object.fromEntries(allowed.map((fault) => [fault, faults[fault]])),
    ...(model === undefined ? {} : { actions: model.model.actions, isGuideOnly: model.disabled !== 'fail' }),
    ...(following?.states.includes(CROWDED_OUT) ? { crowdedOut: true } : {}),
    ...(model !== undefined && following === undefined ? { isUnfollowed: true } : {}),
    followed: following?.followed ?? [],
  }
}

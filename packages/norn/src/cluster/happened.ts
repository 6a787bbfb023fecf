/** What happened in an execution of a cluster, and what could have happened: counts for the report. */
import type { Happened } from '../contract/observation.ts'
import { CROWDED_OUT } from '../model/identities.ts'
import { FAULTS } from './faults/table.ts'
import type { Simulation } from './simulation.ts'

/** The counts of one execution. */
export function happenedIn({ cluster: { model }, log, quotas, injected, following }: Simulation): Happened {
  const counts: Record<string, number> = {}
  for (let at = 0; at < quotas.length; at++) if (quotas[at]! > 0) counts[FAULTS[at]!.option] = injected[at]!
  return {
    log,
    faults: counts,
    ...(model === undefined ? {} : { actions: model.model.actions, isGuideOnly: model.disabled !== 'fail' }),
    ...(following?.states.includes(CROWDED_OUT) ? { crowdedOut: true } : {}),
    ...(model !== undefined && following === undefined ? { isUnfollowed: true } : {}),
    followed: following?.followed ?? [],
  }
}

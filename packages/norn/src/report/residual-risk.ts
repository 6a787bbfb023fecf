/** What a search says of the residual risk, in lines and for JSON. */
import type { CampaignSummary } from '../contract/campaign-summary.ts'
import { openNames } from '../contract/open-address.ts'
import { kindOf } from '../domains/kinds.ts'
import type { Guide } from '../options/guide.ts'
import { readStop, type StopReadout } from '../search/stop-estimate.ts'
import type { Target } from '../session/targets.ts'
import { discovered } from './guided.ts'
import { openText } from './open.ts'
import { type Counted, stopLines } from './stop.ts'

export interface ResidualRisk {
  readonly faultsAllowed: boolean
  readonly risk: readonly string[]
  readonly basis: { readonly open: string } | { readonly stop: StopReadout }
}

export function residualRisk(target: Target, summary: CampaignSummary, guide: Guide): ResidualRisk {
  const faultsAllowed = Object.values(target.property.options.faults ?? {}).some((count) => count! > 0)
  const stop = readStop(summary.stop, { ...summary, faultsAllowed })
  const { open = [] } = target.process.start
  const names = openNames(open)
  if (open.length > 0) return { faultsAllowed, risk: [openText(names)], basis: { open: names } }
  const counted = countedOf(target, summary, guide)
  const { guided } = summary
  const inAll = counted === 'events' || guided === undefined ? undefined : discovered(guided)
  return { faultsAllowed, risk: stopLines(stop, counted, inAll), basis: { stop } }
}

/** The species that the estimates count. */
function countedOf({ property }: Target, { guided }: CampaignSummary, { edges, compare }: Guide): Counted {
  if (kindOf(property.kind).hasSteps) return (guided?.states ?? 0) > 0 ? 'states' : 'events'
  return edges || compare ? 'orders and branches' : 'orders'
}

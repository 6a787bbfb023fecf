/** What a campaign of a fleet has done so far, for those who watch it. */
import type { FleetCampaign } from './campaign.ts'
import type { FleetState, Ledger, Quarantined } from './ledger.ts'
import type { Standing } from './standing.ts'

export interface FleetView {
  readonly campaign: FleetCampaign
  /** Undefined if the queue does not know the campaign. */
  readonly state: FleetState | undefined
  /** In the order of its properties. */
  readonly standings: readonly Standing[]
  /** Shards that were announced and are not done. */
  readonly open: number
  /** Names of files of failures. */
  readonly failures: readonly string[]
  /** Whether each was confirmed by another worker. */
  readonly confirmed: ReadonlyMap<string, boolean>
  readonly quarantined: readonly Quarantined[]
  /** Nothing is open, and nothing more will be announced. */
  readonly isOver: boolean
}

export async function viewOf(ledger: Ledger, campaign: FleetCampaign): Promise<FleetView> {
  const { id, budgetMs, shards, sliceMs } = campaign
  // First: what is over by then is in all that is read afterwards.
  const state = await ledger.state(campaign)
  const [standings, failures, confirmed, quarantined] = await Promise.all([
    ledger.standings(campaign),
    ledger.failureNames(id),
    ledger.confirmations(id),
    ledger.quarantined(id),
  ])
  const isSpent =
    state === undefined ||
    state.phase === 'draining' ||
    (budgetMs > 0 && state.announcedMs + sliceMs > budgetMs) ||
    (shards > 0 && state.searches >= shards) ||
    state.prospects.every(({ isDone }) => isDone)
  const open = state?.open ?? 0
  const isOver = open === 0 && isSpent
  return { campaign, state, standings, open, failures, confirmed, quarantined, isOver }
}

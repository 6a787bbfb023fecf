/** `norn fleet status`, `pause`, `resume` and `drain`: what a fleet does, and whether it goes on. */
import {
  type ExitStatus,
  type FleetDrainFlags,
  type FleetFlags,
  type FleetStatusFlags,
  plural,
  print,
  printableLine,
  STATUS,
  UsageError,
} from 'norn/internal/session'
import type { FleetCampaign } from '../campaign.ts'
import { Fleet } from '../fleet.ts'
import { type FleetView, viewOf } from '../watch.ts'
import { addressOf } from './options.ts'

export async function fleetStatusCommand(options: FleetStatusFlags): Promise<ExitStatus> {
  return withFleet(options, async (fleet) => {
    const campaigns = await fleet.ledger.campaigns()
    if (campaigns.length === 0 && !options.json) print('no campaign: norn fleet fuzz declares one')
    for (const campaign of campaigns) {
      const view = await viewOf(fleet.ledger, campaign)
      const queue = fleet.queue(campaign.code)
      const state = { workers: await queue.getWorkersCount(), isPaused: await queue.isPaused() }
      print(options.json ? JSON.stringify(fieldsOf(view, state)) : textOf(view, state))
    }
    return STATUS.passed
  })
}

/** No worker takes another shard, or they take some again. */
export async function fleetPauseCommand(isPaused: boolean, options: FleetFlags): Promise<ExitStatus> {
  return withFleet(options, async (fleet) => {
    const campaigns = await fleet.ledger.campaigns()
    for (const code of new Set(campaigns.map((campaign) => campaign.code))) {
      const queue = fleet.queue(code)
      await (isPaused ? queue.pause() : queue.resume())
    }
    print(`${isPaused ? 'paused' : 'resumed'}: ${plural(campaigns.length, 'campaign')}`)
    return STATUS.passed
  })
}

/** Announces no more shards of a campaign, or of all. @param isForgotten whether it is removed too */
export async function fleetDrainCommand(
  id: string | undefined,
  { forget, ...options }: FleetDrainFlags,
): Promise<ExitStatus> {
  return withFleet(options, async (fleet) => {
    const campaigns = await fleet.ledger.campaigns()
    const chosen = id === undefined ? campaigns : [campaignOf(campaigns, id)]
    for (const campaign of chosen) {
      await fleet.ledger.setPhase(campaign.id, 'draining')
      if (forget) await fleet.ledger.forget(campaign.id)
      print(`${campaign.id}: ${forget ? 'forgotten' : 'no more shards; those under way end'}`)
    }
    return STATUS.passed
  })
}

function campaignOf(campaigns: readonly FleetCampaign[], id: string): FleetCampaign {
  const found = campaigns.filter((campaign) => campaign.id.startsWith(id))
  if (found.length === 1) return found[0]!
  const known = campaigns.map((campaign) => campaign.id).join(', ') || 'none'
  throw new UsageError(`${found.length === 0 ? 'no campaign' : 'several campaigns'} '${id}'; known: ${known}`)
}

async function withFleet(options: FleetFlags, action: (fleet: Fleet) => Promise<ExitStatus>): Promise<ExitStatus> {
  const fleet = await Fleet.open({ address: addressOf(options), prefix: options.prefix })
  try {
    await fleet.reach()
    return await action(fleet)
  } finally {
    await fleet.close()
  }
}

interface QueueState {
  readonly workers: number
  readonly isPaused: boolean
}

function fieldsOf({ campaign, standings, ...view }: FleetView, state: QueueState) {
  const properties = campaign.properties.map((name, index) => {
    const { summary, shards, timeMs, reasons } = standings[index]!
    const { executions, passed, failed, voided, discarded, flaky } = summary
    return { ...name, executions, passed, failed, voided, discarded, flaky, shards, timeMs, reasons }
  })
  const { open, failures, quarantined, isOver } = view
  const phase = view.state?.phase ?? 'lost'
  const { id, codeText, declaredAt } = campaign
  return { campaign: id, code: codeText, declaredAt, phase, isOver, ...state, open, failures, quarantined, properties }
}

function textOf(view: FleetView, { workers, isPaused }: QueueState): string {
  const { campaign, standings, open, failures, quarantined, isOver, state } = view
  const shown = isOver ? 'over' : isPaused ? 'paused' : (state?.phase ?? 'lost')
  const more = quarantined.length > 0 ? `, ${plural(quarantined.length, 'shard')} given up` : ''
  const head = `${campaign.id} ${shown}: ${printableLine(campaign.codeText)}, ${plural(workers, 'worker')}, ${plural(open, 'open shard')}, ${plural(failures.length, 'failure')}${more}`
  const lines = campaign.properties.map(({ file, property }, index) => {
    const { summary, shards, timeMs } = standings[index]!
    const spent = `${(timeMs / 1000).toFixed(0)} s in ${plural(shards, 'shard')}`
    return `  ${printableLine(property)} (${printableLine(file)}): ${plural(summary.executions, 'execution')}, ${spent}`
  })
  return [head, ...lines].join('\n')
}

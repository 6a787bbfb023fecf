/**
 * Keeps the queue filled and whole: announces shards, puts back those that the queue has lost, and sets aside
 * those that no worker survives.
 *
 * Any number of processes may do this at once, and each may end at any moment: nothing depends on the one that
 * declared the campaign.
 */
import type { Queue } from 'bullmq'
import type { FleetCampaign } from './campaign.ts'
import type { Ledger } from './ledger.ts'
import { type Shard, shardId } from './shard.ts'
import { nextProperty } from './spend.ts'

/** Failed runs of a shard before it is set aside. */
export const ATTEMPTS = 3

/** Confirmations come before searches. */
const PRIORITY = { confirm: 1, search: 2 } as const

/** Open shards for each worker, so that none waits for the next. */
const SHARDS_AHEAD = 2
const LEAST_AHEAD = 4

/** Of all processes, one looks in so much time. */
const TURN_MS = 1000

/** Shards of which one look asks whether the queue still has them. */
const MAX_LOOKED_AT = 100

export class Steward {
  readonly #queue: Queue
  readonly #ledger: Ledger

  constructor(queue: Queue, ledger: Ledger) {
    this.#queue = queue
    this.#ledger = ledger
  }

  /** Announces searches until enough are open. @param workers how many there are */
  async announce(campaign: FleetCampaign, workers: number): Promise<void> {
    const { id, sliceMs, sliceRuns, properties } = campaign
    const atOnce = Math.max(LEAST_AHEAD, SHARDS_AHEAD * workers)
    for (;;) {
      const state = await this.#ledger.state(campaign)
      if (state === undefined || state.open >= atOnce) return
      const index = nextProperty(state.prospects, sliceMs)
      if (index === undefined) return
      const runs = sliceRuns === undefined ? {} : { runs: sliceRuns }
      const given = { kind: 'search', campaign: id, ...properties[index]!, timeMs: sliceMs, ...runs } as const
      const shard = await this.#ledger.announce(campaign, given, index, atOnce)
      if (shard === undefined) return
      await this.#enqueue(shard)
    }
  }

  /** Announces that another worker tries a failure. */
  async announceConfirmation(campaign: FleetCampaign, { file, property }: Shard, failure: string, finder: string) {
    const given = { kind: 'confirm', campaign: campaign.id, file, property, timeMs: 0, failure, finder } as const
    const shard = await this.#ledger.announce(campaign, given, 0, 0)
    if (shard !== undefined) await this.#enqueue(shard)
  }

  /** Puts open shards that the queue does not have back into it, and sets aside those that failed for good. */
  async mend(campaign: FleetCampaign): Promise<void> {
    if (!(await this.#ledger.isMyTurn(campaign.id, TURN_MS))) return
    const shards = await this.#ledger.open(campaign.id)
    // There may be many: each look is at some.
    const from = Math.floor(Math.random() * Math.max(1, shards.length - MAX_LOOKED_AT))
    for (const shard of shards.slice(from, from + MAX_LOOKED_AT)) {
      const job = await this.#queue.getJob(shardId(shard))
      if (job === undefined) await this.#enqueue(shard)
      else if (await job.isFailed()) {
        // It may have failed since it was read, without its reason.
        const failed = await this.#queue.getJob(shardId(shard))
        if (failed === undefined) continue
        await this.#ledger.quarantine(shard, failed.failedReason)
        await failed.remove()
      }
    }
  }

  async #enqueue(shard: Shard): Promise<void> {
    await this.#queue.add(shard.kind, shard, {
      jobId: shardId(shard),
      priority: PRIORITY[shard.kind],
      attempts: ATTEMPTS,
      removeOnComplete: true,
    })
  }
}

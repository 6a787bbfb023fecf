/**
 * A worker of a fleet: takes shards from the queue, runs them with the code of this checkout, and delivers the
 * results to the ledger, or to the outbox while the queue cannot be reached.
 *
 * Invariant: what a search found is in `.norn/failures` before it is delivered, and a result is in the ledger
 * or in the outbox before its shard leaves the queue.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  CorpusStore,
  FileProcess,
  jsonFault,
  OWNER,
  plural,
  printableLine,
  propertyFile,
  removeLeftovers,
  type Target,
  version,
  type WorkerOptions,
  writeAtomically,
} from 'norn/internal/session'
import { AutoResetEvent } from './auto-reset-event.ts'
import type { FleetCampaign } from './campaign.ts'
import type { CodeIdentity } from './code-identity.ts'
import { CorpusExchange } from './corpus-exchange.ts'
import type { Ledger } from './ledger.ts'
import { Outbox, type Outcome } from './outbox.ts'
import { pause } from './pause.ts'
import { confirmShard, searchShard } from './run-shard.ts'
import { type PropertyName, parseShard, type Shard, shardId } from './shard.ts'
import { NOTHING_YET } from './standing.ts'
import type { Steward } from './steward.ts'

const FLEET_FOLDER = join('.norn', 'fleet')
/** Processes of so many files stay open. */
const MAX_OPEN = 4
/** Real time between two exchanges during a search, in milliseconds: with news, and without. */
const [LEAST_ROUND_MS, MOST_ROUND_MS] = [10, 150]
/** In larger fleets, the time for each worker: together they make a thousand exchanges a second at most. */
const ROUND_MS_PER_WORKER = 1
/** For so long others wait for a finder that says nothing more, in milliseconds. */
const CLAIM_MS = 10_000
/** So often a finder leaves a confirmation to others. */
const MAX_LEFT = 15
/** A corpus is pruned by one search of so many. */
const PRUNED_EVERY = 8

export interface FleetWorkerOptions {
  readonly root: string
  /** Unique in the fleet. */
  readonly name: string
  /** Of this process, from 0. */
  readonly slot: number
  readonly code: CodeIdentity
  readonly startOf: (file: string) => WorkerOptions
  readonly ledger: Ledger
  readonly steward: Steward
  /** How many workers the fleet has. */
  readonly workers: (isExact?: boolean) => Promise<number>
  readonly say: (line: string) => void
}

export class FleetWorker {
  readonly #options: FleetWorkerOptions
  readonly #outbox: Outbox
  readonly #folder: string
  readonly #processes = new Map<string, FileProcess>()
  readonly #exchanges = new Map<string, CorpusExchange>()
  readonly #campaigns = new Map<string, FleetCampaign>()
  /** How often a confirmation was left to others. */
  readonly #left = new Map<string, number>()

  constructor(options: FleetWorkerOptions) {
    this.#options = options
    this.#outbox = new Outbox(options.root)
    const folder = join(options.root, FLEET_FOLDER)
    removeLeftovers(folder, 'worker-', '-')
    this.#folder = join(folder, `worker-${OWNER}-${options.slot}`)
    mkdirSync(this.#folder, { recursive: true })
  }

  /**
   * Runs the shard of a job.
   *
   * @returns `for another` if another worker should take it
   * @throws Error if it is not for workers with this code
   */
  async run(data: unknown, signal: AbortSignal): Promise<'for another' | 'done'> {
    const { ledger, code } = this.#options
    const shard = parseShard(data)
    const campaign = this.#campaigns.get(shard.campaign) ?? (await ledger.campaign(shard.campaign))
    // It was forgotten, and its shards with it.
    if (campaign === undefined) return 'done'
    this.#campaigns.set(shard.campaign, campaign)
    if (campaign.code !== code.hash)
      throw new Error(`refused: made for ${campaign.codeText}, and this checkout is ${code.text}`)
    if (!(await this.#isAnnounced(shard))) return 'done'
    if (shard.kind === 'confirm' && (await this.#isLeftToOthers(shard))) return 'for another'
    const target = await this.#targetOf(shard)
    if (shard.kind === 'search') return this.#search(campaign, shard, target, signal)
    await this.#confirm(campaign, shard, target)
    return 'done'
  }

  /** Whether a shard of the queue is an open one of the ledger: anybody may have put it there, or changed it. */
  async #isAnnounced(shard: Shard): Promise<boolean> {
    const announced = await this.#options.ledger.announced(shard)
    const isSame = isDeepStrictEqual(announced, shard)
    const why = announced === undefined ? 'not an open shard of the ledger' : 'not the shard that the ledger has'
    if (!isSame) this.#options.say(`! ${shardId(shard)}: ${why}: left out`)
    return isSame
  }

  /** Delivers what waits in the outbox. */
  async deliverLate(): Promise<void> {
    for (const name of this.#outbox.names()) {
      let outcome: Outcome
      try {
        outcome = this.#outbox.read(name)
      } catch (error) {
        this.#options.say(`! ${join(FLEET_FOLDER, 'outbox', name)} is left out: ${jsonFault(error)}`)
        this.#outbox.remove(name)
        continue
      }
      await this.#deliver(outcome)
      this.#outbox.remove(name)
    }
  }

  close(): void {
    for (const process of this.#processes.values()) process.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #search(
    campaign: FleetCampaign,
    shard: Shard,
    target: Target,
    signal: AbortSignal,
  ): Promise<'for another' | 'done'> {
    const { say, ledger } = this.#options
    const index = campaign.properties.findIndex(
      ({ file, property }) => file === shard.file && property === shard.property,
    )
    const state = await ledger.state(campaign)
    if (state?.prospects[index]?.isDone) {
      // It was announced before another shard ended the search.
      await this.#deliver({ shard, index, standing: NOTHING_YET, isDone: true, failures: [] })
      return 'done'
    }
    if (!campaign.keepGoing && (await ledger.isClaimed(campaign.id, index))) {
      say(`  ${shardId(shard)}: waits, as another worker shrinks a failure`)
      return 'for another'
    }
    const exchange = campaign.isSharing ? this.#exchangeOf(shard) : undefined
    // Without what others found the search is poorer, and as right.
    await exchange?.pull().catch(ignored)
    const corpus = campaign.isSharing ? this.#folder : undefined
    say(`  ${shardId(shard)}: ${printableLine(shard.property)}`)
    const done = new AbortController()
    const ended = new AbortController()
    const finding = new AbortController()
    const accompanied = this.#accompany(campaign, index, exchange, done, finding.signal, ended.signal)
    const stopped = AbortSignal.any([signal, done.signal])
    const claim = () => {
      finding.abort()
      void ledger.claim(campaign.id, index, CLAIM_MS).catch(ignored)
    }
    const found = await searchShard(target, campaign, shard, corpus, claim, stopped).finally(() => ended.abort())
    await accompanied
    const { standing, isFailed, failures, isWhole } = found
    const outcome = { shard, index, standing, isDone: isFailed && !campaign.keepGoing, failures }
    for (const { name } of failures) say(`✗ ${printableLine(shard.property)}: .norn/failures/${name}`)
    try {
      await this.#deliver(outcome)
    } catch (error) {
      this.#outbox.put(outcome)
      say(`! the result of a shard is kept in ${join(FLEET_FOLDER, 'outbox')}: ${(error as Error).message}`)
      return 'done'
    }
    await exchange?.push(isWhole && shard.number % PRUNED_EVERY === 0).catch(ignored)
    const workers = await this.#options.workers().catch(() => 1)
    await this.#options.steward.announce(campaign, workers).catch(ignored)
    return 'done'
  }

  /**
   * While a search runs: exchanges what is new, and ends it if another worker has found what ends all.
   *
   * @param finding set once this one has
   */
  async #accompany(
    { id, keepGoing }: FleetCampaign,
    index: number,
    exchange: CorpusExchange | undefined,
    done: AbortController,
    finding: AbortSignal,
    ended: AbortSignal,
  ): Promise<void> {
    const { ledger } = this.#options
    const news = new AutoResetEvent()
    const tell = () => news.set()
    const subscriptions = [exchange?.onChange(tell), keepGoing ? undefined : ledger.onClaim(id, index, tell)]
    let leastMs = LEAST_ROUND_MS
    // Not awaited: there may be no answer until the queue is there again, and the search ends before.
    this.#options.workers().then((workers) => {
      leastMs = Math.max(LEAST_ROUND_MS, ROUND_MS_PER_WORKER * workers)
    }, ignored)
    for (;;) {
      await pause(leastMs, ended)
      await news.wait(Math.max(0, MOST_ROUND_MS - leastMs), ended)
      if (ended.aborted) break
      try {
        await exchange?.push(false)
        await exchange?.pull()
        if (await ledger.isDone(id, index)) done.abort()
        else if (keepGoing) continue
        else if (finding.aborted) await ledger.claim(id, index, CLAIM_MS)
        else if (await ledger.isClaimed(id, index)) done.abort()
      } catch {
        // The queue cannot be reached: the search goes on alone.
      }
    }
    for (const end of subscriptions) end?.()
  }

  /** Whether the finder of a failure leaves its confirmation to others: for some time, and if there are any. */
  async #isLeftToOthers(shard: Shard): Promise<boolean> {
    if (shard.finder !== this.#options.name) return false
    const left = (this.#left.get(shardId(shard)) ?? 0) + 1
    this.#left.set(shardId(shard), left)
    const isLeft = left <= MAX_LEFT && (await this.#options.workers(true)) > 1
    if (isLeft && left === 1) this.#options.say(`  ${shard.failure}: left to another worker`)
    return isLeft
  }

  async #confirm(campaign: FleetCampaign, shard: Shard, target: Target): Promise<void> {
    const { ledger, say } = this.#options
    const text = await ledger.failure(campaign.id, shard.failure!)
    if (text === undefined) return
    const path = join(this.#folder, shard.failure!)
    writeAtomically(path, text)
    // The finder must not see it in the process that found it.
    target.process.close()
    const isConfirmed = await confirmShard(target, path)
    say(`${isConfirmed ? '✓' : '?'} ${shard.failure}: ${isConfirmed ? 'confirmed' : 'does not fail here'}`)
    await ledger.confirm(shard, isConfirmed)
  }

  async #deliver({ shard, index, standing, isDone, failures }: Outcome): Promise<void> {
    const { ledger, steward, name: worker } = this.#options
    const campaign = await ledger.campaign(shard.campaign)
    if (campaign?.properties[index] === undefined) return
    for (const { name, text, size } of failures) {
      const isFirst = await ledger.keepFailure(shard.campaign, name, text, size)
      if (isFirst) await steward.announceConfirmation(campaign, shard, name, worker)
    }
    const counts = await ledger.take(shard, index, standing, isDone)
    const { executions } = standing.summary
    if (!counts) this.#options.say(`! ${plural(executions, 'execution')} not counted: another worker had the shard`)
  }

  async #targetOf({ file, property: name }: Shard): Promise<Target> {
    const { root, startOf } = this.#options
    const path = propertyFile('a shard of the queue', { file }, root)
    const known = this.#processes.get(path)
    const process = known ?? new FileProcess(startOf(path))
    this.#processes.delete(path)
    this.#processes.set(path, process)
    const [oldest] = this.#processes
    if (this.#processes.size > MAX_OPEN) {
      oldest![1].close()
      this.#processes.delete(oldest![0])
    }
    const property = (await process.properties()).find((each) => each.name === name)
    if (property === undefined) throw new Error(`refused: ${file} declares no property '${name}'`)
    return { process, file, property }
  }

  #exchangeOf({ file, property }: PropertyName): CorpusExchange {
    const key = JSON.stringify([file, property])
    let exchange = this.#exchanges.get(key)
    if (exchange === undefined) {
      const path = relative(this.#folder, join(this.#options.root, file))
      const store = new CorpusStore({ root: this.#folder, file: path, property, version: version() })
      exchange = new CorpusExchange(this.#options.ledger, { file, property }, store)
      this.#exchanges.set(key, exchange)
    }
    return exchange
  }
}

/** The queue cannot be reached; what was asked for can wait. */
function ignored(): void {}

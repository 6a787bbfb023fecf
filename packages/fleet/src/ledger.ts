/**
 * What a fleet knows, in Redis: its campaigns, their open shards and standings, failures, and the corpora of
 * properties. BullMQ hands shards out; the ledger says which exist and which are done.
 *
 * All keys begin with the prefix, and those of a campaign with its id. What is read is checked by the caller.
 */
import type { Redis } from 'ioredis'
import { shortHash } from 'norn/internal/session'
import { type FleetCampaign, parseCampaign } from './campaign.ts'
import type { FoundFile } from './found-file.ts'
import { ADD_ENTRY, ANNOUNCE, KEEP_FAILURE, REMOVE_ENTRY, SETTLE, TAKE } from './ledger-scripts.ts'
import { type PropertyName, parseFailureName, parseShard, recordOf, type Shard, shardId } from './shard.ts'
import type { Prospect } from './spend.ts'
import { addStandings, NOTHING_YET, parseStanding, prospectOf, type Standing, standingText } from './standing.ts'
import { Subscriptions } from './subscriptions.ts'

export type Phase = 'running' | 'draining'

export interface FleetState {
  readonly phase: Phase
  /** Shards that were announced and are not done. */
  readonly open: number
  readonly announcedMs: number
  /** Searches that were announced. */
  readonly searches: number
  /** The number of the last shard. */
  readonly number: number
  readonly prospects: readonly Prospect[]
}

/** A shard that was given up, and why. */
export interface Quarantined {
  readonly shard: Shard
  readonly why: string
}

/** What one who watches a campaign knows of it. */
export interface Remembered {
  readonly state: FleetState
  readonly standings: readonly Standing[]
  readonly failures: readonly (FoundFile & { readonly isConfirmed: boolean | undefined })[]
  readonly quarantined: readonly Quarantined[]
}

/** For so long those who watch a campaign can see that it was forgotten, in milliseconds. */
const FORGOTTEN_MS = 3_600_000
/** For so long one process restores a campaign, and no other does, in milliseconds. */
const RESTORING_MS = 10_000

/** Numbers that lost shards may have had: none is given again, as it would be the same search. */
const NUMBERS_LEFT_OUT = 10_000

/** The size of a corpus in Redis: that of a folder (storage/corpus-store.ts). */
const MAX_ENTRIES = 2048
const MAX_CORPUS_BYTES = 64 * 1024 * 1024

export class Ledger {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #subscriptions: Subscriptions

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis
    this.#subscriptions = new Subscriptions(redis)
    this.#prefix = `${prefix}:fleet`
  }

  /** Declares a campaign, unless it is known. */
  async declare(campaign: FleetCampaign): Promise<void> {
    await this.#redis.del(this.#key(campaign.id, 'forgotten'))
    await this.#redis.hsetnx(`${this.#prefix}:campaigns`, campaign.id, JSON.stringify(campaign))
    await this.#redis.hsetnx(this.#key(campaign.id), 'phase', 'running' satisfies Phase)
  }

  /**
   * Restores a campaign that Redis has lost, unless another process does. Shards that were open are not restored:
   * their results come too late, and others take their place.
   *
   * @returns whether this process has
   */
  async restore(campaign: FleetCampaign, { state, standings, failures, quarantined }: Remembered): Promise<boolean> {
    const { id } = campaign
    if ((await this.#redis.set(this.#key(id, 'restoring'), '1', 'PX', RESTORING_MS, 'NX')) === null) return false
    const timeMs = (standing: Standing) => Math.round(standing.timeMs)
    const sum = (of: (standing: Standing) => number) => standings.reduce((total, each) => total + of(each), 0)
    const searches = sum(({ shards }) => shards) + quarantined.filter(({ shard }) => shard.kind === 'search').length
    const fields: Record<string, string | number> = {
      phase: state.phase,
      number: state.number + NUMBERS_LEFT_OUT,
      searches,
      announcedMs: sum(timeMs),
    }
    const texts: Record<string, string> = {}
    for (const [index, standing] of standings.entries()) {
      fields[`announcedMs:${index}`] = timeMs(standing)
      fields[`perSecond:${index}`] = prospectOf(standing) ?? ''
      if (state.prospects[index]?.isDone) fields[`done:${index}`] = 1
      texts[index] = standingText(standing)
    }
    await this.#redis.hset(this.#key(id, 'standings'), texts)
    for (const { name, text, size, isConfirmed } of failures) {
      await this.keepFailure(id, name, text, size)
      if (isConfirmed !== undefined) await this.#redis.hset(this.#key(id, 'confirmed'), name, isConfirmed ? '1' : '0')
    }
    for (const each of quarantined)
      await this.#redis.hset(this.#key(id, 'quarantine'), shardId(each.shard), JSON.stringify(each))
    // Last: only then does anybody know it.
    await this.#redis.hset(this.#key(id), fields)
    await this.declare(campaign)
    return true
  }

  /** All campaigns, the oldest first; those that cannot be read are left out. */
  async campaigns(): Promise<readonly FleetCampaign[]> {
    const texts = Object.values(await this.#redis.hgetall(`${this.#prefix}:campaigns`))
    const campaigns = texts.flatMap((text) => readable(() => parseCampaign(JSON.parse(text))) ?? [])
    return campaigns.sort((a, b) => (a.declaredAt < b.declaredAt ? -1 : 1))
  }

  async campaign(id: string): Promise<FleetCampaign | undefined> {
    const text = await this.#redis.hget(`${this.#prefix}:campaigns`, id)
    return text === null ? undefined : parseCampaign(JSON.parse(text))
  }

  /** Forgets a campaign with its standings and failures; the corpora stay. */
  async forget(id: string): Promise<void> {
    await this.#redis.set(this.#key(id, 'forgotten'), '1', 'PX', FORGOTTEN_MS)
    await this.#redis.hdel(`${this.#prefix}:campaigns`, id)
    const parts = ['open', 'standings', 'failures', 'sizes', 'confirmed', 'quarantine', 'turn']
    await this.#redis.del(this.#key(id), ...parts.map((part) => this.#key(id, part)))
  }

  /** Whether somebody has asked to forget a campaign, in the last hour. */
  async isForgotten(id: string): Promise<boolean> {
    return (await this.#redis.exists(this.#key(id, 'forgotten'))) === 1
  }

  /** As of one moment; undefined if the campaign is not known. */
  async state({ id, properties }: FleetCampaign): Promise<FleetState | undefined> {
    const read = this.#redis.multi().hgetall(this.#key(id)).hlen(this.#key(id, 'open'))
    const [[, fields], [, open]] = (await read.exec()) as [[null, Record<string, string>], [null, number]]
    if (fields.phase === undefined) return undefined
    const number = (name: string) => Number(fields[name] ?? 0)
    return {
      phase: fields.phase === 'draining' ? 'draining' : 'running',
      open,
      announcedMs: number('announcedMs'),
      searches: number('searches'),
      number: number('number'),
      prospects: properties.map((_, index) => ({
        perSecond: fields[`perSecond:${index}`] ? number(`perSecond:${index}`) : undefined,
        announcedMs: number(`announcedMs:${index}`),
        isDone: fields[`done:${index}`] !== undefined,
      })),
    }
  }

  /** True for one process of the fleet in each `ms`, by the clock of Redis. */
  async isMyTurn(id: string, ms: number): Promise<boolean> {
    return (await this.#redis.set(this.#key(id, 'turn'), '1', 'PX', ms, 'NX')) === 'OK'
  }

  /**
   * The number of workers for some code, counted by one process in each `ms`.
   *
   * @param count counts them, which takes Redis a while where there are many
   */
  async workers(code: string, ms: number, count: () => Promise<number>): Promise<number> {
    const key = `${this.#prefix}:workers:${code}`
    const known = await this.#redis.get(key)
    if (known !== null) return Number(known)
    const workers = await count()
    await this.#redis.set(key, workers, 'PX', ms)
    return workers
  }

  /** Whether the search of a property has ended for all. */
  async isDone(id: string, index: number): Promise<boolean> {
    return (await this.#redis.hexists(this.#key(id), `done:${index}`)) === 1
  }

  /** Says for a while that a failure of a property was found, which its worker still shrinks. */
  async claim(id: string, index: number, ms: number): Promise<void> {
    const key = this.#key(id, `claim:${index}`)
    if ((await this.#redis.set(key, '1', 'PX', ms, 'GET')) === null) await this.#redis.publish(key, '')
  }

  /** Calls when a property is claimed. @returns ends the subscription */
  onClaim(id: string, index: number, claimed: () => void): () => void {
    return this.#subscriptions.add(this.#key(id, `claim:${index}`), claimed)
  }

  async isClaimed(id: string, index: number): Promise<boolean> {
    return (await this.#redis.exists(this.#key(id, `claim:${index}`))) === 1
  }

  /** No new shards, or again such; the open ones are done. */
  async setPhase(id: string, phase: Phase): Promise<void> {
    await this.#redis.hset(this.#key(id), 'phase', phase)
  }

  /**
   * Opens the next shard of a campaign, unless it has enough of them.
   *
   * @param index of the property, for a search
   * @param atOnce open shards at most; 0 for no bound
   */
  async announce(
    campaign: FleetCampaign,
    given: Omit<Shard, 'number'>,
    index: number,
    atOnce: number,
  ): Promise<Shard | undefined> {
    const { id, budgetMs, shards } = campaign
    const bounds = given.kind === 'search' ? [budgetMs, shards, atOnce] : [0, 0, 0]
    const keys = [this.#key(id), this.#key(id, 'open')]
    const args = [JSON.stringify(given), index, given.timeMs, ...bounds, id]
    const number = Number(await this.#redis.eval(ANNOUNCE, keys.length, ...keys, ...args))
    return number === 0 ? undefined : { ...given, number }
  }

  /** The shards that were announced and are not done. */
  async open(id: string): Promise<readonly Shard[]> {
    const texts = Object.values(await this.#redis.hgetall(this.#key(id, 'open')))
    return texts.flatMap((text) => readable(() => parseShard(JSON.parse(text))) ?? [])
  }

  /** The shard that was announced under the name of another, and is not done. */
  async announced(named: Pick<Shard, 'campaign' | 'number'>): Promise<Shard | undefined> {
    const text = await this.#redis.hget(this.#key(named.campaign, 'open'), shardId(named))
    return text === null ? undefined : parseShard(JSON.parse(text))
  }

  /** The standing of each property, in the order of the campaign. */
  async standings({ id, properties }: FleetCampaign): Promise<readonly Standing[]> {
    const texts = await this.#redis.hgetall(this.#key(id, 'standings'))
    return properties.map((_, index) => standingOf(texts[index]))
  }

  /**
   * Adds the result of a search, once.
   *
   * @param isDone whether the property needs no more
   * @returns whether it counts: not if the shard was done before
   */
  async take(shard: Shard, index: number, result: Standing, isDone: boolean): Promise<boolean> {
    const { campaign } = shard
    const keys = [this.#key(campaign), this.#key(campaign, 'open'), this.#key(campaign, 'standings')]
    const spentMs = Math.round(result.timeMs)
    for (;;) {
      const [version, text] = await Promise.all([
        this.#redis.hget(keys[0]!, `version:${index}`),
        this.#redis.hget(keys[2]!, String(index)),
      ])
      const sum = addStandings(standingOf(text), result)
      const args = [
        index,
        version ?? '0',
        standingText(sum),
        prospectOf(sum) ?? '',
        isDone ? 1 : 0,
        spentMs - shard.timeMs,
      ]
      const outcome = await this.#redis.eval(TAKE, keys.length, ...keys, shardId(shard), ...args)
      if (outcome !== 'again') return outcome === 'taken'
    }
  }

  /** Takes a confirmation, once. */
  async confirm(shard: Shard, isConfirmed: boolean): Promise<void> {
    await this.#settle(shard, 'confirmed', shard.failure!, isConfirmed ? '1' : '0')
  }

  /** Gives a shard up. @returns whether it was open */
  async quarantine(shard: Shard, why: string): Promise<boolean> {
    return this.#settle(shard, 'quarantine', shardId(shard), JSON.stringify({ shard, why } satisfies Quarantined))
  }

  async quarantined(id: string): Promise<readonly Quarantined[]> {
    const texts = Object.values(await this.#redis.hgetall(this.#key(id, 'quarantine')))
    const parse = (text: string) => {
      const { shard, why } = recordOf(JSON.parse(text))
      return { shard: parseShard(shard), why: String(why) }
    }
    return texts.flatMap((text) => readable(() => parse(text)) ?? [])
  }

  /**
   * Keeps a failure unless a smaller one of the same name is kept.
   *
   * @param name of its file
   * @returns whether none of that name was known
   */
  async keepFailure(campaign: string, name: string, text: string, size: number): Promise<boolean> {
    const keys = [this.#key(campaign, 'failures'), this.#key(campaign, 'sizes')]
    return (await this.#redis.eval(KEEP_FAILURE, keys.length, ...keys, name, text, size)) === 1
  }

  async failureNames(campaign: string): Promise<readonly string[]> {
    const names = await this.#redis.hkeys(this.#key(campaign, 'failures'))
    return names.flatMap((name) => readable(() => parseFailureName(name)) ?? []).sort()
  }

  async failure(campaign: string, name: string): Promise<string | undefined> {
    return (await this.#redis.hget(this.#key(campaign, 'failures'), name)) ?? undefined
  }

  /** Whether each failure was confirmed by another worker; those that nobody has tried yet are missing. */
  async confirmations(campaign: string): Promise<ReadonlyMap<string, boolean>> {
    const texts = await this.#redis.hgetall(this.#key(campaign, 'confirmed'))
    return new Map(Object.entries(texts).map(([name, text]) => [name, text === '1']))
  }

  /**
   * The entries of a corpus that came after a position.
   *
   * @returns with the position to go on from
   */
  async entriesSince(
    of: PropertyName,
    position: number,
  ): Promise<{ readonly entries: readonly (readonly [name: string, text: string])[]; readonly position: number }> {
    const [entries, order] = this.#corpusKeys(of)
    const found = await this.#redis.zrange(order!, `(${position}`, '+inf', 'BYSCORE', 'WITHSCORES')
    const names = found.filter((_, at) => at % 2 === 0)
    if (names.length === 0) return { entries: [], position }
    const texts = await this.#redis.hmget(entries!, ...names)
    const known = names.flatMap((name, at) => (texts[at] === null ? [] : [[name, texts[at]!] as const]))
    return { entries: known, position: Number(found.at(-1)) }
  }

  /** Calls when somebody adds an entry to a corpus. @returns ends the subscription */
  onEntry(of: PropertyName, added: () => void): () => void {
    return this.#subscriptions.add(this.#corpusKeys(of)[2]!, added)
  }

  async addEntry(of: PropertyName, name: string, text: string): Promise<void> {
    const keys = this.#corpusKeys(of)
    await this.#redis.eval(ADD_ENTRY, keys.length, ...keys, name, text, MAX_ENTRIES, MAX_CORPUS_BYTES)
  }

  async removeEntry(of: PropertyName, name: string): Promise<void> {
    const keys = this.#corpusKeys(of)
    await this.#redis.eval(REMOVE_ENTRY, keys.length, ...keys, name)
  }

  /** Ends the subscriptions. The connection is its owner's. */
  close(): void {
    this.#subscriptions.close()
  }

  async #settle(shard: Shard, part: string, field: string, value: string): Promise<boolean> {
    const keys = [this.#key(shard.campaign, 'open'), this.#key(shard.campaign, part)]
    return (await this.#redis.eval(SETTLE, keys.length, ...keys, shardId(shard), field, value)) === 1
  }

  #key(campaign: string, part?: string): string {
    return [this.#prefix, campaign, ...(part === undefined ? [] : [part])].join(':')
  }

  #corpusKeys({ file, property }: PropertyName): readonly string[] {
    const corpus = `${this.#prefix}:corpus:${shortHash(`${file}|${property}`)}`
    return [`${corpus}:entries`, `${corpus}:order`, corpus]
  }
}

function standingOf(text: string | null | undefined): Standing {
  return text ? parseStanding(text) : NOTHING_YET
}

/** Undefined where data of somebody else cannot be read. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The options of the commands of `norn fleet`. */
import { count, duration, text, toggle } from '../../options/kinds.ts'
import { type Chosen, flag, type Option, type OptionTable } from '../../options/option.ts'
import { OPTIONS, type RunFlags } from '../../options/table.ts'

export const QUEUE = {
  queue: flag(text, '--queue <url>', 'redis://HOST:PORT, or rediss:// for TLS; NORN_QUEUE by default'),
  prefix: flag(text, '--prefix <text>', 'of all keys in Redis', { initial: 'norn' }),
} satisfies OptionTable

/** An option of `norn fuzz` that says something of its own here. */
function own<Row extends Option>(row: Row, help: string): Row {
  return { ...row, help, meaning: undefined, fallback: undefined, default: undefined }
}

export const WORK = {
  workers: { ...own(OPTIONS.workers, 'shards at once'), fallback: '1' },
  lease: flag(duration, '--lease <duration>', 'a worker that is silent for so long loses its shard', {
    fallback: '30s',
  }),
  untilIdle: flag(duration, '--until-idle <duration>', 'end when there was nothing to do for so long'),
} satisfies OptionTable

export const FUZZ = {
  time: flag(duration, '--time <duration>', 'machine time of all shards together', { fallback: '10m' }),
  shards: flag(count, '--shards <count>', 'number of shards at most'),
  continuous: flag(toggle, '--continuous', 'no end, until norn fleet drain'),
  slice: flag(duration, '--slice <duration>', 'time of a shard', { fallback: '30s' }),
  sliceRuns: flag(count, '--slice-runs <count>', 'executions of a shard at most'),
  seed: own(OPTIONS.seed, 'seed of the campaign (32 bits); the same call with it watches the same campaign'),
  strategy: own(OPTIONS.strategy, 'schedule strategy, as of norn fuzz'),
  guide: own(OPTIONS.guide, 'feedback that guides the search, as of norn fuzz'),
  property: own(OPTIONS.property, 'only properties whose name contains this'),
  keepGoing: OPTIONS.keepGoing,
  share: flag(toggle, '--no-share', 'workers do not share what they find', { initial: true }),
  detach: flag(toggle, '--detach', 'declare the campaign, and do not watch it'),
  json: OPTIONS.json,
} satisfies OptionTable

export const STATUS = { json: own(OPTIONS.json, 'print a JSON line for each') } satisfies OptionTable

export const DRAIN = {
  forget: flag(toggle, '--forget', 'also remove what the queue knows of it; corpora stay'),
} satisfies OptionTable

/** Of all commands. */
export type FleetFlags = Chosen<typeof QUEUE>
export type FleetStatusFlags = FleetFlags & Chosen<typeof STATUS>
export type FleetDrainFlags = FleetFlags & Chosen<typeof DRAIN>
export type FleetWorkFlags = FleetFlags & RunFlags & Chosen<typeof WORK>
export type FleetFuzzFlags = FleetFlags & RunFlags & Chosen<typeof FUZZ>

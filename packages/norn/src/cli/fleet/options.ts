/** The options of the commands of `norn fleet`. */
import { count, duration, text, toggle } from '../../options/kinds.ts'
import { type Chosen, flag, type OptionTable } from '../../options/option.ts'
import { OPTIONS, type RunFlags } from '../../options/table.ts'

export const QUEUE = {
  queue: flag(text, '--queue <url>', 'redis://HOST:PORT, or rediss:// for TLS; NORN_QUEUE by default'),
  prefix: flag(text, '--prefix <text>', 'of all keys in Redis', { initial: 'norn' }),
} satisfies OptionTable

export const WORK = {
  workers: { ...OPTIONS.workers, help: 'shards at once; 1 by default' },
  lease: flag(duration, '--lease <duration>', 'a worker that is silent for so long loses its shard; 30s by default'),
  untilIdle: flag(duration, '--until-idle <duration>', 'end when there was nothing to do for so long'),
} satisfies OptionTable

export const FUZZ = {
  time: flag(duration, '--time <duration>', 'machine time of all shards together; 10m by default'),
  shards: flag(count, '--shards <count>', 'number of shards at most'),
  continuous: flag(toggle, '--continuous', 'no end, until norn fleet drain', { initial: false }),
  slice: flag(duration, '--slice <duration>', 'time of a shard; 30s by default'),
  sliceRuns: flag(count, '--slice-runs <count>', 'executions of a shard at most'),
  seed: {
    ...OPTIONS.seed,
    help: 'seed of the campaign (32 bits); the same call with it watches the same campaign',
  },
  strategy: { ...OPTIONS.strategy, help: 'schedule strategy, as of norn fuzz' },
  guide: { ...OPTIONS.guide, help: 'feedback that guides the search, as of norn fuzz' },
  property: { ...OPTIONS.property, help: 'only properties whose name contains this' },
  keepGoing: OPTIONS.keepGoing,
  share: flag(toggle, '--no-share', 'workers do not share what they find', { initial: true }),
  detach: flag(toggle, '--detach', 'declare the campaign, and do not watch it', { initial: false }),
  json: OPTIONS.json,
} satisfies OptionTable

export const STATUS = { json: { ...OPTIONS.json, help: 'print a JSON line for each' } } satisfies OptionTable

export const DRAIN = {
  forget: flag(toggle, '--forget', 'also remove what the queue knows of it; corpora stay', { initial: false }),
} satisfies OptionTable

/** Of all commands. */
export type FleetFlags = Chosen<typeof QUEUE>
export type FleetStatusFlags = FleetFlags & Chosen<typeof STATUS>
export type FleetDrainFlags = FleetFlags & Chosen<typeof DRAIN>
export type FleetWorkFlags = FleetFlags & RunFlags & Chosen<typeof WORK>
export type FleetFuzzFlags = FleetFlags & RunFlags & Chosen<typeof FUZZ>

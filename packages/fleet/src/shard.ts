/**
 * The unit of work of a fleet: a search of one property for some time, or the confirmation of a failure.
 *
 * A shard is at least once: its id is a function of its campaign and its number, and the ledger takes the
 * result of each id once. What comes from the queue is data, and is checked as such.
 */
import { leadsOut } from 'norn/internal/session'

export interface PropertyName {
  /** The file, relative to the root. */
  readonly file: string
  readonly property: string
}

export interface Shard extends PropertyName {
  readonly kind: 'search' | 'confirm'
  readonly campaign: string
  /** Its number in the campaign, from 1. */
  readonly number: number
  /** Real time to search, in milliseconds; 0 for a confirmation. */
  readonly timeMs: number
  /** The executions of a search at most. */
  readonly runs?: number
  /** Of a confirmation: the name of the file of the failure. */
  readonly failure?: string
  /** Of a confirmation: the worker that found the failure. */
  readonly finder?: string
}

const ID = /^[0-9a-z]{1,40}$/
const FAILURE_NAME = /^[^/\\.][^/\\]{0,200}\.json$/
const MAX_NAME = 1000
const MAX_TIME_MS = 24 * 60 * 60 * 1000

/** Names a shard in the queue and in the ledger. */
export function shardId({ campaign, number }: Pick<Shard, 'campaign' | 'number'>): string {
  return `${campaign}-${number}`
}

/** @throws Error that says what is wrong */
export function parseShard(given: unknown): Shard {
  const { kind, campaign, number, file, property, timeMs, runs, failure, finder } = recordOf(given)
  if (kind !== 'search' && kind !== 'confirm') throw new Error('"kind" is neither search nor confirm')
  const shard = {
    kind,
    campaign: parseId(campaign),
    number: whole(number, 'number', Number.MAX_SAFE_INTEGER),
    ...parsePropertyName({ file, property }),
    timeMs: whole(timeMs, 'timeMs', MAX_TIME_MS),
    ...(runs === undefined ? {} : { runs: whole(runs, 'runs', Number.MAX_SAFE_INTEGER) }),
  } as const
  if (kind === 'search') return shard
  if (typeof finder !== 'string' || finder.length > MAX_NAME) throw new Error('"finder" is not a name')
  return { ...shard, failure: parseFailureName(failure), finder }
}

export function parsePropertyName(given: unknown): PropertyName {
  const { file, property } = recordOf(given)
  if (typeof file !== 'string' || file === '' || file.length > MAX_NAME || leadsOut(file))
    throw new Error('"file" is not a path inside the project')
  if (typeof property !== 'string' || property.length > MAX_NAME) throw new Error('"property" is not a name')
  return { file, property }
}

/** The name of a file of a failure. */
export function parseFailureName(given: unknown): string {
  if (typeof given !== 'string' || !FAILURE_NAME.test(given)) throw new Error('"failure" is not the name of a failure')
  return given
}

/** The id of a campaign. */
export function parseId(given: unknown): string {
  if (typeof given !== 'string' || !ID.test(given)) throw new Error('"campaign" is not an id')
  return given
}

export function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Error('not an object')
  return given as Record<string, unknown>
}

export function whole(given: unknown, name: string, most: number): number {
  if (!Number.isSafeInteger(given) || (given as number) < 0 || (given as number) > most)
    throw new Error(`"${name}" is not a whole number up to ${most}`)
  return given as number
}

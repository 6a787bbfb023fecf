/** What `norn fleet fuzz` declares: which properties to search, how, and for how long. */
import { mix } from 'norn/internal/session'
import { type PropertyName, parseId, parsePropertyName, recordOf, whole } from './shard.ts'

export interface FleetCampaign {
  readonly id: string
  /** The hash and the text of the code that it is for. */
  readonly code: string
  readonly codeText: string
  readonly properties: readonly PropertyName[]
  readonly seed: number
  /** As flags name them; undefined for the choice of norn. */
  readonly strategy?: string
  readonly guide?: string
  readonly keepGoing: boolean
  /** Whether workers share what they find. */
  readonly isSharing: boolean
  /** The time of a shard, in milliseconds. */
  readonly sliceMs: number
  /** The executions of a shard at most. */
  readonly sliceRuns?: number
  /** The machine time of all shards together, in milliseconds; 0 for no bound. */
  readonly budgetMs: number
  /** The number of shards at most; 0 for no bound. */
  readonly shards: number
  /** When it was declared, by the clock of the machine that did; for people. */
  readonly declaredAt: string
}

const MAX_PROPERTIES = 10_000
const MAX_TEXT = 200

/** @throws Error that says what is wrong */
export function parseCampaign(given: unknown): FleetCampaign {
  const { strategy, guide, properties, sliceRuns, ...rest } = recordOf(given)
  if (!Array.isArray(properties) || properties.length === 0 || properties.length > MAX_PROPERTIES)
    throw new Error(`"properties" is not an array of up to ${MAX_PROPERTIES} properties`)
  const text = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value.length > MAX_TEXT) throw new Error(`"${name}" is not a short text`)
    return value
  }
  return {
    id: parseId(rest.id),
    code: text('code', rest.code),
    codeText: text('codeText', rest.codeText),
    properties: properties.map(parsePropertyName),
    seed: whole(rest.seed, 'seed', 2 ** 32 - 1),
    ...(strategy === undefined ? {} : { strategy: text('strategy', strategy) }),
    ...(guide === undefined ? {} : { guide: text('guide', guide) }),
    keepGoing: rest.keepGoing === true,
    isSharing: rest.isSharing === true,
    sliceMs: whole(rest.sliceMs, 'sliceMs', Number.MAX_SAFE_INTEGER),
    ...(sliceRuns === undefined ? {} : { sliceRuns: whole(sliceRuns, 'sliceRuns', Number.MAX_SAFE_INTEGER) }),
    budgetMs: whole(rest.budgetMs, 'budgetMs', Number.MAX_SAFE_INTEGER),
    shards: whole(rest.shards, 'shards', Number.MAX_SAFE_INTEGER),
    declaredAt: text('declaredAt', rest.declaredAt),
  }
}

/** The seed of a shard: of its own, and a function of the campaign and the number of the shard. */
export function seedOf({ seed }: FleetCampaign, number: number): number {
  return mix(seed ^ mix(number))
}

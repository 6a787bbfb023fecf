/**
 * Where the search of a property stands: the sum of the results of its shards. Its text is what the ledger
 * keeps, so it is bounded: a census of fewer species than that of one process, and few reasons.
 */
import { parse, stringify } from 'devalue'
import {
  addSpecies,
  addSummaries,
  type CampaignSummary,
  countsOf,
  NO_SPECIES,
  NOTHING_RUN,
} from 'norn/internal/session'
import { recordOf } from './shard.ts'

export interface Standing {
  readonly summary: CampaignSummary
  /** Shards that were counted. */
  readonly shards: number
  /** Real time of all of them, in milliseconds. */
  readonly timeMs: number
  /** Why executions were inconclusive, and other trouble; some of them, a line each. */
  readonly reasons: readonly string[]
}

export const NOTHING_YET: Standing = { summary: NOTHING_RUN, shards: 0, timeMs: 0, reasons: [] }

/** Counts of a thousand kept singletons are within 6 %, and a text is at most about 40 kB. */
const MAX_SPECIES = 4096
const MAX_REASONS = 8
const MAX_REASON = 500
/** The longest text of a standing that is read. */
const MAX_TEXT = 4 * 1024 * 1024

export function addStandings(a: Standing, b: Standing): Standing {
  const summary = addSummaries(a.summary, b.summary)
  const species = addSpecies(summary.stop.species, NO_SPECIES, MAX_SPECIES)
  const reasons = [...new Set([...a.reasons, ...b.reasons.map((reason) => reason.slice(0, MAX_REASON))])]
  return {
    summary: { ...summary, stop: { ...summary.stop, species } },
    shards: a.shards + b.shards,
    timeMs: a.timeMs + b.timeMs,
    reasons: reasons.slice(0, MAX_REASONS),
  }
}

export function standingText(standing: Standing): string {
  return stringify(standing)
}

/** @throws Error that says what is wrong */
export function parseStanding(text: string): Standing {
  if (text.length > MAX_TEXT) throw new Error(`a standing of ${text.length} characters; the maximum is ${MAX_TEXT}`)
  const { summary, shards, timeMs, reasons } = recordOf(parse(text))
  const isText = (value: unknown) => typeof value === 'string'
  if (!isCount(shards) || !isCount(timeMs) || !Array.isArray(reasons) || !reasons.every(isText))
    throw new Error('not a standing: expected { summary, shards, timeMs, reasons }')
  for (const [name, empty] of Object.entries(NOTHING_RUN)) {
    const value = recordOf(summary)[name]
    const isAlike = typeof empty === 'number' ? isCount(value) : Array.isArray(empty) === Array.isArray(value)
    if (!isAlike || value === null || typeof value !== typeof empty) throw new Error(`"${name}" of a summary is wrong`)
  }
  return { summary, shards, timeMs, reasons } as Standing
}

/** New behaviours that the next second of search is expected to show; undefined if too little is known. */
export function prospectOf({ summary, timeMs }: Standing): number | undefined {
  const { stop } = summary
  const { samples, once } = countsOf(stop.species)
  if (samples === 0 || timeMs === 0) return undefined
  // Good and Turing: the share of species that were seen once estimates the chance of a new one.
  return (once / samples) * (stop.samples / (timeMs / 1000))
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

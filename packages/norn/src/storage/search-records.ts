/**
 * What is kept of the searches of a property, for reports: the latest ones, as they were told. One file
 * a property under `.norn/searches/`, written by atomic rename.
 *
 * Nothing depends on these files: a search that cannot be recorded goes on, and deleting them is safe.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shortHash } from '../contract/fingerprint.ts'
import { VERDICTS, type Verdict } from '../contract/verdict.ts'
import { namesIn, removeLeftovers, slugOf, systemReason, writeAtomically } from './files.ts'

const SEARCHES_FOLDER = join('.norn', 'searches')
const FORMAT = 'norn searches'
const VERSION = 1

/** Searches of a property that are kept, and what is read of a file. */
const MAX_SEARCHES = 10
const MAX_BYTES = 4 * 1024 * 1024
const MAX_LINES = 200
const MAX_LINE = 2000
const MAX_POINTS = 1000

export interface SearchRecord {
  /** ISO 8601. */
  readonly endedAt: string
  readonly verdict: Verdict
  /** Facts, and what limits what the search can have found, a line each. */
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
  /** Executions, and what guidance had discovered by then; what it counts. */
  readonly curve: readonly (readonly [executions: number, discovered: number])[]
  readonly counted: string
  /** Missing of a search that an older norn recorded. */
  readonly counts?: SearchCounts
}

/** What a search came to. */
export interface SearchCounts {
  readonly executions: number
  /** Distinct ones. */
  readonly failures: number
  /** What guidance discovered; missing without it. */
  readonly covered?: number
}

/** The searches of a property, the oldest first. */
export interface RecordedSearches {
  readonly property: string
  readonly file: string
  readonly searches: readonly SearchRecord[]
}

/** Adds a search to those of its property, if the folder can be written. */
export function recordSearch(root: string, file: string, property: string, search: SearchRecord): void {
  const path = join(root, SEARCHES_FOLDER, `${slugOf(property)}-${shortHash(`${file}|${property}`)}.json`)
  const before = readRecord(path)?.searches ?? []
  const searches = [...before, search].slice(-MAX_SEARCHES)
  try {
    removeLeftovers(dirname(path), '.json.', '.tmp')
    writeAtomically(
      path,
      `${JSON.stringify({ format: FORMAT, version: VERSION, property, file, searches }, null, 1)}\n`,
    )
  } catch (error) {
    if (systemReason(error) === undefined) throw error
  }
}

/** The recorded searches of a project, in the order of the names of their files. */
export function recordedSearches(root: string): RecordedSearches[] {
  const folder = join(root, SEARCHES_FOLDER)
  const names = namesIn(folder).filter((name) => /^[^.].*\.json$/.test(name))
  return names.sort().flatMap((name) => readRecord(join(folder, name)) ?? [])
}

/** Undefined of a file that is not such a record. */
function readRecord(path: string): RecordedSearches | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length > MAX_BYTES) return undefined
    const { format, version, property, file, searches } = JSON.parse(text)
    const isRecord =
      format === FORMAT && version === VERSION && typeof property === 'string' && typeof file === 'string'
    if (!isRecord || !Array.isArray(searches)) return undefined
    return { property, file, searches: searches.filter(isSearch).slice(-MAX_SEARCHES) }
  } catch {
    return undefined
  }
}

function isSearch(value: unknown): value is SearchRecord {
  if (typeof value !== 'object' || value === null) return false
  const { endedAt, verdict, lines, doubts, curve, counted, counts } = value as Record<string, unknown>
  const isPoint = (point: unknown) => Array.isArray(point) && point.length === 2 && point.every(Number.isSafeInteger)
  return (
    typeof endedAt === 'string' &&
    typeof counted === 'string' &&
    typeof verdict === 'string' &&
    Object.hasOwn(VERDICTS, verdict) &&
    areLines(lines) &&
    areLines(doubts) &&
    Array.isArray(curve) &&
    curve.length <= MAX_POINTS &&
    curve.every(isPoint) &&
    (counts === undefined || areCounts(counts))
  )
}

function areCounts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { executions, failures, covered = 0 } = value as Record<string, unknown>
  return [executions, failures, covered].every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
}

function areLines(value: unknown): boolean {
  const isLine = (line: unknown) => typeof line === 'string' && line.length <= MAX_LINE
  return Array.isArray(value) && value.length <= MAX_LINES && value.every(isLine)
}

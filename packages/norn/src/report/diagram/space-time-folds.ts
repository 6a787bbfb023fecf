/**
 * Which rows of a space-time diagram are folded.
 *
 * Invariant: a row is shown or counted in a fold, and no fold hides a departure of the schedule as long
 * as there are not more of them than anybody would read.
 */
import type { EntryKind, LogEntry } from '../../cluster/log.ts'
import { messageType } from '../../cluster/message-type.ts'

/** What happened to a node or to the network, and what the node did in answer. */
export interface LogRow {
  /** Index of its entry in the log. */
  readonly index: number
  readonly entry: LogEntry
  /** Entries of the kinds `send`, `event` and `reply`, in order. */
  readonly answer: readonly LogEntry[]
  /** Whether the step is scheduled, rather than before the first or in the fault-free phase. */
  readonly isScheduled: boolean
  /** Whether it happened in a step in which the schedule departed from the default. */
  readonly departs: boolean
}

/** Indices of rows that are folded together. */
export interface FoldedRows {
  readonly first: number
  readonly last: number
}

/**
 * Of this many rows on end that differ in nothing but their data, all but the first and the last
 * are folded.
 */
const MIN_RUN = 5

/** Rows at the very end that are shown whatever they are. */
const AT_END = 6

/** Rows before and after a departure that are shown. */
const AROUND = 1

/** Lines that are shown even if they are routine, the rarer first. */
const AT_LEAST = 32

/** What comes more often than this is routine: it is the first to give way. */
const RARE = 8

/**
 * Departures that are shown, in multiples of the room: past that, the first ones and the last ones.
 */
const DEPARTURES_OVER_ROOM = 2

export interface Room {
  /** Lines up to which nothing is left out but runs that look alike. */
  readonly whole: number
  /** Lines to choose for otherwise; departures come on top of that where they must. */
  readonly most: number
}

/**
 * Chooses what of the rows is shown: departures and what changes the world, the end, what nodes
 * said and were asked, what surrounds departures; the chains of messages that led to any of these;
 * what is rare. Of each the latest first, as long as there is room.
 */
export function foldedRows(rows: readonly LogRow[], { whole, most }: Room): FoldedRows[] {
  const lines = (folds: readonly FoldedRows[]) =>
    rows.length - folds.reduce((sum, { first, last }) => sum + last - first, 0)
  const kept = keptOfRuns(rows)
  const runs = foldsOf(rows, kept)
  if (lines(runs) <= whole) return runs
  const wanted = departing(rows, most * DEPARTURES_OVER_ROOM)
  for (let index = Math.max(0, rows.length - AT_END); index < rows.length; index++) wanted[index] = true
  let left = most - lines(foldsOf(rows, wanted))
  const take = (index: number) => {
    if (!kept[index] || wanted[index] || left <= 0) return
    // A row in the middle of what is folded makes two folds of it.
    left -= wanted[index - 1] || wanted[index + 1] ? 1 : 2
    wanted[index] = true
  }
  const fill = (isWanted: (row: LogRow, index: number) => boolean) => {
    for (let index = rows.length - 1; index >= 0; index--) if (isWanted(rows[index]!, index)) take(index)
  }
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(whatOf(row), (counts.get(whatOf(row)) ?? 0) + 1)
  fill(({ entry }) => CHANGES.has(entry.kind))
  fill(({ entry, answer }) => entry.kind === 'request' || answer.some(({ kind }) => kind !== 'send'))
  fill((_, index) => rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ departs }) => departs))
  const causes = causesOf(rows)
  for (let index = rows.length - 1; index >= 0; index--) {
    const cause = wanted[index] ? causes[index] : undefined
    if (cause !== undefined) take(cause)
  }
  const frequency = (index: number) => counts.get(whatOf(rows[index]!))!
  const byRarity = rows.map((_, index) => index).sort((a, b) => frequency(a) - frequency(b) || b - a)
  for (const index of byRarity) if (frequency(index) <= RARE || most - left < AT_LEAST) take(index)
  return foldsOf(rows, wanted)
}

/** For each row the one whose message it is about. */
function causesOf(rows: readonly LogRow[]): (number | undefined)[] {
  const sent = new Map<number, number>()
  return rows.map(({ entry, answer }, index) => {
    for (const { kind, id } of answer) if (kind === 'send') sent.set(id, index)
    const isMessage = entry.kind === 'deliver' || entry.kind === 'lost' || entry.kind === 'duplicate'
    return isMessage ? sent.get(entry.id) : undefined
  })
}

/** Which rows depart from the default schedule, but for those in the middle of very many. */
function departing(rows: readonly LogRow[], most: number): boolean[] {
  const found = rows.flatMap(({ departs }, index) => (departs ? [index] : []))
  const half = Math.floor(most / 2)
  const kept = new Set(found.length <= most ? found : [...found.slice(0, half), ...found.slice(-half)])
  return rows.map((_, index) => kept.has(index))
}

/** The few things that change what can happen from then on. */
const CHANGES: ReadonlySet<EntryKind> = new Set(['crash', 'restart', 'partition', 'heal', 'calm'])

/** Which rows stay where rows that look alike are folded. */
function keptOfRuns(rows: readonly LogRow[]): boolean[] {
  const kept = rows.map(() => true)
  for (let first = 0; first < rows.length; ) {
    const sort = sortOf(rows[first]!)
    let end = first + 1
    while (end < rows.length && sort !== undefined && sortOf(rows[end]!) === sort) end++
    if (rows[first]!.entry.kind === 'start' && end - first > 1) kept.fill(false, first, end)
    else if (end - first >= MIN_RUN) kept.fill(false, first + 1, Math.min(end - 1, rows.length - AT_END))
    first = end
  }
  return kept
}

/**
 * Rows of one sort may be folded together; undefined for those that tell something of their own.
 */
function sortOf({ entry: { kind, node, peer, name, data }, answer, departs }: LogRow): string | undefined {
  if (departs) return undefined
  if (kind === 'start') return kind
  if (CHANGES.has(kind) || answer.some(({ kind }) => kind !== 'send')) return undefined
  return JSON.stringify([kind, node, peer, name, messageType(data)])
}

/** What it is, wherever it happens. */
function whatOf({ entry: { kind, name, data } }: LogRow): string {
  return `${kind} ${name === '' ? messageType(data) : name}`
}

/** The rows between those that are kept. A single row takes as much room as its fold, so it is shown. */
function foldsOf(rows: readonly LogRow[], kept: readonly boolean[]): FoldedRows[] {
  const folds: FoldedRows[] = []
  for (let first = 0; first < rows.length; first++) {
    if (kept[first]) continue
    let last = first
    while (last + 1 < rows.length && !kept[last + 1]) last++
    if (last > first || rows[first]!.entry.kind === 'start') folds.push({ first, last })
    first = last
  }
  return folds
}

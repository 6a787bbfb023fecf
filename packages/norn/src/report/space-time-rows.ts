/**
 * An event log as the rows of a space-time diagram: one row for each thing that happened to a node
 * or to the network, with what the node did in answer (what it sent, said and replied). Terminal
 * and SVG draw the same rows.
 *
 * Invariants: rows keep the order of the log; every entry belongs to one row; a row is shown or
 * counted in a fold, and no fold hides a departure of the schedule as long as there are not more of
 * them than anybody would read.
 *
 * After Lamport's space-time diagrams (1978), turned so that time runs downwards and text has room
 * on the right.
 */
import type { EntryKind, LogEntry } from '../cluster/log.ts'
import { messageType } from '../cluster/message-type.ts'
import type { NodeId } from '../cluster/system.ts'
import type { ClusterRecord } from '../contract/cluster-record.ts'
import type { FailureReport } from '../contract/execution.ts'

export interface SpaceTime {
  readonly nodes: readonly NodeId[]
  readonly log: readonly LogEntry[]
  /** The scheduled steps in which the schedule departed from what is natural. */
  readonly departures?: ReadonlySet<number>
  /** What went wrong after the last entry, in a line. */
  readonly failure?: string
}

/** What there is to draw of a cluster's execution, and of how it failed. */
export function spaceTimeOf(record: ClusterRecord, failure: FailureReport | undefined): SpaceTime {
  const { nodes, steps, quiet = [] } = record
  const log = record.log.filter(({ kind, name }) => kind !== 'event' || !quiet.includes(name))
  const departures = new Set(steps.map(([ordinal]) => ordinal))
  if (failure === undefined) return { nodes, log, departures }
  return { nodes, log, departures, failure: inOneLine(failure) }
}

/** What goes wrong is often said only after a colon and a break. */
export function inOneLine({ message, kind }: FailureReport): string {
  const [first = kind, second = ''] = message.split('\n').filter((line) => line.trim() !== '')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

export interface Row {
  readonly entry: LogEntry
  /** What the node did in answer: entries of the kinds `send`, `event` and `reply`, in order. */
  readonly answer: readonly LogEntry[]
  /** Whether it happened in a step in which the schedule departed from what is natural. */
  readonly departs: boolean
}

/** One or more rows that stand in a diagram: a single one in full, several as a fold. */
export type Shown = { readonly row: Row } | { readonly folded: readonly Row[] }

/** What a node does in answer to what happened to it. */
const ANSWERS: ReadonlySet<EntryKind> = new Set(['send', 'event', 'reply'])

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

export function rowsOf({ log, departures = new Set() }: Pick<SpaceTime, 'log' | 'departures'>): Row[] {
  const rows: Row[] = []
  let answer: LogEntry[] = []
  let last: LogEntry | undefined
  let calm = false
  for (const entry of log) {
    if (last !== undefined && ANSWERS.has(entry.kind) && entry.node === last.node) {
      answer.push(entry)
      continue
    }
    if (entry.kind === 'calm') calm = true
    last = entry
    answer = []
    rows.push({ entry, answer, departs: !calm && departures.has(entry.step) })
  }
  return rows
}

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
export function select(rows: readonly Row[], { whole, most }: Room): Shown[] {
  const kept = keptOfRuns(rows)
  const all = shownOf(rows, kept)
  if (all.length <= whole) return all
  const wanted = departing(rows, most * DEPARTURES_OVER_ROOM)
  for (let index = Math.max(0, rows.length - AT_END); index < rows.length; index++) wanted[index] = true
  let left = most - shownOf(rows, wanted).length
  const take = (index: number) => {
    if (!kept[index] || wanted[index] || left <= 0) return
    // A row in the middle of what is folded makes two folds of it.
    left -= wanted[index - 1] || wanted[index + 1] ? 1 : 2
    wanted[index] = true
  }
  const fill = (isWanted: (row: Row, index: number) => boolean) => {
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
  return shownOf(rows, wanted)
}

/** For each row the one whose message it is about. */
function causesOf(rows: readonly Row[]): (number | undefined)[] {
  const sent = new Map<number, number>()
  return rows.map(({ entry, answer }, index) => {
    for (const { kind, id } of answer) if (kind === 'send') sent.set(id, index)
    const isMessage = entry.kind === 'deliver' || entry.kind === 'lost' || entry.kind === 'duplicate'
    return isMessage ? sent.get(entry.id) : undefined
  })
}

/** Which rows depart from the natural schedule, but for those in the middle of very many. */
function departing(rows: readonly Row[], most: number): boolean[] {
  const found = rows.flatMap(({ departs }, index) => (departs ? [index] : []))
  const half = Math.floor(most / 2)
  const kept = new Set(found.length <= most ? found : [...found.slice(0, half), ...found.slice(-half)])
  return rows.map((_, index) => kept.has(index))
}

/** The few things that change what can happen from then on. */
const CHANGES: ReadonlySet<EntryKind> = new Set(['crash', 'restart', 'partition', 'heal', 'calm'])

/** Which rows stay where rows that look alike are folded. */
function keptOfRuns(rows: readonly Row[]): boolean[] {
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
function sortOf({ entry: { kind, node, peer, name, data }, answer, departs }: Row): string | undefined {
  if (departs) return undefined
  if (kind === 'start') return kind
  if (CHANGES.has(kind) || answer.some(({ kind }) => kind !== 'send')) return undefined
  return JSON.stringify([kind, node, peer, name, messageType(data)])
}

/** What it is, wherever it happens. */
function whatOf({ entry: { kind, name, data } }: Row): string {
  return `${kind} ${name === '' ? messageType(data) : name}`
}

/** One row left out takes as much room as the row. */
function shownOf(rows: readonly Row[], kept: readonly boolean[]): Shown[] {
  const shown: Shown[] = []
  let folded: Row[] = []
  const unfold = () => {
    const [only] = folded
    if (folded.length === 1 && only!.entry.kind !== 'start') shown.push({ row: only! })
    else if (folded.length > 0) shown.push({ folded })
    folded = []
  }
  for (const [index, row] of rows.entries()) {
    if (!kept[index]) {
      folded.push(row)
      continue
    }
    unfold()
    shown.push({ row })
  }
  unfold()
  return shown
}

/** Keeps up with the nodes that are down, row by row. */
export function trackDown(down: Set<NodeId>, { entry: { kind, node } }: Row): void {
  if (kind === 'crash') down.add(node)
  if (kind === 'restart' || kind === 'start') down.delete(node)
}

/**
 * The nodes that have to do with most of what is shown, in the order in which they were declared.
 */
export function busiest(nodes: readonly NodeId[], shown: readonly Shown[], most: number): NodeId[] {
  const counts = new Map<NodeId, number>()
  for (const each of shown) {
    if ('folded' in each) continue
    for (const node of [each.row.entry.node, each.row.entry.peer]) counts.set(node, (counts.get(node) ?? 0) + 1)
  }
  const order = nodes.map((node, index) => ({ node, index, count: counts.get(node) ?? 0 }))
  const best = order.sort((a, b) => b.count - a.count || a.index - b.index).slice(0, most)
  return best.sort((a, b) => a.index - b.index).map(({ node }) => node)
}

/** The messages that were neither handled nor lost when the log ends, the oldest first. */
export function underWay(log: readonly LogEntry[]): LogEntry[] {
  const copies = new Map<number, number>()
  const sent = new Map<number, LogEntry>()
  for (const entry of log) {
    const { kind, id } = entry
    if (kind === 'send') sent.set(id, entry)
    const change = kind === 'send' || kind === 'duplicate' ? 1 : kind === 'deliver' || kind === 'lost' ? -1 : 0
    if (change !== 0) copies.set(id, (copies.get(id) ?? 0) + change)
  }
  return [...sent.values()].filter(({ id }) => copies.get(id)! > 0)
}

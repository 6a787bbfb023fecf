/**
 * The execution of a cluster as a diagram: a lane for each node, and a row for each thing that happened
 * to a node or to the network, with what the node did in answer (what it sent, said and replied).
 *
 * Invariant: every entry of the log, but for quiet events, belongs to one row.
 *
 * After Lamport's space-time diagrams (1978), turned so that time runs downwards and text has room
 * on the right.
 */
import { type EntryKind, entryJson, type LogEntry } from '../../cluster/log.ts'
import type { ClusterRecord } from '../../contract/cluster-record.ts'
import type { FailureReport } from '../../contract/execution.ts'
import { cut } from '../../contract/text.ts'
import { dataText } from '../data-text.ts'
import { type Diagram, type InFlight, type Mark, type Row, rowsShown, shownOf } from './diagram.ts'
import { entryText, foldText, groupsOf, inFlightText, nameText, saidOf, sendsText } from './entry-text.ts'
import { foldedRows, type LogRow, type Room } from './space-time-folds.ts'

/** What is drawn of a cluster's execution. */
type Drawn = Pick<ClusterRecord, 'nodes' | 'log' | 'steps' | 'quiet'>

/** What goes wrong is often said only after a colon and a break. */
export function inOneLine({ message, kind }: FailureReport): string {
  const [first = kind, second = ''] = message.split('\n').filter((line) => line.trim() !== '')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

const MARKS: Readonly<Record<EntryKind, Mark>> = {
  start: 'start',
  send: 'event',
  deliver: 'arrival',
  lost: 'lost',
  duplicate: 'duplicate',
  timeout: 'timer',
  request: 'request',
  reply: 'event',
  event: 'event',
  crash: 'crash',
  restart: 'restart',
  partition: 'partition',
  heal: 'heal',
  calm: 'calm',
}

/** Characters of an entry as JSON, and entries of a row. */
const MAX_DETAIL_LINE = 400
const MAX_DETAIL_LINES = 10

export interface SpaceTimeOptions {
  /** Rows are folded so that they fit; without it none are. */
  readonly room?: Room | undefined
  /** Rows that are not folded have their entries as JSON. */
  readonly details?: boolean
}

/** @param failure how it failed, after the last entry */
export function spaceTime(
  record: Drawn,
  failure: FailureReport | undefined,
  { room, details = false }: SpaceTimeOptions = {},
): Diagram {
  const { nodes, log } = record
  const logRows = logRowsOf(record)
  const folds = room === undefined ? [] : foldedRows(logRows, room)
  const shown = new Set(details ? rowsShown(shownOf(logRows.length, folds)) : [])
  const laneOf = new Map(nodes.map((node, lane) => [node, lane]))
  const sent = new Map<number, number>()
  const rows = logRows.map((logRow, row): Row => {
    const { index, entry, answer, isScheduled, departs } = logRow
    const { kind, id, step, atUs } = entry
    const mark = MARKS[kind]
    for (const each of [entry, ...answer]) if (each.kind === 'send') sent.set(each.id, row)
    const [lane, from, at] = [laneOf.get(entry.node), laneOf.get(entry.peer), sent.get(id)]
    const isMessage = kind === 'deliver' || kind === 'lost' || kind === 'duplicate'
    const [sends, more] = [sendsText(logRow), saidOf(logRow)]
    return {
      index,
      atUs,
      ...(isScheduled ? { step } : {}),
      ...(lane === undefined ? {} : { lane }),
      ...(isMessage && from !== undefined
        ? { arrow: { from, ...(at === undefined || at === row ? {} : { sent: at }) } }
        : {}),
      mark,
      text: entryText(entry),
      ...(sends === undefined ? {} : { sends }),
      ...(more.length === 0 ? {} : { more }),
      ...(departs ? { departs } : {}),
      ...(shown.has(row) ? { detail: detailOf([entry, ...answer]) } : {}),
      ...(kind === 'partition' ? { groups: groupsOf(entry.data).map((group) => lanesOf(group, laneOf)) } : {}),
    }
  })
  const waiting = messagesInFlight(log)
  return {
    columns: 'nodes',
    parties: nodes.map(nameText),
    lanes: nodes.map((_, party) => ({ party })),
    rows,
    folds: folds.map(({ first, last }) => ({ first, last, ...foldText(logRows.slice(first, last + 1)) })),
    inFlight: waiting.flatMap((entry): InFlight[] => {
      const [from, to, at] = [laneOf.get(entry.node), laneOf.get(entry.peer), sent.get(entry.id)]
      if (from === undefined || to === undefined || at === undefined) return []
      return [{ from, to, sent: at, ...(details ? { detail: detailOf([entry]) } : {}) }]
    }),
    notes: waiting.length === 0 ? [] : [inFlightText(waiting)],
    ...(failure === undefined ? {} : { failure: inOneLine(failure) }),
  }
}

/** What a node does in answer to what happened to it. */
const ANSWERS: ReadonlySet<EntryKind> = new Set(['send', 'event', 'reply'])

function logRowsOf({ log, steps, quiet = [] }: Drawn): LogRow[] {
  const departures = new Set(steps.map(([ordinal]) => ordinal))
  const rows: LogRow[] = []
  const unsaid = new Set(quiet)
  let answer: LogEntry[] = []
  let last: LogEntry | undefined
  let isCalm = false
  for (const [index, entry] of log.entries()) {
    const { kind, node, step } = entry
    if (kind === 'event' && unsaid.has(entry.name)) continue
    if (last !== undefined && ANSWERS.has(kind) && node === last.node) {
      answer.push(entry)
      continue
    }
    // In the fault-free phase there are no scheduled steps.
    if (kind === 'calm') isCalm = true
    last = entry
    answer = []
    rows.push({ index, entry, answer, isScheduled: step >= 0 && !isCalm, departs: !isCalm && departures.has(step) })
  }
  return rows
}

/** The messages that were neither handled nor lost when the log ends, the oldest first. */
function messagesInFlight(log: readonly LogEntry[]): LogEntry[] {
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

function lanesOf(group: readonly string[], laneOf: ReadonlyMap<string, number>): number[] {
  return group.flatMap((node) => laneOf.get(node) ?? [])
}

/** Entries as JSON, the first of very many, the long ones cut. */
function detailOf(entries: readonly LogEntry[]): string[] {
  const lines = entries.slice(0, MAX_DETAIL_LINES).map((entry) => cut(jsonOf(entry), MAX_DETAIL_LINE))
  const more = entries.length - lines.length
  return more > 0 ? [...lines, `… ${more} more`] : lines
}

/** Data that JSON cannot write is still told. */
function jsonOf(entry: LogEntry): string {
  try {
    return entryJson(entry)
  } catch {
    return entryJson({ ...entry, data: dataText(entry.data, MAX_DETAIL_LINE) })
  }
}

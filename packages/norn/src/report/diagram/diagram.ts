/**
 * One execution as a diagram: lanes side by side, time downwards, a row for each thing that happened.
 *
 * Two makers fill it: `interleaving` for programs, `spaceTime` for clusters. Three printers draw it: as text,
 * as an SVG and on the page of a report. It is plain data that JSON keeps, so a page gets it as it is.
 *
 * Invariants: rows keep the order of the execution; lanes, parties and rows are named by their indices;
 * folds are in order, do not overlap, and hide rows that a printer of the whole may show.
 */
import { cut } from '../../contract/text.ts'

/** What a row is. */
export type Mark =
  /** A message arrives. */
  | 'arrival'
  | 'timer'
  | 'fault'
  // Of programs.
  | 'submit'
  | 'half'
  | 'effect'
  | 'callback'
  | 'sync'
  | 'delayed'
  | 'immediate'
  | 'settled'
  | 'set'
  | 'clear'
  | 'refresh'
  | 'ref'
  | 'abort'
  | 'resolve'
  | 'reject'
  /** A call of `note` or `target`. */
  | 'note'
  /** A message that was sent, but not received. */
  | 'unreceived'
  // Of clusters.
  | 'request'
  | 'lost'
  | 'duplicate'
  | 'start'
  | 'restart'
  | 'crash'
  | 'partition'
  | 'heal'
  | 'calm'
  | 'event'
  // Of pages: the failure, and rows that are left out.
  | 'failure'
  | 'gap'

/** A node, or what a party does about one thing: a strand, or a causal chain. */
export interface Lane {
  /** Index into `parties`; missing for causal chains. */
  readonly party?: number
  /** The lane that it follows, whose column it takes if that is free. */
  readonly after?: number
}

/** A message that ends in a row: it arrives, or is lost or duplicated on its way. */
interface Arrow {
  /** The lane of the sender. */
  readonly from: number
  /** The row that sent it. */
  readonly sent?: number
}

export interface Row {
  /** Virtual time in microseconds; missing where something has not happened. */
  readonly atUs?: number
  /** The scheduled step of a cluster, from 0; missing outside of scheduled steps. */
  readonly step?: number
  /** Missing where the whole system is concerned. */
  readonly lane?: number
  readonly arrow?: Arrow
  readonly mark: Mark
  readonly text: string
  /** The messages that the step sent: `#3 #5–#8`. */
  readonly sends?: string
  /** What else happened within the step, in order. */
  readonly more?: readonly Said[]
  /** Where the operation was started: `lock.ts:7`. */
  readonly source?: string
  readonly delayUs?: number
  /** The schedule departs from the default here. */
  readonly departs?: true
  /** How the step compares with the nearest passing execution. */
  readonly difference?: 'parting' | 'added' | 'moved'
  /** Of a partition: the lanes of each group. */
  readonly groups?: readonly (readonly number[])[]
  /** Index of its step in the trace, or of its first entry in the log; missing where nothing has happened. */
  readonly index?: number
  /** Its entries of the log as JSON, one a line: only where they were asked for. */
  readonly detail?: readonly string[]
}

export interface Said {
  readonly text: string
  /** Whether it is an event that a node reports. */
  readonly isEvent: boolean
}

/** Rows that one line stands for. */
export interface Fold {
  readonly first: number
  readonly last: number
  readonly text: string
  /** For printers with less room. */
  readonly short?: string
}

/** A message that is in flight at the end. */
export interface InFlight {
  readonly from: number
  readonly to: number
  readonly sent: number
  readonly detail?: readonly string[]
}

export interface Lanes {
  /** How lanes share columns: nodes have one each, and so have threads and child processes. */
  readonly columns: 'nodes' | 'isolates' | 'parties' | 'chains'
  /** Names of nodes, of threads, or of clients and servers; there are none of causal chains. */
  readonly parties: readonly string[]
  /** For printers with less room. */
  readonly shortParties?: readonly string[]
  readonly lanes: readonly Lane[]
}

export interface Diagram extends Lanes {
  readonly rows: readonly Row[]
  readonly folds: readonly Fold[]
  readonly inFlight: readonly InFlight[]
  /** What stands below: who listens where, messages in flight. */
  readonly notes: readonly string[]
  /** Whether rows are compared with a passing execution. */
  readonly isCompared?: true
  /** What went wrong after the last row, in a line. */
  readonly failure?: string
}

/** The index of a row that is shown, or the rows that one line stands for. */
export type Shown = number | Fold

/** Rows and folds in their order. @param rows how many there are */
export function shownOf<Range extends { readonly first: number; readonly last: number }>(
  rows: number,
  folds: readonly Range[],
): (number | Range)[] {
  const shown: (number | Range)[] = []
  let next = 0
  for (const fold of folds) {
    for (; next < fold.first; next++) shown.push(next)
    shown.push(fold)
    next = fold.last + 1
  }
  for (; next < rows; next++) shown.push(next)
  return shown
}

/** Of what is shown, the indices of rows. */
export function rowsShown(shown: readonly unknown[]): number[] {
  return shown.filter((each) => typeof each === 'number')
}

/**
 * The parts of a row: what happened and which messages it sent, then what else happened.
 *
 * @param room characters of each
 */
export function partsOf({ text, sends, more = [] }: Row, room: number): string[] {
  const sent = sends === undefined ? '' : `  → ${sends}`
  // Of what happened the beginning matters most, so it makes room for the short list of messages.
  const isShort = sent.length <= room / 2
  const first = isShort ? [cut(text, room - sent.length) + sent] : [cut(text, room), sent.trim()]
  return [...first, ...more.map((said) => said.text)].map((part) => cut(part, room))
}

/**
 * Where the lanes of a diagram stand, and what a row looks like in characters:
 *
 *     client  :3000          a     b     c
 *     ├─┼─────▶              │     ◀─────┤   c's message arrives at b
 *     │ ├─────┼─▶            ├─────┼────✗│   a's message to c is lost
 *     │ │     ● │            ┻     │     │   a crashes: its line is broken off until ┳
 *                            1═════2═════1   the network partitions: a and c in group 1
 *
 * A chain has a column of its own. So has a strand that is under way beside others of its party, in the
 * group of that party. A node has one; nodes that do least may share the last one.
 *
 * Invariant: what is drawn of a row is as wide as the columns, so that texts stand below each other.
 */
import type { Lane, Lanes, Mark, Row } from './diagram.ts'

/** Columns of a party, and of chains: further lanes share the last one. */
const MAX_STRANDS = 6
const MAX_CHAINS = 12
/** Characters from column to column, and between the groups of two parties. */
const STEP = 2
const GAP = 2

/** The line of a lane: indices of rows, -1 before the first, their number after the last. */
export interface Life {
  readonly at: number
  readonly first: number
  readonly last: number
}

/** Places are in characters, or in other units of whoever asks. */
export interface Columns {
  readonly width: number
  readonly heads: readonly { readonly at: number; readonly name: string }[]
  readonly lives: readonly Life[]
  at(lane: number): number
  /** Whether a lane shares its column with others that are always there. */
  isShared(lane: number): boolean
}

/** The columns of a program's execution, in characters. @param rows those that are drawn */
export function columnsOf({ columns, parties, lanes }: Lanes, rows: readonly Row[]): Columns {
  return columns === 'chains' ? chainColumns(rows) : partyColumns(parties, lanes, rows, columns === 'isolates')
}

/** Columns have letters where there is more than one. */
function chainColumns(rows: readonly Row[]): Columns {
  const columns = new Map<number, number>()
  const lives: Life[] = []
  for (const [row, { lane }] of rows.entries()) {
    if (lane === undefined) continue
    const column = columns.get(lane) ?? Math.min(columns.size, MAX_CHAINS - 1)
    columns.set(lane, column)
    lives[column] = { at: column * STEP, first: lives[column]?.first ?? row, last: row }
  }
  return {
    width: Math.max(0, (lives.length - 1) * STEP + 1),
    heads: lives.length < 2 ? [] : lives.map(({ at }, column) => ({ at, name: letterOf(column) })),
    lives,
    at: (lane) => (columns.get(lane) ?? 0) * STEP,
    isShared: () => false,
  }
}

export const letterOf = (column: number) => String.fromCharCode(65 + column)

/** From the first to the last row of a lane. */
interface Span {
  readonly lane: number
  readonly first: number
  last: number
}

/** @param isOrdered whether parties have an order beside that in which they begin */
function partyColumns(
  parties: readonly string[],
  lanes: readonly Lane[],
  rows: readonly Row[],
  isOrdered: boolean,
): Columns {
  const spans = spansOf(rows)
  if (isOrdered) spans.sort((a, b) => lanes[a.lane]!.party! - lanes[b.lane]!.party!)
  const columns = new Map<number, number>()
  const places = new Map<number, number>()
  const heads: { at: number; name: string }[] = []
  let start = 0
  for (const [party, own] of Map.groupBy(spans, ({ lane }) => lanes[lane]!.party!)) {
    const name = parties[party]!
    const count = placeStrands(own, lanes, columns)
    for (const { lane } of own) places.set(lane, start + columns.get(lane)! * STEP)
    heads.push({ at: start, name })
    start += Math.max((count - 1) * STEP + 1, name.length) + GAP
  }
  const at = (lane: number) => places.get(lane) ?? 0
  const lives = spans.map(({ lane, first, last }) => ({ at: at(lane), first, last }))
  return { width: Math.max(0, start - GAP), heads, lives, at, isShared: () => false }
}

function spansOf(rows: readonly Row[]): Span[] {
  const spans = new Map<number, Span>()
  for (const [row, { lane, arrow }] of rows.entries()) {
    for (const each of [arrow?.from, lane]) {
      if (each === undefined) continue
      const span = spans.get(each)
      if (span === undefined) spans.set(each, { lane: each, first: row, last: row })
      else span.last = row
    }
  }
  return [...spans.values()]
}

/** Gives each strand of a party a column, that of the strand before it if it can; returns how many. */
function placeStrands(spans: readonly Span[], lanes: readonly Lane[], columns: Map<number, number>): number {
  const free: number[] = []
  for (const { lane, first, last } of [...spans].sort((a, b) => a.first - b.first)) {
    const isFree = (column: number) => (free[column] ?? -1) < first
    const wanted = columnBefore(lane, lanes, columns)
    let column = wanted !== undefined && isFree(wanted) ? wanted : 0
    while (column < MAX_STRANDS - 1 && !isFree(column)) column++
    columns.set(lane, column)
    free[column] = Math.max(free[column] ?? -1, last)
  }
  return free.length
}

/** The column of the nearest strand that it follows, if that is of its party. */
function columnBefore(lane: number, lanes: readonly Lane[], columns: ReadonlyMap<number, number>): number | undefined {
  let before = lanes[lane]!.after
  while (before !== undefined && !columns.has(before)) before = lanes[before]!.after
  return before !== undefined && lanes[before]!.party === lanes[lane]!.party ? columns.get(before) : undefined
}

/** Which nodes have a column of their own; the others share the last one. */
export interface Nodes {
  /** By column. */
  readonly own: readonly number[]
  readonly isShared: boolean
  /** By column, that of the others too. */
  readonly names: readonly string[]
}

/** Of more nodes than columns, those that have to do with most of the rows have their own. */
export function nodesOf({ parties, lanes }: Lanes, rows: readonly Row[], most: number): Nodes {
  const own = lanes.length <= most ? [...lanes.keys()] : busiest(lanes.length, rows, most - 1)
  const isShared = own.length < lanes.length
  const others = isShared ? [`${lanes.length - own.length} others`] : []
  return { own, isShared, names: [...own.map((lane) => parties[lanes[lane]!.party!]!), ...others] }
}

/** In the order in which they were declared. */
function busiest(count: number, rows: readonly Row[], most: number): number[] {
  const counts = Array.from({ length: count }, () => 0)
  for (const { lane, arrow } of rows) for (const each of [lane, arrow?.from]) if (each !== undefined) counts[each]!++
  const order = [...counts.keys()].sort((a, b) => counts[b]! - counts[a]! || a - b)
  return order.slice(0, most).sort((a, b) => a - b)
}

/** The columns of a cluster. @param first,step where the first column is, and from column to column */
export function nodeColumns({ own, isShared, names }: Nodes, rows: readonly Row[], step: number, first = 0): Columns {
  const last = Math.max(0, names.length - 1)
  const place = (column: number) => first + column * step
  const columns = new Map(own.map((lane, column) => [lane, column]))
  const lives = own.flatMap((lane, column) => upTimes(rows, lane).map((times) => ({ at: place(column), ...times })))
  return {
    width: last * step + 1,
    heads: names.map((name, column) => ({ at: place(column), name })),
    lives: isShared ? [...lives, { at: place(last), first: -1, last: rows.length }] : lives,
    at: (lane) => place(columns.get(lane) ?? last),
    isShared: (lane) => !columns.has(lane),
  }
}

/** When a node is up. */
function upTimes(rows: readonly Row[], lane: number): Omit<Life, 'at'>[] {
  const times: Omit<Life, 'at'>[] = []
  let first: number | undefined = -1
  for (const [row, { lane: own, mark }] of rows.entries()) {
    if (own !== lane) continue
    if (mark === 'crash' && first !== undefined) {
      times.push({ first, last: row })
      first = undefined
    } else if (mark === 'restart' || mark === 'start') first ??= row
  }
  return first === undefined ? times : [...times, { first, last: rows.length }]
}

/** How marks look as a character. */
const GLYPHS: Readonly<Record<Exclude<Mark, 'arrival'>, string>> = {
  timer: '◷',
  fault: '✗',
  submit: '◇',
  half: '◐',
  effect: '●',
  callback: '○',
  sync: '•',
  delayed: '◆',
  immediate: '▷',
  settled: '■',
  set: '◔',
  clear: '⊘',
  refresh: '↻',
  ref: '·',
  abort: '⊗',
  resolve: '⊕',
  reject: '⊖',
  note: '▪',
  unreceived: '◌',
  request: '◇',
  lost: '✗',
  duplicate: '+',
  start: '┳',
  restart: '┳',
  crash: '┻',
  partition: '═',
  heal: '═',
  calm: '╌',
  event: '●',
  failure: '✗',
  gap: '…',
}

/** Which way an arrow points: to the right (1), to the left (-1), or to where it comes from (0). */
export function wayOf({ at }: Columns, { lane, arrow }: Row): number {
  return arrow === undefined || lane === undefined ? 0 : Math.sign(at(lane) - at(arrow.from))
}

export function glyphOf(mark: Mark, way = 0): string {
  return mark === 'arrival' ? (way > 0 ? '▶' : way < 0 ? '◀' : '↻') : GLYPHS[mark]
}

/** The lines of lanes alone. @param isThere whether a life is there */
export function lifeCells({ width, lives }: Columns, isThere: (life: Life) => boolean, line = '│'): string[] {
  const cells = Array.from({ length: width }, () => ' ')
  for (const life of lives) if (isThere(life)) cells[life.at] = line
  return cells
}

/** What is drawn of a row, a character each. */
export function cellsOf(columns: Columns, index: number, row: Row): string[] {
  const cells = lifeCells(columns, ({ first, last }) => first <= index && index <= last)
  const { mark, lane, arrow } = row
  if (isRule(mark)) rule(cells, columns, row)
  else if (arrow === undefined || lane === undefined) cells[columns.at(lane ?? 0)] = glyphOf(mark)
  else draw(cells, columns.at(arrow.from), columns.at(lane), mark)
  return cells
}

/** Whether a mark goes across all lanes. */
export function isRule(mark: Mark): boolean {
  return mark === 'partition' || mark === 'heal' || mark === 'calm'
}

/**
 * An arrow from a sender to a receiver; a loss ends in a cross before it, a duplicate is dashed and does
 * not arrive yet.
 */
function draw(cells: string[], start: number, end: number, mark: Mark): void {
  const way = Math.sign(end - start)
  for (let at = start + way; at !== end && way !== 0; at += way) {
    if (cells[at] !== ' ') cells[at] = '┼'
    else cells[at] = mark === 'duplicate' ? '╌' : '─'
  }
  if (way !== 0) cells[start] = cells[start] === ' ' ? '─' : way > 0 ? '├' : '┤'
  const isShort = mark === 'lost' || mark === 'duplicate'
  cells[isShort ? end - way : end] = glyphOf(mark, way)
}

/** The number of a group of nodes, in one character. */
export const groupName = (index: number) => (index + 1).toString(36)

/** Across all lines; that of a partition bears the number of each node's group. */
function rule(cells: string[], columns: Columns, { mark, groups = [] }: Row): void {
  const line = glyphOf(mark)
  for (const [place, cell] of cells.entries()) cells[place] = cell === ' ' ? line : mark === 'calm' ? '┼' : '╪'
  for (const [index, group] of groups.entries()) {
    for (const lane of group) if (!columns.isShared(lane)) cells[columns.at(lane)] = groupName(index)
  }
}

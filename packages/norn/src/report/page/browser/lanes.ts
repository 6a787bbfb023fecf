/** Which column each lane of an execution has, of the rows that are shown. Pure. */
import { PartyColumns, type PlacedStep } from '../../party-columns.ts'
import type { Strand } from '../../strands.ts'
import type { Execution, Row } from '../data.ts'

/** A line from one shown row to another. */
interface Life {
  readonly x: number
  /** Indices of shown rows. */
  readonly first: number
  readonly last: number
}

export interface Layout {
  /** Pixels. */
  readonly width: number
  readonly heads: readonly { readonly x: number; readonly name: string; readonly room: number }[]
  readonly lives: readonly Life[]
  xOf(lane: number): number
}

/** Pixels of a character of the columns of programs, and between nodes. */
const CHARACTER = 8
const NODE = { min: 26, max: 112 } as const
/** The share of the width of a diagram that its lanes take at most, if they can. */
const SHARE = 0.42
const EDGE = 14

const MAX_CHAINS = 12

/**
 * @param rows that are shown
 * @param room the width of the diagram, in pixels
 */
export function layoutOf(execution: Execution, rows: readonly Row[], room: number): Layout {
  switch (execution.columns) {
    case 'nodes':
      return nodeLayout(execution, rows, room * SHARE)
    case 'parties':
      return partyLayout(execution, rows)
    case 'chains':
      return chainLayout(rows)
  }
}

function nodeLayout({ lanes }: Execution, rows: readonly Row[], room: number): Layout {
  const longest = Math.max(1, ...lanes.map(({ party }) => party.length))
  const wanted = Math.min(NODE.max, Math.max(56, longest * 7.4 + 14))
  const step = Math.max(NODE.min, Math.min(wanted, Math.floor(room / Math.max(1, lanes.length))))
  const first = Math.max(EDGE, step / 2)
  const xOf = (lane: number) => first + lane * step
  const heads = lanes.map(({ party }, lane) => ({ x: xOf(lane), name: party, room: step }))
  const lives = lanes.flatMap((_, lane) =>
    upTimes(rows, lane).map(([from, to]) => ({ x: xOf(lane), first: from, last: to })),
  )
  return { width: first * 2 + (lanes.length - 1) * step, heads, lives, xOf }
}

/** When a node is up, from row to row. */
function upTimes(rows: readonly Row[], lane: number): [from: number, to: number][] {
  const times: [number, number][] = []
  let since: number | undefined = 0
  for (const [index, row] of rows.entries()) {
    if (row.lane !== lane) continue
    if (row.mark === '┻' && since !== undefined) {
      times.push([since, index])
      since = undefined
    } else if (row.mark === '┳') since ??= index
  }
  if (since !== undefined) times.push([since, rows.length])
  return times
}

function partyLayout({ lanes }: Execution, rows: readonly Row[]): Layout {
  const strands: Strand[] = []
  for (const { party, after } of lanes) strands.push({ party, after: after === undefined ? undefined : strands[after] })
  const placed = rows.flatMap((row): (PlacedStep & { readonly row: number })[] => {
    const strand = row.lane === undefined ? undefined : strands[row.lane]
    return strand === undefined
      ? []
      : [{ strand, from: row.from === undefined ? undefined : strands[row.from], row: 0 }]
  })
  const servers = [...new Set(lanes.map(({ party }) => party))].filter((party) => /[:/]/.test(party))
  const columns = new PartyColumns(placed, servers)
  // A row without a lane stands for no step: those after it are one further down.
  const shown = rows.flatMap((row, index) => (row.lane === undefined ? [] : [index]))
  const x = (at: number) => EDGE + at * CHARACTER
  const known = new Map(strands.map((strand, lane) => [lane, strand]))
  const drawn = new Set(placed.flatMap(({ strand, from }) => (from === undefined ? [strand] : [strand, from])))
  return {
    width: x(columns.width) + EDGE,
    heads: columns.parties.map((party) => ({ x: x(columns.startOf(party)), name: columns.nameOf(party), room: 0 })),
    lives: [...columns.lives].map(({ strand, first, last }) => ({
      x: x(columns.at(strand)),
      first: shown[first]!,
      last: shown[last]!,
    })),
    xOf(lane) {
      const strand = known.get(lane)
      return strand !== undefined && drawn.has(strand) ? x(columns.at(strand)) : x(0)
    },
  }
}

function chainLayout(rows: readonly Row[]): Layout {
  const columns = new Map<number, number>()
  const spans: { first: number; last: number }[] = []
  for (const [index, { lane }] of rows.entries()) {
    if (lane === undefined) continue
    const column = columns.get(lane) ?? Math.min(columns.size, MAX_CHAINS - 1)
    columns.set(lane, column)
    spans[column] = { first: spans[column]?.first ?? index, last: index }
  }
  const x = (column: number) => EDGE + column * 2 * CHARACTER
  const letters = spans.length < 2 ? [] : spans.map((_, column) => String.fromCharCode(65 + column))
  return {
    width: x(Math.max(0, spans.length - 1)) + EDGE,
    heads: letters.map((name, column) => ({ x: x(column), name, room: 16 })),
    lives: spans.map(({ first, last }, column) => ({ x: x(column), first, last })),
    xOf: (lane) => x(columns.get(lane) ?? 0),
  }
}

/** Where the lanes of a diagram stand on a drawing, in pixels. Pure. */
import { type Columns, columnsOf, nodeColumns, nodesOf } from './columns.ts'
import type { Lanes, Row } from './diagram.ts'

export interface Scale {
  /** Where the lanes begin, and from there to the first and the last of them. */
  readonly left: number
  readonly edge: number
  /** Of a character of the columns of programs. */
  readonly character: number
  /** From node to node, and what all nodes should take at most. */
  readonly node: { readonly min: number; readonly least: number; readonly max: number; readonly all: number }
  /** Nodes with a column of their own. */
  readonly mostNodes: number
}

export interface Layout extends Columns {
  /** Room for a name in the middle above its lane; 0 for a name that begins above it. */
  readonly nameRoom: number
  readonly left: number
  readonly right: number
}

/** Pixels of a character of a name. */
const CHARACTER = 7.3

/**
 * @param rows those that are drawn
 * @param shown those that decide which nodes have a column
 */
export function layoutOf(diagram: Lanes, rows: readonly Row[], scale: Scale, shown = rows): Layout {
  const { left, edge } = scale
  if (diagram.columns === 'nodes') return nodeLayout(diagram, rows, scale, shown)
  const { width, heads, lives, at, isShared } = columnsOf(diagram, rows)
  const x = (column: number) => left + edge + column * scale.character
  return {
    heads: heads.map((head) => ({ ...head, at: x(head.at) })),
    lives: lives.map((life) => ({ ...life, at: x(life.at) })),
    at: (lane) => x(at(lane)),
    isShared,
    width: 2 * edge + Math.max(0, width - 1) * scale.character,
    nameRoom: diagram.columns === 'chains' ? 2 * scale.character : 0,
    left,
    right: x(Math.max(0, width - 1)) + edge,
  }
}

function nodeLayout(diagram: Lanes, rows: readonly Row[], scale: Scale, shown: readonly Row[]): Layout {
  const { left, edge, node, mostNodes } = scale
  const nodes = nodesOf(diagram, shown, mostNodes)
  const longest = Math.max(1, ...nodes.names.map((name) => name.length))
  const wanted = Math.min(node.max, Math.max(node.least, longest * CHARACTER + 16))
  const step = Math.max(node.min, Math.min(wanted, Math.floor(node.all / Math.max(1, nodes.names.length))))
  const before = Math.max(edge, step / 2)
  const columns = nodeColumns(nodes, rows, step, left + before)
  const width = columns.width - 1 + 2 * before
  return { ...columns, width, nameRoom: step, left, right: left + width }
}

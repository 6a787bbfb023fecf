/**
 * The lines of life of a space-time diagram in the terminal: which node has which column, and what
 * one row looks like.
 *
 *     a     b     c
 *     │     ◀─────┤   c's message is handled by b
 *     ├─────┼────✗│   a's message to c is lost
 *     ┻     │     │   a crashes: its line is broken off until ┳
 *     1═════2═════1   the network partitions: a and c in group 1
 *
 * Invariant: every line that is drawn is `width` characters wide, so that words stand below each
 * other.
 */
import type { NodeId } from '../cluster/system.ts'
import { cut } from '../contract/text.ts'
import { busiest, type Row, type Shown, trackDown } from './space-time-rows.ts'
import { groupsOf, nameText } from './space-time-text.ts'
import type { Style } from './style.ts'

/**
 * Columns, whatever the room: nobody follows more lines. Nodes that do least in what is shown share
 * the last one.
 */
const MAX_COLUMNS = 16

/** Characters from one line of life to the next. */
const STEP = { min: 2, max: 10 } as const

/**
 * Characters that words should have before lines of life are set further apart, and those they have
 * at least.
 */
const TEXT = { enough: 44, min: 24 } as const

/**
 * With more names than this, columns are headed by letters: names one below the other would take
 * too much room.
 */
const MAX_STAIRS = 8

const MARKS = { timeout: '◷', request: '◇', crash: '┻', restart: '┳', start: '┳', else: '●' } as const

export class Lanes {
  /** Characters of what is drawn. */
  readonly width: number
  /** What the columns' letters mean, if they have letters. */
  readonly legend: readonly string[]
  readonly #columns = new Map<NodeId, number>()
  readonly #names: readonly string[]
  readonly #lettered: boolean
  readonly #step: number
  /** Whether several nodes share the last column. */
  readonly #shares: boolean
  readonly #down = new Set<NodeId>()

  /** @param room characters for lines and words together */
  constructor(nodes: readonly NodeId[], shown: readonly Shown[], room: number) {
    const most = Math.max(2, Math.min(MAX_COLUMNS, Math.floor((room - 3 - TEXT.min) / STEP.min) + 1))
    const own = nodes.length <= most ? nodes : busiest(nodes, shown, most - 1)
    this.#shares = own.length < nodes.length
    for (const [index, node] of own.entries()) this.#columns.set(node, index)
    const others = this.#shares ? [`${nodes.length - own.length} others`] : []
    this.#names = [...own.map(nameText), ...others]
    const count = Math.max(1, this.#names.length)
    const fits = (step: number, text: number) => (count - 1) * step + 3 + text <= room
    let step: number = STEP.min
    while (step < STEP.max && fits(step + 1, step < 4 ? TEXT.min + 6 : TEXT.enough)) step++
    this.#step = step
    this.width = (count - 1) * step + 1
    this.#lettered = count > MAX_STAIRS && this.#names.some((name) => name.length >= step)
    this.legend = this.#lettered ? this.#names.map((name, index) => `${letter(index)} ${name}`) : []
  }

  /**
   * The names above the lines, one below the other where they are too long to stand side by side.
   */
  heads(): string[] {
    if (this.#lettered)
      return [
        this.#names
          .map((_, index) => letter(index).padEnd(this.#step))
          .join('')
          .trimEnd(),
      ]
    const lines: string[] = []
    let line = ''
    for (const [index, name] of this.#names.entries()) {
      const at = index * this.#step
      if (line.length >= at && index > 0) {
        lines.push(line)
        line = Array.from({ length: index }, () => '│'.padEnd(this.#step)).join('')
      }
      line = line.padEnd(at) + name
    }
    return [...lines, line]
  }

  /** Nothing happens. */
  life(): string {
    return this.#base().join('')
  }

  /** Something is left out. */
  fold(): string {
    return this.#base('┊').join('')
  }

  /** A row that is not drawn. */
  pass(row: Row): void {
    trackDown(this.#down, row)
  }

  /** A row, after which some nodes may be down or up. */
  draw(row: Row, style: Style): string {
    const { entry } = row
    const { kind, node } = entry
    const before = this.#base()
    const cells = [...before]
    trackDown(this.#down, row)
    if (kind === 'partition' || kind === 'heal' || kind === 'calm') this.#rule(cells, kind, entry.data)
    else if (kind === 'deliver' || kind === 'lost' || kind === 'duplicate') this.#arrow(cells, kind, entry.peer, node)
    else cells[this.#at(node)] = kind in MARKS ? MARKS[kind as keyof typeof MARKS] : MARKS.else
    return dimmed(cells, before, style)
  }

  #base(line = '│'): string[] {
    const cells = Array.from({ length: this.width }, () => ' ')
    for (const [node, column] of this.#columns) if (!this.#down.has(node)) cells[column * this.#step] = line
    if (this.#shares) cells[this.width - 1] = line
    return cells
  }

  #at(node: NodeId): number {
    return (this.#columns.get(node) ?? this.#names.length - 1) * this.#step
  }

  /**
   * From the sender to the receiver; a loss ends in a cross before it, a duplicate is dashed and
   * does not arrive yet.
   */
  #arrow(cells: string[], kind: 'deliver' | 'lost' | 'duplicate', from: NodeId, to: NodeId): void {
    const [start, end] = [this.#at(from), this.#at(to)]
    const head = { deliver: start < end ? '▶' : '◀', lost: '✗', duplicate: '+' }[kind]
    if (start === end) {
      cells[end] = kind === 'deliver' ? '↻' : head
      return
    }
    const way = Math.sign(end - start)
    for (let at = start + way; at !== end; at += way) {
      if (cells[at] !== ' ') cells[at] = '┼'
      else cells[at] = kind === 'duplicate' ? '╌' : '─'
    }
    cells[start] = cells[start] === ' ' ? '─' : way > 0 ? '├' : '┤'
    cells[kind === 'deliver' ? end : end - way] = head
  }

  /** Across all lines; that of a partition bears the number of each node's group. */
  #rule(cells: string[], kind: 'partition' | 'heal' | 'calm', data: unknown): void {
    const line = kind === 'calm' ? '╌' : '═'
    for (const [at, cell] of cells.entries()) cells[at] = cell === ' ' ? line : kind === 'calm' ? '┼' : '╪'
    if (kind !== 'partition') return
    for (const [index, group] of groupsOf(data).entries()) {
      for (const node of group) {
        if (this.#columns.has(node)) cells[this.#at(node)] = (index + 1).toString(36)
      }
    }
  }
}

const letter = (index: number) => String.fromCharCode(65 + index)

/** Sets back what is only a line of life. */
function dimmed(cells: readonly string[], before: readonly string[], style: Style): string {
  let text = ''
  for (let at = 0; at < cells.length; ) {
    const isLife = cells[at] === before[at]
    let end = at + 1
    while (end < cells.length && (cells[end] === before[end]) === isLife) end++
    const part = cells.slice(at, end).join('')
    text += isLife ? style.dim(part) : part
    at = end
  }
  return text
}

/** Names with letters, in lines of a width. */
export function legendLines(legend: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const name of legend) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 2 + name.length <= width) lines[lines.length - 1] = `${last}  ${name}`
    else lines.push(cut(name, width))
  }
  return lines
}

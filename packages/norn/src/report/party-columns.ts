/**
 * The columns of an execution over connections: a group for each party, in it a column for each
 * strand that is under way beside others. What a party receives is an arrow from the sender's column.
 *
 *       ms  client  :3000
 *     0.40  ├─┼─────▶      POST /seats/0
 *     0.42  │ ├─────┼─▶    POST /seats/1
 *     0.50  │ │     ● │    read seats.json
 */
import { partyNames } from './party-names.ts'
import type { Strand } from './strands.ts'

/** Columns of a party; further strands share the last one. */
const MAX_OWN = 6
/** Characters from column to column, and between the groups of two parties. */
const STEP = 2
const GAP = 2

export interface PlacedStep {
  readonly strand: Strand
  /** The strand whose message it receives. */
  readonly from?: Strand | undefined
}

interface Life {
  readonly strand: Strand
  readonly first: number
  last: number
}

export class PartyColumns {
  /** The parties, in the order of their first steps. */
  readonly parties: readonly string[]
  readonly nameOf: (party: string) => string
  readonly #lives: ReadonlyMap<Strand, Life>
  readonly #columns = new Map<Strand, number>()
  readonly #starts = new Map<string, number>()
  /** In characters. */
  readonly width: number

  /** @param servers that take part in the execution */
  constructor(rows: readonly PlacedStep[], servers: readonly string[]) {
    this.nameOf = partyNames(servers)
    this.#lives = livesOf(rows)
    const byParty = Map.groupBy(this.#lives.values(), ({ strand }) => strand.party)
    this.parties = [...byParty.keys()]
    let at = 0
    for (const [party, lives] of byParty) {
      this.#starts.set(party, at)
      const columns = this.#place(lives)
      at += Math.max((columns - 1) * STEP + 1, this.nameOf(party).length) + GAP
    }
    this.width = Math.max(0, at - GAP)
  }

  get head(): string {
    const names = this.parties.map((party) => [this.startOf(party), this.nameOf(party)] as const)
    return names.reduce((line, [at, name]) => line.padEnd(at) + name, '').padEnd(this.width)
  }

  /** The strands, with their first and last rows. */
  get lives(): Iterable<Life> {
    return this.#lives.values()
  }

  /** Where a party's first column is, in characters. */
  startOf(party: string): number {
    return this.#starts.get(party)!
  }

  /** Where a strand's column is, in characters. */
  at(strand: Strand): number {
    return this.startOf(strand.party) + this.#columns.get(strand)! * STEP
  }

  /** What is drawn of a row. */
  cells(row: number, { strand, from }: PlacedStep, mark: string): string {
    const cells = Array.from({ length: this.width }, () => ' ')
    for (const { strand: each, first, last } of this.#lives.values())
      if (first < row && row < last) cells[this.at(each)] = '│'
    const [start, end] = [this.at(from ?? strand), this.at(strand)]
    const way = Math.sign(end - start)
    for (let at = start + way; at !== end && way !== 0; at += way) cells[at] = cells[at] === ' ' ? '─' : '┼'
    if (way !== 0) cells[start] = way > 0 ? '├' : '┤'
    cells[end] = mark !== '' ? mark : way === 0 ? '↻' : way > 0 ? '▶' : '◀'
    return cells.join('')
  }

  /** Gives each strand of a party a column, that of the strand before it if it can; returns how many. */
  #place(lives: readonly Life[]): number {
    const free: number[] = []
    for (const { strand, first, last } of [...lives].sort((a, b) => a.first - b.first)) {
      const isFree = (column: number) => (free[column] ?? -1) < first
      const before = this.#columnBefore(strand)
      let column = before !== undefined && isFree(before) ? before : 0
      while (column < MAX_OWN - 1 && !isFree(column)) column++
      this.#columns.set(strand, column)
      free[column] = Math.max(free[column] ?? -1, last)
    }
    return free.length
  }

  /** The column of the nearest strand that it follows, of its party. */
  #columnBefore({ party, after }: Strand): number | undefined {
    let before = after
    while (before !== undefined && !this.#columns.has(before)) before = before.after
    return before?.party === party ? this.#columns.get(before) : undefined
  }
}

/** From the first to the last row of each strand. */
function livesOf(rows: readonly PlacedStep[]): Map<Strand, Life> {
  const lives = new Map<Strand, Life>()
  for (const [row, { strand, from }] of rows.entries()) {
    for (const each of from === undefined ? [strand] : [from, strand]) {
      const life = lives.get(each)
      if (life === undefined) lives.set(each, { strand: each, first: row, last: row })
      else life.last = row
    }
  }
  return lives
}

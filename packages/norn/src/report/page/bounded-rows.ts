/**
 * The rows of a very long execution: its beginning and its end. One row stands for those between,
 * and keeps what they change.
 */
import { plural } from '../../contract/text.ts'
import type { Step } from './data.ts'

/** Rows at the beginning and at the end. */
const [MAX_FIRST, MAX_LAST] = [4000, 1000] as const

export class BoundedRows {
  readonly rows: readonly Step[]
  readonly leftOut: number

  constructor(rows: readonly Step[], [first, last]: readonly [first: number, last: number] = [MAX_FIRST, MAX_LAST]) {
    this.leftOut = rows.length > first + last ? rows.length - first - last : 0
    this.#first = first
    if (this.leftOut === 0) {
      this.rows = rows
      return
    }
    const between = rows.slice(first, first + this.leftOut)
    const changes = between.flatMap(({ changes = [] }) => changes)
    const gap: Step = { mark: 'gap', text: `${plural(this.leftOut, 'step')} left out`, changes }
    const kept: Step[] = [...rows.slice(0, first), gap, ...rows.slice(first + this.leftOut)]
    this.rows = kept.map(({ arrow, ...row }) =>
      arrow?.sent === undefined
        ? { ...row, ...(arrow && { arrow }) }
        : { ...row, arrow: { ...arrow, sent: this.rowOf(arrow.sent) } },
    )
  }

  readonly #first: number

  /** Where a row has gone. */
  rowOf(row: number): number {
    if (this.leftOut === 0 || row < this.#first) return row
    return Math.max(this.#first, row - this.leftOut + 1)
  }
}

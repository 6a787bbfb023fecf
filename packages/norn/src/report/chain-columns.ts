/** The columns of an execution without connections: one for each causal chain, by its first step. */
import type { Moment } from './moments.ts'

const MAX_COLUMNS = 12

export class ChainColumns {
  readonly #columns = new Map<string, number>()
  /** The first and last row of each column: between them it is drawn through. */
  readonly #spans: { readonly first: number; readonly last: number }[] = []

  constructor(moments: readonly Pick<Moment, 'chain'>[]) {
    for (const [row, { chain }] of moments.entries()) {
      const column = this.#columns.get(chain) ?? Math.min(this.#columns.size, MAX_COLUMNS - 1)
      this.#columns.set(chain, column)
      this.#spans[column] = { first: this.#spans[column]?.first ?? row, last: row }
    }
  }

  get width(): number {
    return this.#spans.length
  }

  /** The first and last row of each column. */
  get lives(): readonly { readonly first: number; readonly last: number }[] {
    return this.#spans
  }

  at({ chain }: Pick<Moment, 'chain'>): number {
    return this.#columns.get(chain)!
  }

  /** Columns have letters where there is more than one. */
  get letters(): readonly string[] {
    const letters = this.#spans.map((_, column) => String.fromCharCode(65 + column))
    return letters.length < 2 ? [] : letters
  }

  get head(): string {
    return this.letters.join(' ')
  }

  cells(row: number, { chain }: Pick<Moment, 'chain'>, mark: string): string {
    const own = this.#columns.get(chain)
    const cell = ({ first, last }: { first: number; last: number }, column: number) =>
      column === own ? mark : first < row && row < last ? '│' : ' '
    return this.#spans.map(cell).join(' ')
  }
}

/** The notes and targets of one execution. */
export interface Marks {
  /** How often each `note` was reached. */
  readonly notes: ReadonlyMap<string, number>
  /** The largest value of each `target`. */
  readonly targets: ReadonlyMap<string, number>
}

/** Labels of either kind in one execution. */
const MAX_LABELS = 1000

const NONE: ReadonlyMap<string, number> = new Map()

export class MarkCollection implements Marks {
  #notes: Map<string, number> | undefined
  #targets: Map<string, number> | undefined

  get notes(): ReadonlyMap<string, number> {
    return this.#notes ?? NONE
  }

  get targets(): ReadonlyMap<string, number> {
    return this.#targets ?? NONE
  }

  note(label: string): void {
    this.#notes ??= new Map()
    checkLabel('note', label, this.#notes)
    this.#notes.set(label, (this.#notes.get(label) ?? 0) + 1)
  }

  target(value: number, label: string): void {
    if (typeof value !== 'number' || Number.isNaN(value)) {
      throw new TypeError(`target(value, '${label}'): value must be a number, and not NaN`)
    }
    this.#targets ??= new Map()
    checkLabel('target', label, this.#targets)
    this.#targets.set(label, Math.max(value, this.#targets.get(label) ?? Number.NEGATIVE_INFINITY))
  }
}

function checkLabel(caller: string, label: string, known: ReadonlyMap<string, number>): void {
  if (typeof label !== 'string' || label === '') throw new TypeError(`${caller}: label must be a non-empty string`)
  if (known.size >= MAX_LABELS && !known.has(label)) {
    throw new RangeError(
      `${caller}('${label}'): more than ${MAX_LABELS} labels in an execution. Use a label for a place, not for a value`,
    )
  }
}

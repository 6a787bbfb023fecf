/** What a body marked while it ran: places that it is to reach sometimes, and values that are to grow. */
export interface Marks {
  /** How often each `note` was passed. */
  readonly notes: ReadonlyMap<string, number>
  /** The largest value of each `target`. */
  readonly targets: ReadonlyMap<string, number>
}

/** Labels that one execution may use, of either kind. */
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
      throw new TypeError(`target(value, '${label}'): the value must be a number that is not NaN`)
    }
    this.#targets ??= new Map()
    checkLabel('target', label, this.#targets)
    this.#targets.set(label, Math.max(value, this.#targets.get(label) ?? Number.NEGATIVE_INFINITY))
  }
}

function checkLabel(caller: string, label: string, known: ReadonlyMap<string, number>): void {
  if (typeof label !== 'string' || label === '')
    throw new TypeError(`${caller}: the label must be a text that is not empty`)
  if (known.size >= MAX_LABELS && !known.has(label)) {
    throw new RangeError(
      `${caller}('${label}'): an execution may use ${MAX_LABELS} labels; a label names a place, not a value`,
    )
  }
}

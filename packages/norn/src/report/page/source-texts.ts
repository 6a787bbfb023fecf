/**
 * The lines of source that a page shows: those around the places that it names, each once.
 *
 * Invariant: a place that only a saved failure names is mentioned, and no line of its file is read.
 */
import type { Frame } from '../../contract/execution.ts'
import { sourcePath, sourceText } from '../project-source.ts'
import type { Passage, Place, Run } from './data.ts'

/** The runs of each line of a file; none if its language is not known. */
export type Highlight = (file: string, text: string) => readonly (readonly Run[])[]

/** Lines on both sides of a place. */
const AROUND = 6
const MAX_LINE = 200
const MAX_FILES = 400

export class SourceTexts {
  readonly #root: string
  readonly #highlight: Highlight
  readonly #places = new Map<string, { readonly index: number; readonly lines: Set<number> }>()
  /** Of files that were read: a page whose search runs asks again and again. */
  readonly #highlighted = new Map<string, { readonly text: string; readonly runs: ReturnType<Highlight> }>()

  constructor(root: string, highlight: Highlight = () => []) {
    this.#root = root
    this.#highlight = highlight
  }

  /** Notes that the page names a place of a file that was loaded, to be quoted. */
  placeOf({ file, line }: Pick<Frame, 'file' | 'line'>): Place {
    const { index, lines } = this.#named(file)
    lines.add(line)
    return [index, line]
  }

  /** A place that may be anybody's: it is named, and not quoted. */
  mention({ file, line }: Pick<Frame, 'file' | 'line'>): Place {
    return [this.#named(file).index, line]
  }

  #named(file: string): { readonly index: number; readonly lines: Set<number> } {
    let known = this.#places.get(file)
    if (known === undefined) this.#places.set(file, (known = { index: this.#places.size, lines: new Set() }))
    return known
  }

  /** The path of a file that was named, if the line was named too and the file is below the root. */
  pathOf([index, line]: Place): string | undefined {
    const [file, { lines } = { lines: new Set() }] = [...this.#places][index] ?? []
    return file !== undefined && lines.has(line) ? sourcePath(this.#root, file) : undefined
  }

  /** The files that were named, by index. */
  get files(): readonly string[] {
    return [...this.#places.keys()]
  }

  /** The lines around the places that were named, by file; none of a file that cannot be read. */
  passages(): readonly (readonly Passage[])[] {
    return [...this.#places].map(([file, { index, lines }]) => {
      const text = index < MAX_FILES ? sourceText(this.#root, file) : undefined
      return text === undefined ? [] : passagesAround(text.split(/\r?\n/), this.#runs(file, text), lines)
    })
  }

  #runs(file: string, text: string): ReturnType<Highlight> {
    const known = this.#highlighted.get(file)
    if (known?.text === text) return known.runs
    const runs = this.#highlight(file, text)
    this.#highlighted.set(file, { text, runs })
    return runs
  }
}

function passagesAround(text: readonly string[], runs: ReturnType<Highlight>, places: ReadonlySet<number>): Passage[] {
  const passages: { first: number; last: number }[] = []
  for (const line of [...places].filter((each) => each >= 1 && each <= text.length).sort((a, b) => a - b)) {
    const [first, last] = [Math.max(1, line - AROUND), Math.min(text.length, line + AROUND)]
    const before = passages.at(-1)
    if (before !== undefined && first <= before.last + 1) before.last = last
    else passages.push({ first, last })
  }
  return passages.map(({ first, last }) => ({
    first,
    lines: text.slice(first - 1, last).map((line) => line.slice(0, MAX_LINE)),
    ...(runs.length === 0 ? {} : { runs: runs.slice(first - 1, last).map((line) => line.filter(isShown)) }),
  }))
}

function isShown([from]: Run): boolean {
  return from < MAX_LINE
}

/**
 * The lines of source that a page shows: those around the places that it names, each once.
 *
 * Invariant: only files below the root are read, after symbolic links. Saved failures name files,
 * and may be anybody's.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Frame } from '../../contract/execution.ts'
import { leadsOut } from '../../storage/failure-file.ts'
import type { Passage, Place } from './data.ts'

/** Lines on both sides of a place. */
const AROUND = 6
const MAX_LINE = 200
const MAX_FILES = 400
const MAX_BYTES = 4 * 1024 * 1024

export class SourceTexts {
  readonly #root: string
  readonly #places = new Map<string, { readonly index: number; readonly lines: Set<number> }>()

  constructor(root: string) {
    this.#root = root
  }

  /** Notes that the page names a place. */
  placeOf({ file, line }: Pick<Frame, 'file' | 'line'>): Place {
    let known = this.#places.get(file)
    if (known === undefined) this.#places.set(file, (known = { index: this.#places.size, lines: new Set() }))
    known.lines.add(line)
    return [known.index, line]
  }

  /** The files that were named, by index. */
  get files(): readonly string[] {
    return [...this.#places.keys()]
  }

  /** The lines around the places that were named, by file; none of a file that cannot be read. */
  passages(): readonly (readonly Passage[])[] {
    return [...this.#places].map(([file, { index, lines }]) =>
      index < MAX_FILES ? passagesAround(this.#read(file), lines) : [],
    )
  }

  #read(file: string): readonly string[] {
    if (leadsOut(file)) return []
    try {
      const [root, path] = [realpathSync(this.#root), realpathSync(join(this.#root, file))]
      if (!path.startsWith(root + sep)) return []
      const text = readFileSync(path, 'utf8')
      return text.length > MAX_BYTES ? [] : text.split(/\r?\n/)
    } catch {
      return []
    }
  }
}

function passagesAround(text: readonly string[], places: ReadonlySet<number>): Passage[] {
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
  }))
}

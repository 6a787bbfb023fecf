/**
 * What files hold after each event of an execution that is explained: those that the execution changed.
 * Invariant: it is bounded, and looks at the files as a loader does: nothing is recorded, no time passes.
 */
import type { FileChange } from '../../contract/file-change.ts'
import { cut } from '../../contract/text.ts'
import type { ProgramFiles } from '../../loader/program-files.ts'
import { RealMap } from '../realm/language.ts'

/** Files that are followed, bytes of one that are read, bytes of all, and characters that are kept. */
const MAX_FILES = 32
const MAX_BYTES = 65_536
const MAX_READ = 64 * 1024 * 1024
const MAX_TEXT = 1500

export class FileContents {
  readonly changes: FileChange[] = []
  readonly #files: ProgramFiles
  readonly #relative: (path: string) => string
  readonly #known = new RealMap<string, string>()
  #left = MAX_READ

  constructor(files: ProgramFiles, relative: (path: string) => string) {
    this.#files = files
    this.#relative = relative
  }

  /** Takes what has changed since the last time as done by an event. @param at its index; -1 before the first */
  take(at: number): void {
    if (this.#left <= 0 || this.#files.changes() === 0) return
    for (const path of this.#files.changedPaths().slice(0, MAX_FILES)) {
      const text = this.#textOf(path)
      if (text === this.#known.get(path)) continue
      if (text === undefined) this.#known.delete(path)
      else this.#known.set(path, text)
      if (at >= 0) this.changes.push({ at, path: this.#relative(path), ...(text === undefined ? {} : { text }) })
    }
  }

  /** Undefined if it is no file. */
  #textOf(path: string): string | undefined {
    if (this.#files.kind(path) !== 'file') return undefined
    const bytes = this.#files.read(path)
    this.#left -= bytes.length
    const text = bytes.subarray(0, MAX_BYTES).toString('utf8')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these make bytes no text
    const isText = !/[\0-\x08\x0e-\x1f\x7f\ufffd]/.test(text.slice(0, -1))
    return isText && text.length <= MAX_TEXT
      ? text
      : `${isText ? cut(text, MAX_TEXT) : ''} (${bytes.length} bytes)`.trim()
  }
}

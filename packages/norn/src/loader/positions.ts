/**
 * Maps positions in transformed code to the user's file. Lines and columns count from 1, as in a
 * stack trace.
 *
 * Invariants: only rewritten TypeScript moves lines. Source maps are generated and parsed at first
 * use, when a failure is shown.
 */
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

interface Maps {
  /** From transformed code to JavaScript. */
  readonly rewritten: (() => string) | undefined
  /** From JavaScript to TypeScript. */
  readonly typed: string | undefined
  chain: SourceMap[] | undefined
}

export class Positions {
  readonly #maps = new Map<string, Maps>()
  /** Of the tracing builds. */
  readonly #traced = new Map<string, Maps>()
  /** Whether positions come from a tracing build; both builds have the name of the file. */
  traced = false

  add(path: string, rewritten: (() => string) | undefined, typed: string | undefined): void {
    if (rewritten !== undefined || typed !== undefined) this.#maps.set(path, { rewritten, typed, chain: undefined })
  }

  /** The same for a tracing build, after `add`. */
  addTraced(path: string, rewritten: (() => string) | undefined): void {
    this.#traced.set(path, { rewritten, typed: this.#maps.get(path)?.typed, chain: undefined })
  }

  original(file: string, line: number, column: number): Position {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    const maps = (this.traced ? this.#traced.get(path) : undefined) ?? this.#maps.get(path)
    if (maps === undefined) return { file: path, line, column }
    maps.chain ??= [maps.rewritten?.(), maps.typed].filter((each) => each !== undefined).map(parsed)
    let at = { line, column }
    for (const map of maps.chain) {
      const entry = map.findEntry(at.line - 1, at.column - 1)
      if (!('originalLine' in entry) || entry.generatedLine !== at.line - 1) continue
      at = { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    }
    return { file: path, ...at }
  }
}

const parsed = (map: string): SourceMap => new SourceMap(JSON.parse(map))

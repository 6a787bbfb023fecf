/**
 * Maps positions in transformed code to the user's file. Lines and columns count from 1, as in a
 * stack trace.
 *
 * Invariants: only transformed files move lines. Source maps are generated and parsed at first
 * use, when a failure is shown.
 */
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { movePlace, type Place } from './source-error.ts'

export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** How the code that runs came from a file. */
export interface Origin {
  /** The map from transformed code to JavaScript. */
  readonly rewritten: (() => string) | undefined
  /** The map from JavaScript to what is written: TypeScript, JSX. */
  readonly written: string | undefined
  /** The text to which the maps lead. */
  readonly source: string
}

interface Maps extends Origin {
  chain: SourceMap[] | undefined
}

export class Positions {
  readonly #maps = new Map<string, Maps>()
  /** Of the tracing builds. */
  readonly #traced = new Map<string, Maps>()
  /** Whether positions come from a tracing build; both builds have the name of the file. */
  traced = false

  readonly #others: Positions | undefined

  /** @param others have the files that were not added here */
  constructor(others?: Positions) {
    this.#others = others
  }

  add(path: string, origin: Origin): void {
    this.#maps.set(path, { ...origin, chain: undefined })
  }

  /** The same for a tracing build, after `add`. */
  addTraced(path: string, rewritten: (() => string) | undefined): void {
    this.#traced.set(path, { ...this.#maps.get(path)!, rewritten, chain: undefined })
  }

  /** What `addTraced` was given last. */
  tracedRewriting(path: string): (() => string) | undefined {
    return this.#traced.get(path)?.rewritten
  }

  /** How the code of a file came about; undefined for a file that was not loaded. */
  originOf(path: string): Origin | undefined {
    return this.#maps.get(path) ?? this.#others?.originOf(path)
  }

  /** The text to which positions in a file lead; undefined for a file that was not loaded. */
  textOf(file: string): string | undefined {
    return this.#mapsOf(file)?.source
  }

  #mapsOf(file: string): Maps | undefined {
    const own = (this.traced ? this.#traced.get(file) : undefined) ?? this.#maps.get(file)
    if (own !== undefined || this.#others === undefined) return own
    return this.#others.#mapsOf(file)
  }

  /** Moves the place of an error from the JavaScript of a file to the file. */
  showWritten(error: unknown, path: string): void {
    const maps = this.#mapsOf(path)
    if (maps !== undefined) showWritten(error, path, maps)
  }

  original(file: string, line: number, column: number): Position {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    const maps = this.#mapsOf(path)
    if (maps === undefined) return { file: path, line, column }
    maps.chain ??= [maps.rewritten?.(), maps.written].filter((each) => each !== undefined).map(parsed)
    let at: Place = { line, column }
    for (const map of maps.chain) at = mapped(map, at)
    return { file: path, ...at }
  }
}

/** Moves the place of an error from the JavaScript of a file to the file. */
export function showWritten(error: unknown, path: string, { written, source }: Omit<Origin, 'rewritten'>): void {
  if (written !== undefined) movePlace(error, path, source, (place) => mapped(parsed(written), place))
}

function mapped(map: SourceMap, place: Place): Place {
  const entry = map.findEntry(place.line - 1, place.column - 1)
  if (!('originalLine' in entry) || entry.generatedLine !== place.line - 1) return place
  return { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}

const parsed = (map: string): SourceMap => new SourceMap(JSON.parse(map))

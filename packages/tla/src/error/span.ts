/** Positions in source files. */

/** A source file as it was read. */
export interface Source {
  /**
   * How messages name it: the path as the user gave it, or `Naturals.tla (built-in)` for a module
   * that norn brings.
   */
  readonly path: string
  readonly text: string
}

/**
 * From the first to the last character, both inclusive; lines and columns count from 1, columns in
 * UTF-16 units.
 */
export interface Span {
  readonly source: Source
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * The smallest span that holds both. Both are of one source, and `first` begins no later than
 * `last`.
 */
export function spanOf(first: Span, last: Span): Span {
  return { ...first, endLine: last.endLine, endColumn: last.endColumn }
}

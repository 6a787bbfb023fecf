/**
 * A history that cannot be: the message says where, what was expected, and what to do.
 *
 * @public
 */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  /** From 1; undefined if the history was not read from lines. */
  readonly line: number | undefined
  /** From 1, in UTF-16 units; undefined where the whole line is meant. */
  readonly column: number | undefined

  constructor(message: string, line?: number, column?: number) {
    const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
    super(line === undefined ? message : `${place}: ${message}`)
    this.line = line
    this.column = column
  }
}

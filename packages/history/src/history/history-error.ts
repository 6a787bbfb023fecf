/** A history that cannot be: the message says where, what was expected, and what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  /** From 1; undefined if the history was not read from lines. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.line = line
  }
}

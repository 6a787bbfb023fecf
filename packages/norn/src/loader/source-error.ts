/**
 * Errors for people about a place in a source file: the file, line and column, the line itself and
 * a caret.
 *
 * Invariant: `stack` opens with `file:line:column`, the line and the caret, as Node shows it for
 * its own SyntaxErrors, so printing the stack is enough to find the place.
 */

/** A place in a source text: line from 1, column from 1. */
export interface Place {
  line: number
  column: number
}

export function placeAt(source: string, offset: number): Place {
  let line = 1
  let start = 0
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', start)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

export function sourceError(message: string, path: string, source: string, place: Place): SyntaxError {
  const where = `${path}:${place.line}:${place.column}`
  const error = new SyntaxError(message)
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/, place.line)[place.line - 1] ?? ''
  const indent = line.slice(0, place.column - 1).replace(/[^\t]/g, ' ')
  error.stack = `${where}\n${line}\n${indent}^\n\n${error.stack}`
  return error
}

/** The place that V8 put in front of the stack of a SyntaxError it threw while compiling. */
export function placeOfCompileError(error: unknown, path: string): Place | undefined {
  const lines = error instanceof SyntaxError ? String(error.stack).split('\n') : []
  if (!lines[0]?.startsWith(`${path}:`)) return undefined
  const line = Number(lines[0].slice(path.length + 1))
  const column = (lines[2] ?? '').indexOf('^') + 1
  return Number.isInteger(line) && column > 0 ? { line, column } : undefined
}

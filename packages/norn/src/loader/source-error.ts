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

/** The places of errors, and their stacks without the place. */
const located = new WeakMap<Error, { readonly path: string; readonly place: Place; readonly stack: string }>()

export function sourceError(message: string, path: string, source: string, place: Place): SyntaxError {
  return withPlace(new SyntaxError(message), path, source, place)
}

/** Puts a place in front of the stack of an error. */
export function withPlace<Located extends Error>(error: Located, path: string, source: string, place: Place): Located {
  const stack = String(error.stack)
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/, place.line)[place.line - 1] ?? ''
  const indent = line.slice(0, place.column - 1).replace(/[^\t]/g, ' ')
  error.stack = `${path}:${place.line}:${place.column}\n${line}\n${indent}^\n\n${stack}`
  located.set(error, { path, place, stack })
  return error
}

/** Moves the place of an error in a file to where it is in another text of the file. */
export function movePlace(error: unknown, path: string, source: string, moved: (place: Place) => Place): void {
  const known = error instanceof Error ? located.get(error) : undefined
  if (known?.path !== path) return
  Object.assign(error as Error, { stack: known.stack })
  withPlace(error as Error, path, source, moved(known.place))
}

/** The place that V8 put in front of the stack of a SyntaxError it threw while compiling. */
export function placeOfCompileError(error: unknown, path: string): Place | undefined {
  const lines = error instanceof SyntaxError ? String(error.stack).split('\n') : []
  if (!lines[0]?.startsWith(`${path}:`)) return undefined
  const line = Number(lines[0].slice(path.length + 1))
  const column = (lines[2] ?? '').indexOf('^') + 1
  return Number.isInteger(line) && column > 0 ? { line, column } : undefined
}

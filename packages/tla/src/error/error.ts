/**
 * Errors of specifications, configurations and evaluations: location, message, and the source line
 * with carets.
 */
import type { Span } from './span.ts'

/** One entry of the evaluation stack at an error. */
export interface ErrorFrame {
  readonly at: Span
  /** `the operator Max`, `the invariant TypeOK`; with the values bound in it, if any. */
  readonly what: string
}

/**
 * The stage that found the error.
 *
 * @public
 */
export type TlaErrorKind = 'syntax' | 'semantics' | 'configuration' | 'evaluation'

/**
 * An error in a specification or a configuration, with its place.
 *
 * @public
 */
export class TlaError extends Error {
  override readonly name = 'TlaError'
  readonly kind: TlaErrorKind
  /** Whether evaluation cannot continue even if the value is not needed: no stack or memory. */
  readonly isFatal: boolean = false
  /** Undefined only if there is no location (a missing file). */
  at: Span | undefined
  /** The evaluation stack, innermost first. */
  readonly frames: ErrorFrame[] = []
  /** Independent further errors, reported together with this one. */
  readonly others: TlaError[] = []

  /** @param message what is wrong, what was expected, what to do: without the location */
  constructor(kind: TlaErrorKind, message: string, at?: Span) {
    super(message)
    this.kind = kind
    this.at = at
  }

  /**
   * The full text, of this error and the others:
   *
   *     Spec.tla:12:7: expected an expression, found `)`
   *       12 |   x' = ()
   *          |         ^
   */
  describe(): string {
    const { at } = this
    const own =
      at === undefined ? [this.message] : [`${place(at)}: ${this.message}`, ...excerpt(at), ...framesText(this.frames)]
    return [...own, ...this.others.map((other) => other.describe())].join('\n')
  }
}

/** Whether the error can be dropped if the value is not needed. */
export function isPassing(error: unknown): error is TlaError {
  return error instanceof TlaError && !error.isFatal
}

/** Bound on the errors reported together. */
export const MAX_ERRORS = 10

/** @throws the first error, with the others attached */
export function throwAll(errors: readonly TlaError[]): void {
  const [first, ...others] = errors
  if (first === undefined) return
  first.others.push(...others.slice(0, MAX_ERRORS - 1))
  throw first
}

/** `path:line:column`. */
export function place({ source, line, column }: Span): string {
  return `${source.path}:${line}:${column}`
}

/** Longest excerpt of a line, in UTF-16 units. */
const LINE_LIMIT = 160

/** The first line of a span, with carets below the part that the span covers. */
export function excerpt({ source, line, column, endLine, endColumn }: Span): readonly string[] {
  const whole = source.text.split(/\r\n|\n|\r/)[line - 1] ?? ''
  const number = String(line).padStart(5)
  const end = endLine === line ? Math.max(endColumn, column) : Math.max(whole.length, column)
  // Of a very long line only the part around the span is shown.
  const start = whole.length > LINE_LIMIT ? Math.max(0, column - 1 - LINE_LIMIT / 2) : 0
  const stop = Math.max(start + LINE_LIMIT, column)
  const text = `${start > 0 ? '…' : ''}${printable(whole.slice(start, stop))}${stop < whole.length ? '…' : ''}`
  // Tabs are kept, so that the carets line up.
  const indent = (start > 0 ? ' ' : '') + whole.slice(start, column - 1).replace(/[^\t]/g, ' ')
  const carets = '^'.repeat(Math.min(end, stop) - column + 1)
  return [`${number} | ${text}`, `${' '.repeat(number.length)} | ${indent}${carets}`]
}

/** Replaces control characters, keeping the width: a file may not be text at all. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\t\p{Cf}\p{Cs}]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '\ufffd')
}

/** Consecutive frames at one location, as in a recursion, become one line. */
function framesText(frames: readonly ErrorFrame[]): readonly string[] {
  const lines: string[] = []
  for (let first = 0, next = 1; first < frames.length; first = next++) {
    const at = place(frames[first]!.at)
    while (next < frames.length && place(frames[next]!.at) === at) next++
    const more = next - first - 1
    lines.push(`${frameText(frames[first]!)}${more > 0 ? `, and ${more} more like it` : ''}`)
  }
  return lines
}

function frameText({ at, what }: ErrorFrame): string {
  return `  in ${what} (${place(at)})`
}

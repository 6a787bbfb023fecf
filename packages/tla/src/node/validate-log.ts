/** `validateLog(specification, lines)`: what `norn-tla validate` does, as a function. */
import { parseData, type TraceEntry, TraceFileError } from '../follow/trace-file.ts'
import { type LogMapper, type LogSettings, logMap } from '../validate/log-map.ts'
import { validateTrace } from '../validate/validate-trace.ts'
import { described, loadNamed, type NamedOptions, pathOf, shownPath } from './named.ts'

/**
 * The options of `validateLog`.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: the lines of a log have a type of their own
export interface ValidateOptions<Line = any> extends NamedOptions, LogSettings<Line> {
  /** Maps a line to an event. Default: the lines are events. */
  readonly mapper?: LogMapper<Line>
  /** States that are open at once, at most; 10,000 by default. */
  readonly width?: number
  /** Whether to follow one behaviour as far as it fits, then the next; false by default. */
  readonly depthFirst?: boolean
}

/**
 * What `validateLog` returns.
 *
 * @public
 */
export interface ValidatedLog {
  /** `undecided` where a bound was reached. */
  readonly result: 'behaviour' | 'divergence' | 'invariant' | 'undecided'
  /** The line that it ended at, from 1; undefined for a behaviour. */
  readonly line: number | undefined
  /** The printed report. */
  readonly text: string
}

const DEFAULT_WIDTH = 10_000
/** How messages name them. */
const [LOG, MAPPER] = ['the log', 'the mapper']
const RESULTS = {
  behaviour: 'behaviour',
  divergence: 'divergence',
  'broken invariant': 'invariant',
  undecided: 'undecided',
} as const

/**
 * Checks whether a log is part of a behaviour of a specification.
 *
 * ```ts
 * const lines = [{ action: 'Ask', parameters: ['a'] }, { state: { holder: 'a' } }]
 * const { result, text } = validateLog('specs/Lock.tla', lines)
 * assert.equal(result, 'behaviour', text)
 * ```
 *
 * @public
 * @param specification the `.tla` file: a URL, or a path relative to the working directory
 * @param lines plain data, as JSON has it
 * @throws Error for an invalid specification, configuration, line or mapper, with the location
 */
export function validateLog<Line extends object>(
  specification: string | URL,
  lines: readonly Line[],
  options: ValidateOptions<Line> = {},
): ValidatedLog {
  const { mapper, silent, domains, initial, order, width = DEFAULT_WIDTH, depthFirst = false } = options
  if (!Number.isInteger(width) || width < 1) {
    throw new TypeError(`validateLog: expected \`width\` to be a whole number from 1, found ${width}`)
  }
  const map = logMap(MAPPER, mapper, { silent, domains, initial, order })
  const machine = loadNamed(specification, options, { print: () => {} })
  return described(() => {
    const entries = lines.map((line, at) => entryOf(line, at + 1))
    const named = { specification: shownPath(pathOf(specification)), path: LOG, mapPath: MAPPER }
    const { verdict, line, text } = validateTrace(machine, entries, { ...named, map, width, depthFirst })
    return { result: RESULTS[verdict], line, text: text.join('\n') }
  })
}

/** As if it had been written to a file, and read. @throws TraceFileError */
function entryOf(line: object, number: number): TraceEntry {
  const data = parseData(JSON.stringify(line) ?? 'null')
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return { line: number, data: data as Record<string, unknown> }
  }
  throw new TraceFileError(LOG, number, 'a line must be an object, as in { action: "Send" }')
}

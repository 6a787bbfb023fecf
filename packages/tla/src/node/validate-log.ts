/**
 * `validateLog(specification, entries)`: what `norn tla validate` does, as a function.
 *
 * ```ts
 * const { result, text } = validateLog('./Lock.tla', [{ action: 'Ask', parameters: ['a'] }, { state: { holder: 'a' } }])
 * assert.equal(result, 'behaviour', text)
 * ```
 */
import { parseData, type TraceEntry, TraceFileError } from '../trace-file.ts'
import { NO_MAP, readMap } from '../validate/map-file.ts'
import { validateTrace } from '../validate/validate-trace.ts'
import { described, loadNamed, type NamedOptions, pathOf, shownPath } from './named.ts'

export interface ValidateOptions extends NamedOptions {
  /** Which actions the entries stand for, as in the file of a map. */
  readonly map?: object
  /** States that are open at once, at most: 10,000 unless set. */
  readonly width?: number
  /** Whether to follow one behaviour as far as it fits, then the next. */
  readonly depthFirst?: boolean
}

export interface ValidatedLog {
  /** `undecided` where a bound was reached. */
  readonly result: 'behaviour' | 'divergence' | 'invariant' | 'undecided'
  /** The entry that it ended at, from 1; undefined of a behaviour. */
  readonly line: number | undefined
  /** What a person reads of it. */
  readonly text: string
}

const DEFAULT_WIDTH = 10_000
/** How messages name what no file has. */
const [LOG, MAP] = ['the log', 'the map']
const RESULTS = {
  behaviour: 'behaviour',
  divergence: 'divergence',
  'broken invariant': 'invariant',
  undecided: 'undecided',
} as const

/**
 * Tells whether what a log saw is part of a behaviour of a specification.
 *
 * @param specification the `.tla` file: a URL, or a path relative to the working directory
 * @param entries in the form of the lines of a trace, or what the map makes of them
 * @throws Error that tells what is wrong with the specification, the configuration, an entry or the map
 */
export function validateLog(
  specification: string | URL,
  entries: readonly object[],
  options: ValidateOptions = {},
): ValidatedLog {
  const { map, width = DEFAULT_WIDTH, depthFirst = false } = options
  if (!Number.isInteger(width) || width < 1) {
    throw new TypeError(`validateLog: expected \`width\` to be a whole number from 1, found ${width}`)
  }
  const machine = loadNamed(specification, options, { print: () => {} })
  return described(() => {
    const { verdict, line, text } = validateTrace(
      machine,
      entries.map((entry, at) => entryOf(entry, at + 1)),
      {
        specification: shownPath(pathOf(specification)),
        path: LOG,
        mapPath: MAP,
        map: map === undefined ? NO_MAP : readMap(MAP, JSON.stringify(map)),
        width,
        depthFirst,
      },
    )
    return { result: RESULTS[verdict], line, text: text.join('\n') }
  })
}

/** As if it had been written to a file, and read. @throws TraceFileError */
function entryOf(entry: object, line: number): TraceEntry {
  const data = parseData(JSON.stringify(entry) ?? 'null')
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return { line, data: data as Record<string, unknown> }
  }
  throw new TraceFileError(LOG, line, 'an entry is an object, as in { action: "Send" }')
}

/**
 * Reads traces: JSON lines, or one JSON array. Every entry keeps its line number for messages.
 *
 * Rejects, with the line, entries that are not JSON objects, and an incomplete last line.
 */

export interface TraceEntry {
  /** The line of the file where it begins, from 1. */
  readonly line: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A trace or its mapper is invalid. */
export class TraceFileError extends Error {
  override readonly name = 'TraceFileError'

  constructor(path: string, line: number | undefined, problem: string) {
    super(line === undefined ? `${path}: ${problem}` : `${path}:${line}: ${problem}`)
  }
}

const MAX_ENTRIES = 10_000_000
/** Longest excerpt of a line in a message. */
const MAX_SHOWN = 60

/** Matches if there may be an integer of more than 32 bits. Most logs have only fractions. */
const MAY_BE_LARGE = /(?:^|[^.\d])\d{10,}(?![.\d])|\d[eE]/

/**
 * Parses JSON, with integers of more than 32 bits as strings, as module Json reads them. Node ids
 * are often such integers, and distinct ones may be equal as JavaScript numbers.
 *
 * @throws SyntaxError, also for data that is nested too deep
 */
export function parseData(json: string): unknown {
  if (json.length > 2 * MAX_DEPTH && depthOf(json) > MAX_DEPTH) throw new TooDeep()
  return MAY_BE_LARGE.test(json) ? JSON.parse(json, asWritten) : JSON.parse(json)
}

/** Bound on the nesting of arrays and objects: code that walks data is recursive. */
const MAX_DEPTH = 500

class TooDeep extends SyntaxError {
  constructor() {
    super(`nested deeper than ${MAX_DEPTH} arrays and objects`)
  }
}

/** The nesting of arrays and objects. */
function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x22) isText = !isText
    else if (isText) at += code === 0x5c ? 1 : 0
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

function asWritten(_key: string, data: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof data === 'number' && Number.isInteger(data) && (data | 0) !== data ? source : data
}

/** @throws TraceFileError */
export function readTrace(path: string, text: string): readonly TraceEntry[] {
  // Files written on Windows may begin with a byte order mark.
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  const entries = /^\s*\[/.test(content) ? arrayEntries(path, content) : lineEntries(path, content)
  if (entries.length === 0) throw new TraceFileError(path, undefined, 'the trace is empty')
  if (entries.length > MAX_ENTRIES) {
    throw new TraceFileError(
      path,
      undefined,
      `the trace has ${entries.length} entries: at most ${MAX_ENTRIES} can be read`,
    )
  }
  return entries
}

function lineEntries(path: string, text: string): TraceEntry[] {
  const lines = text.split(/\r\n|\n|\r/)
  const entries: TraceEntry[] = []
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    const isLast = at === lines.length - 1
    entries.push(entryOf(path, at + 1, line, isLast))
  }
  return entries
}

/** The items of an array, each parsed separately, so that its line is known. */
function arrayEntries(path: string, text: string): TraceEntry[] {
  const entries: TraceEntry[] = []
  let [line, depth, begin, beginLine] = [1, 0, -1, 0]
  let isText = false
  let isClosed = false
  const end = (at: number) => {
    if (begin >= 0) entries.push(entryOf(path, beginLine, text.slice(begin, at), false))
    begin = -1
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\n') line++
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
      continue
    }
    if (/\s/.test(character)) continue
    if (isClosed)
      throw new TraceFileError(
        path,
        line,
        `expected the end of the file after the array, found ${shown(text.slice(at))}`,
      )
    if (depth === 1 && character === ',') {
      if (begin < 0) throw new TraceFileError(path, line, 'expected an item before the comma')
      end(at)
      continue
    }
    if (depth === 1 && character === ']') {
      end(at)
      isClosed = true
      continue
    }
    if (depth === 1 && begin < 0) [begin, beginLine] = [at, line]
    if (character === '"') isText = true
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
  }
  if (!isClosed) throw new TraceFileError(path, line, 'expected `]` at the end of the array: the file is incomplete')
  return entries
}

function entryOf(path: string, line: number, text: string, isLast: boolean): TraceEntry {
  let data: unknown
  try {
    data = parseData(text)
  } catch (error) {
    if (error instanceof TooDeep) throw new TraceFileError(path, line, error.message)
    const problem = isLast
      ? `the last line is incomplete: the file ends in the middle of ${shown(text)}: remove the line`
      : `not valid JSON: ${(error as Error).message}`
    throw new TraceFileError(path, line, problem)
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return { line, data: data as Record<string, unknown> }
  }
  throw new TraceFileError(path, line, `an entry must be an object, as in {"action": "Send"}, found ${shown(text)}`)
}

function shown(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > MAX_SHOWN ? `${trimmed.slice(0, MAX_SHOWN)}…` : trimmed
}

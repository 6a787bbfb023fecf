/**
 * `assert.ok(value)` without a message quotes its call: here from the text that Node would run, not
 * from the transformed one.
 *
 * Invariant: node:assert captures what is replaced when this file loads, so it must load later.
 * Written against
 * lib/internal/errors/error_source.js of Node 22 to 26, and lib/internal/assert/utils.js of Node
 * 22.15, which reads the file.
 */
import fs from 'node:fs'
import { internalBinding, requireInternal } from './internals.ts'
import type { Positions } from './positions.ts'

/** Where V8 found the call; the line counts from 1, the column from 0. */
interface Call {
  readonly sourceLine: string
  readonly scriptResourceName: string
  readonly lineNumber: number
  readonly startColumn: number
}

let positions: (() => Positions) | undefined

/** @param now gives the positions of the code that runs */
export function quoteWrittenSource(now: () => Positions): void {
  positions = now
}

const errors = internalBinding<{ getErrorSourcePositions?(error: object): Call }>('errors')
const native = errors.getErrorSourcePositions
if (native === undefined) interceptReading()
else errors.getErrorSourcePositions = (error) => written(native(error))

function written(call: Call): Call {
  const { scriptResourceName, lineNumber, startColumn } = call
  const place = placeOf(scriptResourceName, lineNumber, startColumn)
  return place === undefined ? call : { ...call, ...place }
}

/** The place of a call in the user's text; columns count from 0. */
function placeOf(file: unknown, line: number, column: number): Omit<Call, 'scriptResourceName'> | undefined {
  const known = positions?.()
  const text = typeof file === 'string' ? known?.textOf(file) : undefined
  if (text === undefined) return undefined
  const at = known!.original(file as string, line, column + 1)
  const sourceLine = text.split(/\r\n|[\n\r\u2028\u2029]/, at.line)[at.line - 1] ?? ''
  return { sourceLine, lineNumber: at.line, startColumn: calleeStart(sourceLine, at.column - 1) }
}

/**
 * The column of a call for V8. The call of an imported name becomes the call of a call, which V8
 * places at its parenthesis; that of a name is at the name.
 */
function calleeStart(line: string, column: number): number {
  if (line[column] !== '(') return column
  return /[\w$\u0080-\uffff]*\s*$/.exec(line.slice(0, column))!.index
}

type CallSite = Pick<NodeJS.CallSite, 'getFileName' | 'getLineNumber' | 'getColumnNumber'>
type Prepare = (error: object, stack: readonly CallSite[]) => unknown

/** Node 22.15 finds the call in a stack, and reads the file in pieces. */
function interceptReading(): void {
  const { overrideStackTrace } = requireInternal<{ overrideStackTrace: WeakMap<object, Prepare> }>('internal/errors')
  const utils = loadWithReadings()
  const { innerOk } = utils
  utils.innerOk = (...values) => {
    const set = (error: object, prepare: Prepare) =>
      WeakMap.prototype.set.call(overrideStackTrace, error, (_: object, stack: readonly CallSite[]) =>
        prepare(error, stack.map(writtenSite)),
      )
    Object.defineProperty(overrideStackTrace, 'set', { value: set, configurable: true })
    try {
      innerOk(...values)
    } finally {
      Reflect.deleteProperty(overrideStackTrace, 'set')
    }
  }
}

function writtenSite(site: CallSite): CallSite {
  const file = site.getFileName()
  const place = placeOf(file, site.getLineNumber() ?? 1, (site.getColumnNumber() ?? 1) - 1)
  if (place === undefined) return site
  return {
    getFileName: () => file,
    getLineNumber: () => place.lineNumber,
    getColumnNumber: () => place.startColumn + 1,
  }
}

/** A text that is read like a file. */
interface Reading {
  readonly bytes: Buffer
  at: number
}

/** Loads the functions behind node:assert while `fs` gives the user's texts. */
function loadWithReadings(): { innerOk: (...values: unknown[]) => void } {
  const { openSync, readSync, closeSync } = fs
  const isReading = (fd: unknown): fd is Reading => typeof fd === 'object'
  const mine = {
    openSync(path: string, flags: string) {
      const text = positions?.().textOf(path)
      return text === undefined ? openSync(path, flags) : { bytes: Buffer.from(text), at: 0 }
    },
    readSync(fd: number | Reading, buffer: Buffer, offset: number, length: number) {
      if (!isReading(fd)) return readSync(fd, buffer, offset, length, null)
      const count = fd.bytes.copy(buffer, offset, fd.at, fd.at + length)
      fd.at += count
      return count
    },
    closeSync(fd: number | Reading) {
      if (!isReading(fd)) closeSync(fd)
    },
  }
  try {
    Object.assign(fs, mine)
    return requireInternal('internal/assert/utils')
  } finally {
    Object.assign(fs, { openSync, readSync, closeSync })
  }
}

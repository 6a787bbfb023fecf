/** The waits that kept a body from settling, as lines: one wait a line, from the body on. */
import { type FailureReport, isOwn } from '../contract/execution.ts'
import type { PendingWait, PlacedLine } from '../contract/pending-wait.ts'
import { plural } from '../contract/text.ts'
import { printableLine } from './printable.ts'

/** What the waits of a failure are. */
export function waitsTitle({ kind }: Pick<FailureReport, 'kind'>): string {
  return kind === 'deadlock' ? 'Never settled' : 'Still waiting at the end'
}

/** Pending members of one `Promise.all` that are told. */
const MAX_MEMBERS = 5

/** Longer places do not widen the column, in characters. */
const MAX_PLACE = 48

/** What could still settle a promise. */
function settlerText(holder: string | undefined, isLost = false): string {
  const [nothing, held] = ['nothing that can still run reaches', `Its resolve is held by ${holder}`]
  if (holder === undefined) return `N${nothing.slice(1)} the resolve or reject of that promise.`
  return isLost ? `${held}, which ${nothing}.` : `${held}.`
}

interface WaitLine {
  /** How far it is indented: members of one `Promise.all` are beside each other. */
  readonly depth: number
  readonly what: string
  /** The line of the program; absent of a sentence about the line before. */
  readonly frame?: PlacedLine | undefined
  /** The line that called the function there; only where no line before tells it. */
  readonly caller?: PlacedLine | undefined
  /** How many lines in a row are equal to it: a recursion. */
  readonly times?: number
}

function waitLines({ waits = [] }: Pick<FailureReport, 'waits'>): WaitLine[] {
  const lines: WaitLine[] = []
  for (const line of waits.flatMap((wait) => linesOf(wait, 0))) {
    const last = lines.at(-1)
    if (last !== undefined && isRepeated(line, last))
      lines[lines.length - 1] = { ...last, times: (last.times ?? 1) + 1 }
    else lines.push(line)
  }
  return lines
}

/** A line without its place: `await × 3`. */
function whatText({ what, times = 1 }: WaitLine): string {
  return printableLine(times === 1 ? what : `${what} × ${times}`)
}

/** `get (get.ts:6:10 ← 31)`. */
function placeText({ frame, caller }: WaitLine): string {
  if (frame === undefined) return ''
  const { line, column, functionName } = frame
  const file = frame.file.replace(/^(?:.*\/)?node_modules\//, '')
  const by =
    caller === undefined ? '' : ` ← ${caller.file === frame.file ? caller.line : `${caller.file}:${caller.line}`}`
  const place = `${file}:${line}:${column}${by}`
  return printableLine(functionName === '' ? place : `${functionName} (${place})`)
}

/** The lines as text: what waits, where, and the code there. */
export function waitsText(failure: Pick<FailureReport, 'waits'>): string[] {
  const lines = waitLines(failure)
  const rows = lines.map((line, at) => ({
    what: `${'  '.repeat(line.depth)}${whatText(line)}`,
    place: line.frame && placeText(line),
    code: isSameLine(line.frame, lines[at - 1]?.frame) ? '' : printableLine(line.frame?.code ?? ''),
  }))
  const placed = rows.filter(({ place }) => place !== undefined)
  const width = Math.max(0, ...placed.map(({ what }) => what.length))
  const far = Math.max(0, ...placed.map(({ place }) => place!.length).filter((length) => length <= MAX_PLACE))
  return rows.map(({ what, place, code }) =>
    place === undefined ? what : `${what.padEnd(width)}  ${place.padEnd(far)}  ${code}`.trimEnd(),
  )
}

function linesOf(wait: PendingWait, depth: number): WaitLine[] {
  const { how, frames, on, members } = wait
  if (how === 'made' || how === 'thenable') return endLines(wait, depth)
  const line = { depth, what: whatOf(wait), frame: frames[0] }
  if (members === undefined || on.length <= 1) return [line, ...on.flatMap((each) => linesOf(each, depth))]
  const groups = [...Map.groupBy(on.keys(), (at) => JSON.stringify(on[at])).values()]
  const told = groups
    .slice(0, MAX_MEMBERS)
    .flatMap((group) => [
      { depth: depth + 1, what: `[${someOf(group.map((at) => members.pending[at]!))}]` },
      ...linesOf(on[group[0]!]!, depth + 2),
    ])
  const left = groups.slice(MAX_MEMBERS).flat().length
  return [line, ...told, ...(left > 0 ? [{ depth: depth + 1, what: plural(left, 'more member') }] : [])]
}

function whatOf({ how, members }: PendingWait): string {
  if (how === 'cycle') return 'waits for its own end'
  if (members === undefined) return how === 'await' ? how : `.${how}()`
  return `Promise.${how} [${someOf(members.pending)}] of ${members.count}`
}

function someOf(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MAX_MEMBERS).join(', ')
  return numbers.length <= MAX_MEMBERS ? shown : `${shown}, …`
}

/** The line of the library that made a promise comes after the user's own that called it. */
function endLines({ how, by = '', frames, isLost, holder }: PendingWait, depth: number): WaitLine[] {
  const [inner] = frames
  if (inner === undefined) return []
  const own = frames.find(isOwn)
  const isCalled = own !== undefined && own !== inner
  const caller = isCalled ? undefined : frames[1]
  const made = by === '' ? 'made here' : /^new |^Promise\./.test(by) ? by : `made by ${by}`
  return [
    ...(isCalled ? [{ depth, what: 'calls', frame: own }] : []),
    { depth, what: how === 'thenable' ? 'a thenable that called nothing back' : made, frame: inner, caller },
    ...(holder === undefined && !isLost ? [] : [{ depth, what: settlerText(holder, isLost) }]),
  ]
}

function isSameLine(a: PlacedLine | undefined, b: PlacedLine | undefined): boolean {
  return a !== undefined && a.file === b?.file && a.line === b.line
}

function isSamePlace(a: PlacedLine | undefined, b: PlacedLine | undefined): boolean {
  return isSameLine(a, b) && a?.column === b?.column
}

function isRepeated(a: WaitLine, b: WaitLine): boolean {
  return a.depth === b.depth && a.what === b.what && isSamePlace(a.frame, b.frame) && a.caller?.line === b.caller?.line
}

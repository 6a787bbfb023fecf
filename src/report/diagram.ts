/**
 * An interleaving as a small diagram: one line a step, indented by causal chain, with the source line that started it,
 * and a mark on what was late.
 *
 *     0.06 ms  ● mkdtemp norn-                                  lockfile.fuzz.ts:30
 *     1.20 ms  │ ◆ unlink work.lock            1.05 ms late     lockfile.js:166
 *
 * Long executions are cut down to what surrounds the late steps and the end.
 */
import type { Frame } from '../explore/execution.ts'
import type { TraceEvent } from '../world/trace.ts'
import type { Style } from './style.ts'

export interface DiagramInput {
  readonly trace: readonly TraceEvent[]
  /** Where operations were started, by the label of their step. */
  readonly origins: ReadonlyMap<string, Frame>
}

/** Steps shown at the beginning and the end, and on both sides of a late one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
const MAX_COLUMNS = 12

export function diagram(input: DiagramInput, style: Style): string[] {
  const events = worthALine(input.trace)
  const columns = columnsOf(events)
  const rows = events.map((event) => row(event, columns, input.origins))
  const textWidth = Math.min(60, Math.max(0, ...rows.map((r) => r.text.length)))
  const noteWidth = Math.max(0, ...rows.map((r) => r.note.length))
  const timeWidth = Math.max(0, ...rows.map((r) => r.time.length))
  const lines = rows.map(({ time, text, note, source, late }) => {
    const step = `${time.padStart(timeWidth)}  ${text.padEnd(textWidth)}`
    const marked = late ? style.late(step) : step
    return `${marked}  ${style.late(note.padEnd(noteWidth))}  ${style.dim(source)}`.trimEnd()
  })
  return elide(lines, rows, style)
}

interface Row {
  readonly time: string
  readonly text: string
  readonly note: string
  readonly source: string
  readonly late: boolean
}

/**
 * An operation's submission is told by its effect, and its callback only where it says something: when it was late, or
 * when other things happened in between.
 */
function worthALine(trace: readonly TraceEvent[]): TraceEvent[] {
  return trace.filter((event, index) => {
    if (event.event === 'submit' || event.event === 'start') return false
    if (event.event !== 'callback') return true
    const before = trace[index - 1]
    return event.lateUs > 0 || before?.event !== 'effect' || before.label !== event.label
  })
}

function chainOf(label: string): string {
  return label.slice(0, label.lastIndexOf(':'))
}

/** A column for each chain, in the order in which chains appear. */
function columnsOf(events: readonly TraceEvent[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const { label } of events) {
    const chain = chainOf(label)
    if (!columns.has(chain)) columns.set(chain, Math.min(columns.size, MAX_COLUMNS - 1))
  }
  return columns
}

const MARKS: Readonly<Record<string, string>> = {
  effect: '●',
  callback: '○',
  timer: '◷',
  immediate: '▷',
  sync: '•',
  settled: '■',
}

const ENDS: Readonly<Record<string, string>> = {
  fulfilled: 'the body is done',
  rejected: 'the body fails',
  idle: 'nothing is left that could happen, and the body has not settled',
  stopped: 'the execution ends here',
  steps: 'the body has not settled, and its steps are used up',
}

function row(event: TraceEvent, columns: ReadonlyMap<string, number>, origins: ReadonlyMap<string, Frame>): Row {
  const column = columns.get(chainOf(event.label))!
  const late = event.lateUs > 0
  const mark = late ? '◆' : MARKS[event.event]!
  const origin = origins.get(event.label)
  return {
    time: milliseconds(event.atUs),
    text: `${'│ '.repeat(column)}${mark} ${describe(event)}`,
    note: late ? `${milliseconds(event.lateUs)} ms late` : '',
    source: origin === undefined || event.event === 'settled' ? '' : `${shortFile(origin.file)}:${origin.line}`,
    late,
  }
}

function describe({ event, kind, resource, outcome }: TraceEvent): string {
  const what = [kind, shorten(resource)].filter((part) => part !== '').join(' ')
  if (event === 'settled') return ENDS[kind] ?? `the body ends: ${kind}`
  if (event === 'callback') return `${what} calls back`
  if (event === 'timer') return 'timer fires'
  if (event === 'immediate') return 'immediate runs'
  return outcome === '' || outcome === 'ok' ? what : `${what} → ${outcome}`
}

/** A file of a package is named by the package; any other as it is. */
function shortFile(file: string): string {
  const at = file.lastIndexOf('node_modules/')
  return at < 0 ? file : file.slice(at + 'node_modules/'.length)
}

/** The last two parts of a path tell enough. */
function shorten(path: string): string {
  const parts = path.split('/')
  return parts.length <= 2 ? path : parts.slice(-2).join('/')
}

export function milliseconds(us: number): string {
  return (us / 1000).toFixed(2)
}

/** Leaves out the middle of long diagrams, except around what is late. */
function elide(lines: readonly string[], rows: readonly Row[], style: Style): string[] {
  if (lines.length <= MAX_WHOLE) return [...lines]
  const shown = lines.map(
    (_, index) =>
      index < AT_START ||
      index >= lines.length - AT_END ||
      rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some((other) => other.late),
  )
  const out: string[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (!shown[index]) hidden++
    if (shown[index] || index === lines.length - 1) {
      if (hidden > 0) out.push(style.dim(`   … ${hidden} steps in which nothing is late`))
      hidden = 0
      out.push(line)
    }
  }
  return out
}

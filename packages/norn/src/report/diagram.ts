/**
 * An interleaving as a small diagram: one line a step, one column a causal chain (a task, as a
 * rule), the source line that started the step, and a mark on what was delayed.
 *
 *         ms  A B
 *       5.00  │ ●  open work.lock → EEXIST                         lockfile.js:156
 *       5.10  ◇ │  unlink work.lock is submitted                   lockfile.js:61
 *       6.22  ◆ │  unlink work.lock           delayed by 1.05 ms  lockfile.js:61
 *
 * A delayed operation has two lines, its submission and its effect: the race is between them. An
 * operation that had not taken effect when the execution ended stands at the end. Of a long
 * execution only the surroundings of delays, injected faults and the end are shown.
 */

import { type Choice, isSimplest } from '../contract/choice.ts'
import type { Frame } from '../contract/execution.ts'
import type { Subject } from '../contract/subject.ts'
import { cut, plural } from '../contract/text.ts'
import type { TraceEvent } from '../world/trace.ts'
import { faultText } from './fault.ts'
import type { Style } from './style.ts'

export interface DiagramInput {
  readonly trace: readonly TraceEvent[]
  /** Where operations were started, by the label of their step. */
  readonly origins: ReadonlyMap<string, Frame>
  /** The choices of the schedule lane: the intended delays, whether or not they took place. */
  readonly schedule?: readonly Choice[]
}

/** Steps shown at the beginning and the end, and on both sides of a delayed one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
const MAX_COLUMNS = 12
const MAX_TEXT = 64
const MAX_RESOURCE = 26
const MAX_FILE = 32

export function diagram(input: DiagramInput, style: Style): string[] {
  const delays = delaysOf(input.schedule ?? [])
  const moments = momentsOf(input.trace, delays)
  const columns = columnsOf(moments)
  const spans = spansOf(moments, columns)
  const rows = moments.map((moment, index) => row(moment, index, columns, spans, input.origins))
  const width = (part: (row: Row) => string) => Math.max(0, ...rows.map((row) => part(row).length))
  const [timeWidth, textWidth, noteWidth] = [width((r) => r.time), width((r) => r.text), width((r) => r.note)]
  const lines = rows.map(({ time, lanes, text, note, source, delayed }) => {
    const step = `${time.padStart(timeWidth)}  ${lanes}  ${text.padEnd(textWidth)}`
    const marked = delayed ? style.warning(step) : step
    const noted = noteWidth === 0 ? '' : `  ${style.warning(note.padEnd(noteWidth))}`
    return `${marked}${noted}  ${style.dim(source)}`.trimEnd()
  })
  const head = style.dim(`${'ms'.padStart(timeWidth)}  ${headOf(columns)}`.trimEnd())
  return [head, ...elide(lines, rows, style)]
}

/** The delays that choices ask for, by step and schedule point. */
type Delays = ReadonlyMap<string, { readonly subject: Subject; readonly us: number }>

function delaysOf(schedule: readonly Choice[]): Delays {
  const delays = new Map<string, { subject: Subject; us: number }>()
  for (const choice of schedule) {
    const { subject } = choice
    if (isSimplest(choice) || subject?.point === undefined) continue
    delays.set(`${subject.step} ${subject.point}`, { subject, us: Number(choice.value) })
  }
  return delays
}

/** One line of the diagram before it is laid out. */
interface Moment {
  /** The label of its step, and the causal chain of that. */
  readonly label: string
  readonly chain: string
  /** Undefined where something has not happened. */
  readonly atUs: number | undefined
  readonly mark: string
  readonly text: string
  readonly delayUs: number
  readonly hasSource: boolean
}

const MARKS: Readonly<Record<string, string>> = {
  half: '◐',
  effect: '●',
  callback: '○',
  timer: '◷',
  immediate: '▷',
  sync: '•',
  fault: '✗',
  settled: '■',
}

const ENDS: Readonly<Record<string, string>> = {
  fulfilled: 'the body is done',
  rejected: 'the body fails',
  idle: 'nothing is left to run, and the body has not settled',
  stopped: 'the execution ends here',
  steps: 'the body has not settled within its limit of steps',
}

/**
 * The events that get a line. The effect of an operation stands for its submission, unless it is
 * delayed; and for its callback, unless that is delayed or other events came in between.
 */
function momentsOf(trace: readonly TraceEvent[], delays: Delays): Moment[] {
  const moments: Moment[] = []
  const missing = new Map(delays)
  for (const [index, event] of trace.entries()) {
    const { label, chain, atUs } = event
    // The trace does not record that the loop woke late for a timer; the choice does.
    const delayUs = event.event === 'timer' ? (delays.get(`${label} timer`)?.us ?? 0) : event.delayUs
    const moment = (mark: string, text: string, delayUs = 0) =>
      moments.push({ label, chain, atUs, mark, text, delayUs, hasSource: event.event !== 'settled' })
    switch (event.event) {
      case 'start': {
        const start = delays.get(`${label} start`)
        missing.delete(`${label} start`)
        if (start !== undefined) moment('◆', 'the event loop starts', start.us)
        break
      }
      case 'submit':
        if (delays.has(`${label} effect`)) moment('◇', `${nameOf(event)} is submitted`)
        break
      case 'callback': {
        const before = trace[index - 1]
        if (delayUs > 0 || before?.event !== 'effect' || before.label !== label) {
          moment(delayUs > 0 ? '◆' : MARKS.callback!, `${nameOf(event)} calls back`, delayUs)
        }
        break
      }
      case 'settled':
        break
      case 'sync':
        if (!isFaultOf(trace[index + 1], event)) moment(MARKS.sync!, describe(event))
        break
      case 'fault':
        if (trace[index + 1]?.event !== 'effect') moment(MARKS.fault!, describe(event))
        break
      default: {
        const fault = trace[index - 1]
        if (event.event === 'effect' && fault?.event === 'fault' && fault.label === label) {
          moment(delayUs > 0 ? '◆' : MARKS.fault!, describe(fault), delayUs)
        } else moment(delayUs > 0 ? '◆' : MARKS[event.event]!, describe(event), delayUs)
      }
    }
    missing.delete(`${label} ${event.event}`)
    if (event.event === 'effect') missing.delete(`${label} tear`)
  }
  const ended = trace.at(-1)?.event === 'settled' || trace.some(({ event }) => event === 'settled')
  if (ended) moments.push(...pending(trace, missing))
  for (const event of trace) {
    if (event.event !== 'settled') continue
    const { label, chain, atUs, kind } = event
    const text = ENDS[kind] ?? `the body ends: ${kind}`
    const at = moments.findIndex((other) => other.atUs !== undefined && other.atUs > atUs)
    const settled = { label, chain, atUs, mark: MARKS.settled!, text, delayUs: 0, hasSource: false }
    moments.splice(at < 0 ? moments.length : at, 0, settled)
  }
  return moments
}

/** Delayed points that the execution did not reach. */
function pending(trace: readonly TraceEvent[], missing: Delays): Moment[] {
  const moments: Moment[] = []
  for (const { subject, us } of missing.values()) {
    const { step: label, chain, operation, point = '' } = subject
    const submitted = trace.find((event) => event.event === 'submit' && event.label === label)
    const name = submitted === undefined ? operation : nameOf(submitted)
    const what = point === 'timer' ? 'timer has not fired' : `${name} has not ${VERBS[point] ?? 'happened'}`
    // The missing effect explains the missing callback.
    if (point === 'callback' && missing.has(`${label} effect`)) continue
    moments.push({ label, chain, atUs: undefined, mark: '◆', text: `${what} yet`, delayUs: us, hasSource: true })
  }
  return moments
}

const VERBS: Readonly<Record<string, string>> = {
  effect: 'taken effect',
  tear: 'come to its end',
  callback: 'called back',
}

/** Whether the event is the fault of a synchronous operation, whose line then shows it. */
function isFaultOf(event: TraceEvent | undefined, { label, kind }: TraceEvent): boolean {
  return event?.event === 'fault' && event.label === label && event.kind === kind
}

function describe(event: TraceEvent): string {
  if (event.event === 'fault') {
    return faultText(nameOf(event), { operation: event.kind, fault: event.outcome })
  }
  if (event.event === 'timer') return 'timer fires'
  if (event.event === 'immediate') return 'immediate runs'
  if (event.event === 'stall') return 'the program is stalled'
  if (event.event === 'half') return `${nameOf(event)} is half done`
  const { outcome } = event
  return outcome === '' || outcome === 'ok' ? nameOf(event) : `${nameOf(event)} → ${outcome}`
}

function nameOf({ kind, resource }: TraceEvent): string {
  return [kind, shorten(resource)].filter((part) => part !== '').join(' ')
}

/** A column for each chain, in the order in which chains appear. */
function columnsOf(moments: readonly Moment[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const { chain } of moments) {
    if (!columns.has(chain)) columns.set(chain, Math.min(columns.size, MAX_COLUMNS - 1))
  }
  return columns
}

const columnCount = (columns: ReadonlyMap<string, number>) => Math.max(0, ...columns.values()) + 1

/** Columns have letters where there is more than one. */
function headOf(columns: ReadonlyMap<string, number>): string {
  const count = columnCount(columns)
  return count < 2 ? '' : Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index)).join(' ')
}

/** The first and last line of each column: between them it is drawn through. */
function spansOf(moments: readonly Moment[], columns: ReadonlyMap<string, number>): { first: number; last: number }[] {
  const spans: { first: number; last: number }[] = []
  for (const [index, { chain }] of moments.entries()) {
    const column = columns.get(chain)!
    spans[column] = { first: spans[column]?.first ?? index, last: index }
  }
  return spans
}

interface Row {
  readonly time: string
  readonly lanes: string
  readonly text: string
  readonly note: string
  readonly source: string
  readonly delayed: boolean
  /** Whether it and its surroundings are shown however long the diagram is. */
  readonly notable: boolean
}

function row(
  moment: Moment,
  index: number,
  columns: ReadonlyMap<string, number>,
  spans: readonly { first: number; last: number }[],
  origins: ReadonlyMap<string, Frame>,
): Row {
  const { label, chain, atUs, mark, text, delayUs } = moment
  const own = columns.get(chain)!
  const lane = (column: number) => {
    if (column === own) return mark
    const { first, last } = spans[column]!
    return first < index && index < last ? '│' : ' '
  }
  const origin = moment.hasSource ? origins.get(label) : undefined
  return {
    time: atUs === undefined ? '…' : milliseconds(atUs),
    lanes: Array.from({ length: columnCount(columns) }, (_, column) => lane(column)).join(' '),
    text: cut(text, MAX_TEXT),
    note: delayUs > 0 ? `delayed by ${delayText(delayUs)}` : '',
    source: origin === undefined ? '' : `${shortFile(origin.file)}:${origin.line}`,
    delayed: delayUs > 0,
    notable: delayUs > 0 || mark === '◇' || mark === MARKS.fault,
  }
}

/** A file of a package is named by the package; any other as it is, or by its last parts. */
function shortFile(file: string): string {
  const at = file.lastIndexOf('node_modules/')
  const short = at < 0 ? file : file.slice(at + 'node_modules/'.length)
  if (short.length <= MAX_FILE) return short
  const cut = short.indexOf('/', short.length - MAX_FILE)
  return `…${cut < 0 ? short.slice(1 - MAX_FILE) : short.slice(cut)}`
}

/** The last two parts of a path tell enough; of long ones the beginning and the end. */
function shorten(path: string): string {
  const short = path.split('/').slice(-2).join('/')
  if (short.length <= MAX_RESOURCE) return short
  const half = Math.floor(MAX_RESOURCE / 2)
  return `${short.slice(0, half)}…${short.slice(1 - half)}`
}

export function milliseconds(us: number): string {
  return (us / 1000).toFixed(2)
}

/** A delay, in a unit in which it does not read as zero. */
function delayText(us: number): string {
  return us < 10 ? `${us} µs` : `${milliseconds(us)} ms`
}

/** Leaves out the middle of long diagrams, except around delays and faults. */
function elide(lines: readonly string[], rows: readonly Row[], style: Style): string[] {
  if (lines.length <= MAX_WHOLE) return [...lines]
  const shown = lines.map(
    (_, index) =>
      index < AT_START ||
      index >= lines.length - AT_END ||
      rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some((other) => other.notable),
  )
  const out: string[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (!shown[index]) {
      hidden++
      continue
    }
    if (hidden > 0) out.push(style.dim(`   … ${plural(hidden, 'step')} without a delay`))
    hidden = 0
    out.push(line)
  }
  return out
}

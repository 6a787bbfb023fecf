/**
 * An execution of a cluster as a self-contained SVG: a line of life for each node, time downwards,
 * and for each message an arrow from where it was sent to where it was handled, so that messages
 * that overtake each other cross. Beside it in words what happened; on hovering, the entries of the
 * log as JSON.
 *
 * Invariants: same log, same bytes; no script and nothing from elsewhere; text of the program never
 * becomes markup; the size is bounded whatever the log, as of long ones only what select
 * (space-time-rows.ts) chooses is drawn. Colours follow the reader's preference for light or dark.
 */
import { entryJson, type LogEntry } from '../cluster/log.ts'
import type { NodeId } from '../cluster/system.ts'
import { cut } from '../contract/text.ts'
import { dataText } from './data-text.ts'
import {
  busiest,
  type Room,
  type Row,
  rowsOf,
  type Shown,
  type SpaceTime,
  select,
  trackDown,
  underWay,
} from './space-time-rows.ts'
import { LEGEND_WIDTH, legendOf, MAX_HEAD, svgPage } from './space-time-svg-style.ts'
import { foldText, groupsOf, nameText, rowText, underWayText } from './space-time-text.ts'
import { milliseconds } from './step-text.ts'
import { xmlText } from './xml-text.ts'

/**
 * Rows drawn at most, but for departures that need more; of a log that fits, all but runs that look
 * alike.
 */
const MAX_ROWS = 400
const ROOM: Room = { whole: MAX_ROWS, most: MAX_ROWS }
const MAX_COLUMNS = 24

/** Characters. */
const MAX_WORDS = 96
const MAX_TITLE_LINE = 400
const MAX_TITLE_LINES = 10
const MAX_NAME = 16

/** Pixels. */
const ROW = 24
const TOP = 84
const LEFT = 132
const COLUMN = { min: 44, max: 130 } as const
const LANES = 900
const CHARACTER = 7.3
const MARGIN = 28

/** The names of the nodes stand beside their lines again after so many rows. */
const NAMES_EVERY = 30

export interface SpaceTimePicture extends SpaceTime {
  /** What it is a picture of: the property's name. */
  readonly title: string
}

export function spaceTimeSvg(input: SpaceTimePicture): string {
  return new Picture(input).text()
}

class Picture {
  readonly #input: SpaceTimePicture
  readonly #shown: readonly Shown[]
  readonly #columns = new Map<NodeId, number>()
  readonly #names: readonly string[]
  readonly #step: number
  readonly #down = new Set<NodeId>()
  /** Since which height each column's line of life is drawn; undefined while the node is down. */
  readonly #aliveSince: (number | undefined)[]
  readonly #behind: string[] = []
  readonly #between: string[] = []
  readonly #lines: string[] = []
  readonly #arrows: string[] = []
  readonly #marks: string[] = []
  #isCalm = false
  /** Characters of the longest words beside a row. */
  #longest = 0
  readonly #time: (us: number) => string
  readonly #first: number
  /** Where each message was sent. */
  readonly #sent = new Map<number, { readonly x: number; readonly y: number }>()

  constructor(input: SpaceTimePicture) {
    this.#input = input
    this.#shown = select(rowsOf(input), ROOM)
    const { nodes } = input
    const own = nodes.length <= MAX_COLUMNS ? nodes : busiest(nodes, this.#shown, MAX_COLUMNS - 1)
    for (const [index, node] of own.entries()) this.#columns.set(node, index)
    this.#names = [...own.map(nameText), ...(own.length < nodes.length ? [`${nodes.length - own.length} others`] : [])]
    this.#aliveSince = this.#names.map(() => TOP)
    this.#first = LEFT + Math.max(MARGIN, (Math.min(this.#names[0]?.length ?? 0, MAX_NAME) * CHARACTER) / 2 + 12)
    const isWhole = input.log.every(({ atUs }) => atUs % 1000 === 0)
    this.#time = (us) => (isWhole ? String(us / 1000) : milliseconds(us))
    const longest = Math.max(0, ...this.#names.map((name) => name.length))
    const wanted = Math.min(COLUMN.max, Math.max(96, longest * CHARACTER + 16))
    this.#step = Math.max(COLUMN.min, Math.min(wanted, Math.floor(LANES / Math.max(1, this.#names.length))))
  }

  text(): string {
    for (const [index, shown] of this.#shown.entries()) this.#draw(shown, index)
    const end = this.#y(this.#shown.length)
    for (const [column, since] of this.#aliveSince.entries()) if (since !== undefined) this.#life(column, since, end)
    this.#underWay(end)
    const { title, failure } = this.#input
    const legend = end + 54
    const notes = [
      ...(failure === undefined ? [] : [words(this.#right, end + 4, `✗ ${failure}`, 'bad', MAX_WORDS)]),
      words(LEFT, end + 30, underWayText(underWay(this.#input.log), MAX_HEAD) ?? '', 'dim', MAX_HEAD),
    ]
    const width = Math.ceil(Math.max(LEGEND_WIDTH, this.#right + this.#longest * CHARACTER + MARGIN))
    const height = legend + 44
    return svgPage(width, height, title, [
      words(MARGIN, 30, title, 'title', MAX_HEAD),
      ...(failure === undefined ? [] : [words(MARGIN, 50, failure, 'bad', MAX_HEAD)]),
      ...this.#behind,
      ...this.#heads(),
      ...this.#lines,
      ...this.#between,
      ...this.#arrows,
      ...this.#marks,
      ...notes,
      ...legendOf(MARGIN, legend),
    ])
  }

  get #right(): number {
    return this.#x(this.#names.length - 1) + 52
  }

  #x(column: number): number {
    return this.#first + column * this.#step
  }

  #xOf(node: NodeId): number {
    return this.#x(this.#columns.get(node) ?? this.#names.length - 1)
  }

  /** The middle of a row. */
  #y(index: number): number {
    return TOP + ROW * (index + 1)
  }

  #heads(): string[] {
    const room = Math.floor((this.#step - 6) / CHARACTER)
    return [
      words(LEFT - 66, TOP - 6, 'step', 'dim right'),
      words(LEFT - 4, TOP - 6, 'ms', 'dim right'),
      ...this.#names.map((name, column) => {
        const text = words(this.#x(column), TOP - 6, cut(name, Math.max(3, room)), 'name middle')
        return `<g><title>${xmlText(name)}</title>${text}</g>`
      }),
    ]
  }

  #draw(shown: Shown, index: number): void {
    const y = this.#y(index)
    if (index > 0 && index % NAMES_EVERY === 0) {
      const room = Math.floor((this.#step - 8) / 6)
      for (const [column, name] of this.#names.entries()) {
        const isLast = column === this.#names.length - 1
        const text = cut(name, isLast ? 7 : Math.max(2, room))
        this.#between.push(words(this.#x(column) + 4, y - 9, text, 'again'))
      }
    }
    if ('folded' in shown) {
      this.#fold(shown.folded, y)
      return
    }
    const { row } = shown
    const { entry, answer, departs } = row
    const isLast = this.#input.failure !== undefined && index === this.#shown.length - 1
    const emphasis = isLast ? 'bad' : departs ? 'departs' : ''
    const said = cut(rowText(row, MAX_WORDS).join('  '), MAX_WORDS)
    this.#longest = Math.max(this.#longest, said.length)
    // In the calm there are no scheduled steps.
    if (entry.kind === 'calm') this.#isCalm = true
    const before = this.#shown[index - 1]
    const isNewStep = before === undefined || 'folded' in before || before.row.entry.step !== entry.step
    this.#behind.push(
      [
        `<g><title>${titleOf([entry, ...answer])}</title><rect class="band ${emphasis}" y="${y - ROW / 2}" width="100%" height="${ROW}"/>`,
        ...(departs ? [words(MARGIN - 8, y + 4, '◆', 'late')] : []),
        ...(entry.step >= 0 && isNewStep && !this.#isCalm
          ? [words(LEFT - 66, y + 4, String(entry.step), 'dim right')]
          : []),
        words(LEFT - 4, y + 4, this.#time(entry.atUs), 'dim right'),
        words(this.#right, y + 4, said, emphasis),
        '</g>',
      ].join(''),
    )
    this.#mark(row, y)
    for (const { kind, id } of answer) if (kind === 'send') this.#sent.set(id, { x: this.#xOf(entry.node), y })
    if (entry.kind === 'send') this.#sent.set(entry.id, { x: this.#xOf(entry.node), y })
  }

  #fold(rows: readonly Row[], y: number): void {
    for (const row of rows) {
      this.#follow(row, y)
      for (const { kind, id, node } of [row.entry, ...row.answer]) {
        if (kind === 'send') this.#sent.set(id, { x: this.#xOf(node), y })
      }
    }
    const x = this.#x(this.#names.length - 1) + 14
    this.#between.push(
      `<path class="fold" d="M${this.#x(0) - 14} ${y}H${round(x)}"/>`,
      words(this.#right, y + 4, foldText(rows, MAX_WORDS), 'dim', MAX_WORDS),
    )
  }

  /** Draws the line of life up to a crash, and begins a new one at a restart. */
  #follow(row: Row, y: number): void {
    const { kind, node } = row.entry
    trackDown(this.#down, row)
    const column = this.#columns.get(node)
    if (column === undefined) return
    const since = this.#aliveSince[column]
    if (kind === 'crash' && since !== undefined) {
      this.#life(column, since, y)
      this.#aliveSince[column] = undefined
    }
    if ((kind === 'restart' || kind === 'start') && since === undefined) this.#aliveSince[column] = y
  }

  #life(column: number, from: number, to: number): void {
    this.#lines.push(`<path class="life" d="M${round(this.#x(column))} ${from}V${to}"/>`)
  }

  #mark(row: Row, y: number): void {
    const { entry, departs } = row
    const { kind, node } = entry
    const x = this.#xOf(node)
    const late = departs ? ' late' : ''
    this.#follow(row, y)
    switch (kind) {
      case 'deliver':
        this.#arrow(entry, x, y, `arrow${late}`, departs ? 'head-late' : 'head')
        this.#marks.push(`<circle class="dot${late}" cx="${round(x)}" cy="${y}" r="3.5"/>`)
        break
      case 'lost':
        this.#arrow(entry, x, y, 'arrow lost', 'cross')
        break
      case 'duplicate':
        this.#arrow(entry, x, y, 'arrow twice', 'plus')
        break
      case 'crash':
        this.#marks.push(`<path class="bar" d="M${round(x - 12)} ${y}h24"/>`)
        break
      case 'restart':
        this.#marks.push(`<path class="bar up" d="M${round(x - 12)} ${y}h24"/>`)
        break
      case 'timeout':
        this.#marks.push(
          `<g class="timer${late}"><circle cx="${round(x)}" cy="${y}" r="6"/><path d="M${round(x)} ${y - 4}v4h3"/></g>`,
        )
        break
      case 'request':
        this.#marks.push(`<path class="request${late}" d="M${round(x)} ${y - 7}l7 7l-7 7l-7 -7z"/>`)
        break
      case 'partition':
      case 'heal':
      case 'calm':
        this.#rule(entry, y)
        break
      default:
        this.#marks.push(`<circle class="dot" cx="${round(x)}" cy="${y}" r="3.5"/>`)
    }
  }

  /** From where a message was sent; what does not arrive ends before the receiver's line. */
  #arrow(entry: LogEntry, x: number, y: number, style: string, end: 'head' | 'head-late' | 'cross' | 'plus'): void {
    const { id, peer } = entry
    // Sent before the log, or by hand: from the same height.
    const from = this.#sent.get(id) ?? { x: this.#xOf(peer), y }
    const isOwn = from.x === x
    const [dx, dy] = [x - from.x, y - from.y]
    const short = end === 'cross' || end === 'plus' ? 14 : 4
    const part = 1 - short / Math.max(short, Math.hypot(dx, dy))
    const bulge = Math.min(this.#step * 0.5, 20 + dy / 8)
    const path = isOwn
      ? `M${round(x)} ${from.y}c${round(bulge)} 6 ${round(bulge)} ${round(dy)} ${short} ${round(dy)}`
      : `M${round(from.x)} ${from.y}l${round(dx * part)} ${round(dy * part)}`
    this.#arrows.push(
      `<g><title>${titleOf([entry])}</title><path class="reach" d="${path}"/><path class="${style}" d="${path}" marker-end="url(#${end})"/></g>`,
    )
  }

  /** A rule across; that of a partition bears the number of each node's group. */
  #rule({ kind, data }: LogEntry, y: number): void {
    const [first, last] = [this.#x(0) - 18, this.#x(this.#names.length - 1) + 18]
    this.#marks.push(`<path class="rule ${kind}" d="M${first} ${y}H${round(last)}"/>`)
    if (kind !== 'partition') return
    for (const [index, group] of groupsOf(data).entries()) {
      for (const node of group) {
        if (!this.#columns.has(node)) continue
        const x = round(this.#xOf(node))
        const number = words(Number(x), y + 4, (index + 1).toString(36), 'group middle')
        this.#marks.push(`<circle class="badge" cx="${x}" cy="${y}" r="8"/>${number}`)
      }
    }
  }

  /** Messages that were neither handled nor lost leave their sender and get nowhere. */
  #underWay(end: number): void {
    for (const entry of underWay(this.#input.log).slice(-MAX_ROWS)) {
      const from = this.#sent.get(entry.id)
      if (from === undefined) continue
      const way = Math.sign(this.#xOf(entry.peer) - from.x)
      const [dx, dy] = [way === 0 ? 16 : way * this.#step * 0.4, Math.min(ROW * 0.7, end - from.y)]
      this.#arrows.push(
        `<g><title>${titleOf([entry])}</title><path class="arrow open" d="M${round(from.x)} ${from.y}l${round(dx)} ${round(dy)}"/></g>`,
      )
    }
  }
}

function words(x: number, y: number, text: string, style: string, room = Number.MAX_SAFE_INTEGER): string {
  return `<text class="${style}" x="${round(x)}" y="${round(y)}">${xmlText(cut(text, room))}</text>`
}

/** Entries as JSON, one a line, the long ones cut. */
function titleOf(entries: readonly LogEntry[]): string {
  const lines = entries.slice(0, MAX_TITLE_LINES).map((entry) => xmlText(cut(jsonOf(entry), MAX_TITLE_LINE)))
  const more = entries.length - lines.length
  return [...lines, ...(more > 0 ? [`… ${more} more`] : [])].join('\n')
}

/** Data that JSON cannot write is still told. */
function jsonOf(entry: LogEntry): string {
  try {
    return entryJson(entry)
  } catch {
    return entryJson({ ...entry, data: dataText(entry.data, MAX_TITLE_LINE) })
  }
}

/** Coordinates to a tenth of a pixel: short, and the same everywhere. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}

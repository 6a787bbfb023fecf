/** The execution of a cluster as rows of a report page: one for each event of a node or the network. */
import type { LogEntry } from '../../cluster/log.ts'
import type { ClusterRecord } from '../../contract/cluster-record.ts'
import { type ExecutionResult, placesOf } from '../../contract/execution.ts'
import { dataText } from '../data-text.ts'
import { printableLine } from '../printable.ts'
import { type Row as LogRow, rowsOf, select, spaceTimeOf } from '../space-time-rows.ts'
import { nameText, rowText } from '../space-time-text.ts'
import { milliseconds } from '../step-text.ts'
import { BoundedRows } from './bounded-rows.ts'
import type { Change, Row } from './data.ts'
import type { Drawn } from './program-execution.ts'
import type { SourceTexts } from './source-texts.ts'

/** The groups of state; those of the nodes follow, in their order. */
const GROUPS = [
  { title: 'Messages in flight', isNamed: true },
  { title: 'Requests without a reply', isNamed: true },
] as const
const [IN_FLIGHT, REQUESTS, NODES] = [0, 1, 2] as const

/** The entry of a node that is down; its state is gone. */
const DOWN = '┻'

/** Characters of a line of a step, and of a value of the state. */
const MAX_TEXT = 600
const MAX_VALUE = 1500

/** Rows up to which nothing is routine, and those that are shown of more. */
const ROOM = { whole: 120, most: 120 } as const

const MARKS: Readonly<Partial<Record<LogEntry['kind'], string>>> = {
  deliver: '',
  lost: '✗',
  duplicate: '+',
  timeout: '◷',
  request: '◇',
  crash: '┻',
  restart: '┳',
  start: '┳',
  partition: '═',
  heal: '═',
  calm: '╌',
}

export function clusterExecution(
  record: ClusterRecord,
  { failure }: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Drawn {
  const { nodes, log, departures } = spaceTimeOf(record, failure)
  const logRows = rowsOf({ log, departures })
  const told = new Set(
    logRows.length <= ROOM.whole
      ? logRows
      : select(logRows, ROOM).flatMap((shown) => ('row' in shown ? [shown.row] : [])),
  )
  const laneOf = new Map(nodes.map((node, lane) => [node, lane]))
  const sent = new Map<number, number>()
  const rowOfEntry = new Map(
    logRows.flatMap(({ entry, answer }, row) => [entry, ...answer].map((each) => [each, row] as const)),
  )
  const changes = new Changes(laneOf)
  const states = new States(record)
  const isWhole = log.every(({ atUs }) => atUs % 1000 === 0)
  const time = (us: number) => (isWhole ? String(us / 1000) : milliseconds(us))
  let isCalm = false
  const rows = logRows.map((logRow, index): Row => {
    const { entry, answer, departs } = logRow
    for (const { kind, id } of [entry, ...answer]) if (kind === 'send') sent.set(id, index)
    if (entry.kind === 'calm') isCalm = true
    const isMessage = entry.kind === 'deliver' || entry.kind === 'lost' || entry.kind === 'duplicate'
    const [text = '', ...more] = rowText(logRow, MAX_TEXT)
    const lane = laneOf.get(entry.node)
    const from = isMessage ? laneOf.get(entry.peer) : undefined
    const at = isMessage ? sent.get(entry.id) : undefined
    const changed = [...changes.of(logRow), ...states.before(logRows[index + 1]?.entry)]
    return {
      at: time(entry.atUs),
      // In the fault-free phase there are no scheduled steps.
      ...(entry.step < 0 || isCalm ? {} : { step: entry.step }),
      ...(lane === undefined ? {} : { lane }),
      ...(from === undefined ? {} : { from, ...(at === undefined || at === index ? {} : { sent: at }) }),
      mark: MARKS[entry.kind] ?? '●',
      text,
      ...(more.length === 0 ? {} : { more }),
      ...(departs ? { departs: true } : {}),
      ...(told.has(logRow) ? {} : { routine: true }),
      ...(changed.length === 0 ? {} : { changes: changed }),
    }
  })
  if (failure !== undefined) {
    const places = placesOf(failure).map((frame) => sources.placeOf(frame))
    rows.push({ mark: '✗', text: headline, places, isFailure: true })
  }
  const bounded = new BoundedRows(rows)
  const execution = {
    columns: 'nodes',
    lanes: nodes.map((node) => ({ party: nameText(node) })),
    rows: bounded.rows,
    leftOut: bounded.leftOut,
    groups: [...GROUPS, ...nodes.map((node) => ({ title: nameText(node), isNamed: true }))],
  } as const
  const rowOf = (from: number) => {
    const entry = record.log.slice(from).find((each) => rowOfEntry.has(each))
    return bounded.rowOf(entry === undefined ? rows.length - 1 : rowOfEntry.get(entry)!)
  }
  return { execution, rowOf }
}

/** What each row changes: who is down, which messages are in flight, which requests wait. */
class Changes {
  readonly #copies = new Map<number, number>()
  readonly #laneOf: ReadonlyMap<string, number>

  constructor(laneOf: ReadonlyMap<string, number>) {
    this.#laneOf = laneOf
  }

  of({ entry, answer }: LogRow): Change[] {
    return [entry, ...answer].flatMap((each) => this.#entry(each))
  }

  #entry(entry: LogEntry): Change[] {
    const { kind, node, peer, id, data } = entry
    switch (kind) {
      case 'send':
        return [this.#message(id, 1, `${nameText(node)} → ${nameText(peer)}  ${dataText(data, MAX_VALUE)}`)]
      case 'duplicate':
        return [this.#message(id, 1, `${nameText(peer)} → ${nameText(node)}  ${dataText(data, MAX_VALUE)}`)]
      case 'deliver':
      case 'lost':
        return [this.#message(id, -1, `${nameText(peer)} → ${nameText(node)}  ${dataText(data, MAX_VALUE)}`)]
      case 'request':
        return [[REQUESTS, `request ${id}`, `${nameText(node)}  ${dataText(data, MAX_VALUE)}`]]
      case 'reply':
        return [[REQUESTS, `request ${id}`]]
      case 'crash':
        return [[NODES + this.#laneOf.get(node)!, DOWN, 'down']]
      case 'restart':
        return [[NODES + this.#laneOf.get(node)!, DOWN]]
      default:
        return []
    }
  }

  #message(id: number, by: 1 | -1, text: string): Change {
    const copies = (this.#copies.get(id) ?? 0) + by
    this.#copies.set(id, copies)
    const name = `#${id}`
    if (copies <= 0) return [IN_FLIGHT, name]
    return [IN_FLIGHT, name, copies === 1 ? text : `${text}  (${copies} copies)`]
  }
}

/** What the nodes' states were seen to change to, in the order of the log. */
class States {
  readonly #record: ClusterRecord
  readonly #indices: ReadonlyMap<LogEntry, number>
  #next = 0

  constructor(record: ClusterRecord) {
    this.#record = record
    this.#indices = new Map(record.log.map((entry, index) => [entry, index]))
  }

  /** The changes up to an entry, which is not among them; all others without one. */
  before(entry: LogEntry | undefined): Change[] {
    const { states = [] } = this.#record
    const end = entry === undefined ? Number.POSITIVE_INFINITY : this.#indices.get(entry)!
    const changes: Change[] = []
    for (; this.#next < states.length && states[this.#next]![0] <= end; this.#next++) {
      const [, node, field, value] = states[this.#next]!
      const name = printableLine(field)
      const group = NODES + node
      changes.push(value === undefined ? [group, name] : [group, name, printableLine(value)])
    }
    return changes
  }
}

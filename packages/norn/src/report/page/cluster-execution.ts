/** The execution of a cluster as rows of a report page: one for each event of a node or the network. */
import type { LogEntry } from '../../cluster/log.ts'
import type { ClusterRecord } from '../../contract/cluster-record.ts'
import { type ExecutionResult, placesOf } from '../../contract/execution.ts'
import { cut } from '../../contract/text.ts'
import { dataText } from '../data-text.ts'
import { type Row as LogRow, rowsOf, select, spaceTimeOf } from '../space-time-rows.ts'
import { nameText, rowText } from '../space-time-text.ts'
import { milliseconds } from '../step-text.ts'
import { BoundedRows } from './bounded-rows.ts'
import type { Change, Row } from './data.ts'
import type { Drawn } from './program-execution.ts'
import type { SourceTexts } from './source-texts.ts'

const GROUPS = ['Nodes', 'Messages in flight', 'Requests without a reply'] as const
const [NODES, IN_FLIGHT, REQUESTS] = [0, 1, 2] as const

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
  const told = new Set(select(logRows, ROOM).flatMap((shown) => ('row' in shown ? [shown.row] : [])))
  const laneOf = new Map(nodes.map((node, lane) => [node, lane]))
  const sent = new Map<number, number>()
  const changes = new Changes()
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
    const changed = changes.of(logRow)
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
    groups: GROUPS,
  } as const
  return { execution, rowOf: (row) => bounded.rowOf(row) }
}

/** What each row changes: who is down, which messages are in flight, which requests wait. */
class Changes {
  readonly #copies = new Map<number, number>()

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
        return [[NODES, cut(node, MAX_TEXT), 'down']]
      case 'start':
      case 'restart':
        return [[NODES, cut(node, MAX_TEXT), 'up']]
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

/** The execution of a cluster as rows of a report page: one for each event of a node or the network. */
import type { LogEntry } from '../../cluster/log.ts'
import type { ClusterRecord } from '../../contract/cluster-record.ts'
import { type ExecutionResult, placesOf } from '../../contract/execution.ts'
import { dataText } from '../data-text.ts'
import { rowsShown, shownOf } from '../diagram/diagram.ts'
import { nameText } from '../diagram/entry-text.ts'
import { spaceTime } from '../diagram/space-time.ts'
import { printableLine } from '../printable.ts'
import { BoundedRows } from './bounded-rows.ts'
import type { Change, Step } from './data.ts'
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

/** Characters of a value of the state. */
const MAX_VALUE = 1500

/** Rows up to which nothing is routine, and those that are shown of more. */
const ROOM = { whole: 120, most: 120 } as const

export function clusterExecution(
  record: ClusterRecord,
  { failure }: Pick<ExecutionResult, 'failure'>,
  headline: string,
  sources: SourceTexts,
): Drawn {
  const { log, quiet = [] } = record
  const diagram = spaceTime(record, failure, { room: ROOM })
  const { columns, parties, lanes, rows } = diagram
  const shown = new Set(rowsShown(shownOf(rows.length, diagram.folds)))
  const changes = new Changes(record)
  const steps = rows.map((row, at): Step => {
    const isFolded = rows.length > ROOM.whole && !shown.has(at)
    const changed = changes.upTo(rows[at + 1]?.index ?? log.length)
    return { ...row, ...(isFolded ? { routine: true } : {}), ...(changed.length === 0 ? {} : { changes: changed }) }
  })
  if (failure !== undefined) {
    const places = placesOf(failure).map((frame) => sources.placeOf(frame))
    steps.push({ mark: 'failure', text: headline, places, isFailure: true })
  }
  const bounded = new BoundedRows(steps)
  const groups = [...GROUPS, ...parties.map((title) => ({ title, isNamed: true }))]
  const rowOf = (from: number) => {
    const at = log.findIndex(({ kind, name }, index) => index >= from && !(kind === 'event' && quiet.includes(name)))
    return bounded.rowOf(at < 0 ? steps.length - 1 : rows.findLastIndex(({ index = 0 }) => index <= at))
  }
  const { leftOut } = bounded
  return { execution: { columns, parties, lanes, rows: bounded.rows, leftOut, groups }, rowOf }
}

/** What each row changes: who is down, which messages are in flight, which requests wait, what nodes hold. */
class Changes {
  readonly #record: ClusterRecord
  readonly #laneOf: ReadonlyMap<string, number>
  readonly #copies = new Map<number, number>()
  #entry = 0
  #state = 0

  constructor(record: ClusterRecord) {
    this.#record = record
    this.#laneOf = new Map(record.nodes.map((node, lane) => [node, lane]))
  }

  /** The changes of the entries up to one, which is not among them. */
  upTo(end: number): Change[] {
    const { log, states = [] } = this.#record
    const entries = log.slice(this.#entry, end)
    this.#entry = end
    const changes = entries.flatMap((entry) => this.#of(entry))
    // The state after the last entry is that of the end.
    const last = end === log.length ? Number.POSITIVE_INFINITY : end
    for (; this.#state < states.length && states[this.#state]![0] <= last; this.#state++) {
      const [, node, field, value] = states[this.#state]!
      const [group, name] = [NODES + node, printableLine(field)]
      changes.push(value === undefined ? [group, name] : [group, name, printableLine(value)])
    }
    return changes
  }

  #of(entry: LogEntry): Change[] {
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

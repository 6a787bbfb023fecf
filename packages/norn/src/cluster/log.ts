/**
 * The event log of one execution, from which checks, models, diagrams and traces are made.
 *
 * All kinds have one shape, because entries are made often; fields that a kind does not use are
 * empty. JSON (`entryJson`) omits empty fields.
 */
import type { LogEntry } from '../contract/cluster-record.ts'

export type { EntryKind, LogEntry } from '../contract/cluster-record.ts'

/** An entry as JSON, without its empty fields. By hand: a guarded execution writes its whole log twice. */
export function entryJson({ kind, step, atUs, node, peer, name, id, data }: LogEntry): string {
  const content = data === undefined ? undefined : JSON.stringify(data)
  return `{"kind":"${kind}","step":${step},"atUs":${atUs}${
    node === '' ? '' : `,"node":${JSON.stringify(node)}`
  }${peer === '' ? '' : `,"peer":${JSON.stringify(peer)}`}${name === '' ? '' : `,"name":${JSON.stringify(name)}`}${
    id < 0 ? '' : `,"id":${id}`
  }${content === undefined ? '' : `,"data":${content}`}}`
}

/**
 * The log as JSON lines, byte for byte the same for the same tape.
 *
 * @public
 */
export function logText(log: readonly LogEntry[]): string {
  return log.map((entry) => `${entryJson(entry)}\n`).join('')
}

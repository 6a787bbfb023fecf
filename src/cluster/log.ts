/**
 * The event log of one execution: what happened, in order. Checks, models, diagrams and traces are made from it.
 *
 * One shape for all kinds, so that making an entry costs next to nothing; what a kind does not use is empty. In JSON
 * (`entryJson`) what is empty is left out: that form is what mappers to models and other tools read.
 */
import type { Data, NodeId } from './system.ts'

export type EntryKind =
  /** A node begins. */
  | 'start'
  /** `node` sent message `id` to `peer`. */
  | 'send'
  /** `node` handles message `id` from `peer`. */
  | 'deliver'
  /** Message `id` from `peer` never reaches `node`; `name` says why: `drop`, `down`, `partition`. */
  | 'lost'
  /** Message `id` from `peer` to `node` is in the network once more. */
  | 'duplicate'
  /** A timer of `node`, called `name`, runs out. */
  | 'timeout'
  /** A client's request `id` reaches `node`. */
  | 'request'
  /** `node` answers request `id`. */
  | 'reply'
  /** `node` says that `name` happened. */
  | 'event'
  | 'crash'
  | 'restart'
  /** The network parts: `data` is the list of groups of nodes. */
  | 'partition'
  | 'heal'
  /** From here on the network is reliable, nothing fails, and everything comes in the order of time. */
  | 'calm'

export interface LogEntry {
  readonly kind: EntryKind
  /** The scheduled step during which it happened, counted from 0; -1 before the first. */
  readonly step: number
  /** Virtual time, in microseconds since the execution began. */
  readonly atUs: number
  readonly node: NodeId
  readonly peer: NodeId
  readonly name: string
  /** Of a message or a request, counted from 0 each; -1 for none. */
  readonly id: number
  readonly data: Data
}

/** An entry as JSON: what is empty is left out. */
export function entryJson({ kind, step, atUs, node, peer, name, id, data }: LogEntry): string {
  return JSON.stringify({
    kind,
    step,
    atUs,
    ...(node === '' ? {} : { node }),
    ...(peer === '' ? {} : { peer }),
    ...(name === '' ? {} : { name }),
    ...(id < 0 ? {} : { id }),
    ...(data === undefined ? {} : { data }),
  })
}

/** The log as JSON lines: the standard form, byte for byte the same for the same tape. */
export function logText(log: readonly LogEntry[]): string {
  return log.map((entry) => `${entryJson(entry)}\n`).join('')
}

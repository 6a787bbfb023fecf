/** The record of a cluster's execution for reports. Plain data. */
import type { KeyFramesData } from './key-frames.ts'

export type EntryKind =
  /** `node` starts. */
  | 'start'
  /** `node` sent message `id` to `peer`. */
  | 'send'
  /** `node` handles message `id` from `peer`. */
  | 'deliver'
  /** Message `id` from `peer` never reaches `node`; `name` is `drop`, `down` or `partition`. */
  | 'lost'
  /** The network duplicates message `id` from `peer` to `node`. */
  | 'duplicate'
  /** Timer `name` of `node` fires. */
  | 'timeout'
  /** A client's request `id` reaches `node`. */
  | 'request'
  /** `node` answers request `id`. */
  | 'reply'
  /** `node` reports event `name`. */
  | 'event'
  | 'crash'
  | 'restart'
  /** The network is partitioned: `data` is the list of groups of nodes. */
  | 'partition'
  | 'heal'
  /** The fault-free phase starts: a reliable network, no faults, events in the order of time. */
  | 'calm'

/**
 * One event of a cluster. All kinds have one shape; fields that a kind does not use are empty.
 *
 * @public
 */
export interface LogEntry {
  readonly kind: EntryKind
  /** The scheduled step in which it happened, counted from 0; -1 before the first. */
  readonly step: number
  /** Virtual time, in microseconds since the execution began. */
  readonly atUs: number
  readonly node: string
  readonly peer: string
  readonly name: string
  /** The number of the message, or of the request, from 0; -1 for neither. */
  readonly id: number
  readonly data: unknown
}

/**
 * A field of the visible state of a node: the number of log entries by then, the index of the node, the
 * name of the field, and its value as a text; no value if the node no longer has the field.
 */
export type StateChange = readonly [at: number, node: number, field: string, value?: string]

export interface ClusterRecord {
  readonly nodes: readonly string[]
  readonly log: readonly LogEntry[]
  /** The scheduled steps other than the simplest, as text. */
  readonly steps: readonly (readonly [ordinal: number, text: string])[]
  /** The indices of the fixed requests that are left out; missing if the requests are generated. */
  readonly leftOut?: readonly number[]
  /** Names of events that diagrams leave out. */
  readonly quiet?: readonly string[]
  /** Key frames that the execution passes; only where requested. */
  readonly proposed?: KeyFramesData['frames']
  /** How the states of the nodes changed; only where the execution is explained. */
  readonly states?: readonly StateChange[]
}

/** The number of steps other than the simplest that were skipped, as they were not possible. */
export function passedOver(record: ClusterRecord | undefined): number {
  const marked = new Set(record?.log.map(({ step }) => step))
  return record?.steps.filter(([ordinal]) => !marked.has(ordinal)).length ?? 0
}

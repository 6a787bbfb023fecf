/**
 * What a cluster's execution leaves for a person to read: plain data, made by `cluster/` and drawn
 * by `report/`.
 */
import type { KeyFramesData } from './key-frames.ts'

export type EntryKind =
  /** A node begins. */
  | 'start'
  /** `node` sent message `id` to `peer`. */
  | 'send'
  /** `node` handles message `id` from `peer`. */
  | 'deliver'
  /**
   * Message `id` from `peer` never reaches `node`; `name` says why: `drop`, `down`, `partition`.
   */
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
  /**
   * From here on the network is reliable, nothing fails, and everything comes in the order of time.
   */
  | 'calm'

/** One thing that happened. One shape for all kinds; what a kind does not use is empty. */
export interface LogEntry {
  readonly kind: EntryKind
  /** The scheduled step during which it happened, counted from 0; -1 before the first. */
  readonly step: number
  /** Virtual time, in microseconds since the execution began. */
  readonly atUs: number
  readonly node: string
  readonly peer: string
  readonly name: string
  /** Of a message or a request, counted from 0 each; -1 for none. */
  readonly id: number
  readonly data: unknown
}

export interface ClusterRecord {
  readonly nodes: readonly string[]
  readonly log: readonly LogEntry[]
  /** The scheduled steps that are not natural, in words, by their ordinal. */
  readonly steps: readonly (readonly [ordinal: number, text: string])[]
  /** Key frames that the execution passes; only where they were asked for. */
  readonly proposed?: KeyFramesData['frames']
}

/**
 * How many of its steps that are not natural were not possible when they came, and left no mark.
 */
export function passedOver({ steps, log }: ClusterRecord): number {
  const marked = new Set(log.map(({ step }) => step))
  return steps.filter(([ordinal]) => !marked.has(ordinal)).length
}

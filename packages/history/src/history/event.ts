/**
 * An event of a log: a process calls an operation, or learns how it ended.
 *
 * @public
 */
export interface HistoryEvent {
  /** Jepsen's types: `info` says that the outcome is unknown. */
  readonly type: 'invoke' | 'ok' | 'fail' | 'info'
  readonly process: number | string
  /** The name of the operation: `read`, `txn`. */
  readonly f: string
  /** The independent object that it works on, if there are several. */
  readonly key?: unknown
  readonly value: unknown
  /** The line of the log, from 1. */
  readonly line?: number
}

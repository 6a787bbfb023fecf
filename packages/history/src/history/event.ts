/** An event of a log: a process calls an operation, or learns how it ended. */
export interface HistoryEvent {
  /** Jepsen's types: `info` says that the outcome is unknown. */
  readonly type: 'invoke' | 'ok' | 'fail' | 'info'
  readonly process: number | string
  /** The name of the operation: `read`, `txn`. */
  readonly f: string
  readonly value: unknown
  /** The line of the log, from 1. */
  readonly line?: number
}

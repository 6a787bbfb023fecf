/** norn-history: checks histories of concurrent systems. Runs in Node and in browsers. */
export type { HistoryEvent } from './history/event.ts'
export { HistoryBuilder, type Reading } from './history/history-builder.ts'
export { HistoryError } from './history/history-error.ts'
export type { History, Operation, Outcome } from './history/operation.ts'
export { type ObjectModel, States } from './models/model.ts'

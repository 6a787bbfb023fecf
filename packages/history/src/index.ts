/** norn-history: checks histories of concurrent systems. Runs in Node and in browsers. */
export type { HistoryEvent } from './history/event.ts'
export { HistoryBuilder, type Reading } from './history/history-builder.ts'
export { HistoryError } from './history/history-error.ts'
export { historyLines } from './history/history-lines.ts'
export { type End, HistoryRecorder, type HistoryWatch } from './history/history-recorder.ts'
export type { History, Operation, Outcome } from './history/operation.ts'
export { type RecordedMethods, type Recording, type RecordOptions, record } from './history/recorder.ts'
export type { MicroOperation, Transaction } from './history/transaction.ts'
export type { Anomaly, AnomalyType, CycleStep, EdgeName } from './isolation/anomaly.ts'
export { checkIsolation, type IsolationOptions, type IsolationResult } from './isolation/check.ts'
export {
  CONSISTENCIES,
  type Consistency,
  forbids,
  impossibleModels,
  orderOf,
  weakest,
} from './isolation/consistency.ts'
export type { Workload } from './isolation/workload.ts'
export { checkLinearizable } from './linearizability/check.ts'
export { LinearizabilityMonitor, type MonitorOptions } from './linearizability/monitor.ts'
export type {
  IllegalResult,
  LinearizabilityOptions,
  LinearizabilityResult,
  LinearizableResult,
  UnknownResult,
  Window,
} from './linearizability/result.ts'
export { isEqual } from './models/canonical.ts'
export { MODELS } from './models/catalogue.ts'
export { MODEL_NAMES, type ModelInput, type ModelName, readingFor } from './models/inputs.ts'
export { isMaelstromBody, type MaelstromBody, maelstromEnd, maelstromInput } from './models/maelstrom.ts'
export { ModelError, type ObjectModel, States } from './models/model.ts'
export { historyPage, type PageOptions } from './picture/history-page.ts'
export { timelineText, windowText } from './picture/timeline-text.ts'
export { EventReader } from './read/event-reader.ts'
export type { HistoryFormat } from './read/format.ts'
export { parseHistory, type ReadOptions, readHistory } from './read/read-history.ts'
export { transactionReading } from './read/transactions.ts'

/** `norn-history/node`: histories in files. */
export { HistoryError } from '../history/history-error.ts'
export type { ReadOptions } from '../read/read-history.ts'
export { HistoryLimitError, type ReadFileOptions, readHistoryFile } from './read-file.ts'

/** What the check of a history takes and reports, whatever is checked. */
import { plural } from '#shared/text'
import type { ModelName } from '../models/inputs.ts'
import type { ReadFileOptions } from '../node/read-file.ts'
import type { HistoryFormat } from '../read/format.ts'

export interface CheckCommandOptions {
  readonly model?: ModelName
  readonly isolation?: 'list-append' | 'rw-register'
  readonly consistency?: string
  readonly format?: HistoryFormat
  /** In milliseconds. */
  readonly time?: number
  readonly memoryMb?: number
  readonly html?: string
  readonly sequentialKeys?: boolean
  readonly linearizableKeys?: boolean
  /** What an object or a key holds before the first write. */
  readonly initial?: unknown
  readonly json: boolean
}

/** What a check needs besides the history: bounds on what is left of time and memory. */
export interface Bounds {
  /** Undefined without a bound. */
  budgetMs(): number | undefined
  readonly memoryMb: number
  /** Of that, what the history has left. */
  memoryLeftMb(): number
}

/** What a check found, as text and as data. */
export interface Report {
  readonly verdict: 'ok' | 'illegal' | 'unknown'
  /** `linearizable: 182 operations by 5 processes, 10 keys`. */
  readonly headline: string
  /** Lines below it. */
  readonly details: readonly string[]
  readonly json: Readonly<Record<string, unknown>>
  /** The picture of the history, if there is one. */
  readonly page?: () => string
}

/** `182 operations by 5 processes`. */
export function sizeText(operations: readonly { readonly process: number | string }[], one = 'operation'): string {
  const processes = new Set(operations.map(({ process }) => process)).size
  return `${plural(operations.length, one)} by ${plural(processes, 'process', 'processes')}`
}

/** The name of a file in messages. */
export function shownFile(path: string): string {
  return path === '-' ? 'stdin' : path
}

/** What reading the history may take. */
export function readingBounds({ format }: CheckCommandOptions, { memoryMb, budgetMs }: Bounds): ReadFileOptions {
  return { format, memoryMb, budgetMs: budgetMs() }
}

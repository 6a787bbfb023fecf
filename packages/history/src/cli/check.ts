/** `check FILE`: reads a history, checks it and reports the verdict. */
import { getHeapStatistics } from 'node:v8'
import pc from 'picocolors'
import { HistoryError } from '../history/history-error.ts'
import { plural } from '../history/text.ts'
import type { ModelName } from '../models/inputs.ts'
import { HistoryMemoryError } from '../node/read-file.ts'
import type { HistoryFormat } from '../read/format.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'
import { checkLinearizability } from './linearizability.ts'

export interface CheckCommandOptions {
  readonly model?: ModelName
  readonly isolation?: 'list-append' | 'rw-register'
  readonly consistency?: string
  readonly format?: HistoryFormat
  /** In milliseconds. */
  readonly time?: number
  readonly memoryMb?: number
  readonly html?: string
  readonly json: boolean
}

/** What a check needs besides the history: bounds on what is left of time and memory. */
export interface Bounds {
  budgetMs(): number
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
}

const MEBIBYTE = 2 ** 20
/** The share of the heap that is used by default: near its limit Node only collects garbage. */
const HEAP_SHARE = 0.75

const STATUSES: Readonly<Record<Report['verdict'], ExitStatus>> = {
  ok: STATUS.passed,
  illegal: STATUS.failed,
  unknown: STATUS.undecided,
}

/** @throws UsageError if the call or the history is wrong */
export async function checkCommand(file: string, options: CheckCommandOptions): Promise<ExitStatus> {
  const { model, isolation, consistency, time, html } = options
  if (model !== undefined && isolation !== undefined)
    throw new UsageError('--model and --isolation exclude each other: choose one')
  if (html !== undefined) throw new UsageError('--html is not implemented yet')
  withHeapFor(options.memoryMb)
  const begunMs = performance.now()
  const memoryMb = options.memoryMb ?? Math.floor((getHeapStatistics().heap_size_limit * HEAP_SHARE) / MEBIBYTE)
  const bounds: Bounds = {
    memoryMb,
    budgetMs: () => (time === undefined ? Number.POSITIVE_INFINITY : Math.max(1, time - (performance.now() - begunMs))),
    memoryLeftMb: () => Math.max(1, memoryMb - process.memoryUsage().heapUsed / MEBIBYTE),
  }
  let report: Report
  try {
    if (model !== undefined) report = await checkLinearizability(file, model, options, bounds)
    else if (isolation !== undefined) throw new UsageError('--isolation is not implemented yet')
    else throw new UsageError('what should be checked? Pass --model, such as --model kv, or --isolation')
  } catch (error) {
    if (error instanceof HistoryError) throw new UsageError(`${shownFile(file)}: ${error.message}`)
    const problem = unreadable(error as NodeJS.ErrnoException)
    if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
    if (!(error instanceof HistoryMemoryError)) throw error
    report = { verdict: 'unknown', headline: error.message, details: [], json: { reason: error.message } }
  }
  void consistency
  print(report, (performance.now() - begunMs) / 1000, options.json)
  return STATUSES[report.verdict]
}

function print({ verdict, headline, details, json }: Report, seconds: number, isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify({ type: 'result', result: verdict, ...json, seconds: Number(seconds.toFixed(3)) }))
    return
  }
  const mark = verdict === 'ok' ? pc.green('✓') : verdict === 'illegal' ? pc.red('✗') : pc.yellow('?')
  const time = `(${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s)`
  console.log([`${mark} ${pc.bold(headline)} ${time}`, ...details.map((line) => `  ${line}`.trimEnd())].join('\n'))
}

/** Why a file cannot be read; undefined for other errors. */
function unreadable({ code, syscall, message }: NodeJS.ErrnoException): string | undefined {
  if (code === undefined || syscall === undefined) return undefined
  if (code === 'ENOENT') return 'no such file'
  return code === 'EISDIR' ? 'expected a file, found a folder' : message
}

function shownFile(path: string): string {
  return path === '-' ? 'stdin' : path
}

/** `182 operations by 5 processes`. */
export function sizeText(operations: readonly { readonly process: number | string }[], one = 'operation'): string {
  const processes = new Set(operations.map(({ process }) => process)).size
  return `${plural(operations.length, one)} by ${plural(processes, 'process', 'processes')}`
}

/**
 * Restarts this command in the same process with a larger heap, if it may use more memory than the
 * heap can take: Node fixes the limit at the start, to about 4 GB. Windows cannot replace a process
 * and keeps its heap.
 */
function withHeapFor(megabytes: number | undefined): void {
  if (megabytes === undefined || megabytes * MEBIBYTE <= getHeapStatistics().heap_size_limit * HEAP_SHARE) return
  if (process.platform === 'win32' || process.execve === undefined) return
  const heap = `--max-old-space-size=${Math.ceil(megabytes / HEAP_SHARE)}`
  if (process.execArgv.includes(heap)) return
  process.execve(process.execPath, [process.execPath, ...process.execArgv, heap, ...process.argv.slice(1)])
}

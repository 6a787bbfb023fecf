/** `check FILE`: reads a history, checks it and reports the verdict. */
import { statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import pc from 'picocolors'
import { type ExitStatus, STATUS, UsageError } from '#shared/cli/exit-status'
import { print } from '#shared/print'
import { HistoryError } from '../history/history-error.ts'
import { HistoryLimitError } from '../node/read-file.ts'
import { checkIsolated } from './isolation.ts'
import { checkLinearizability } from './linearizability.ts'
import { type Bounds, type CheckCommandOptions, type Report, shownFile } from './report.ts'

const MEBIBYTE = 2 ** 20
/** The share of the heap that is used by default: near its limit Node only collects garbage. */
const HEAP_SHARE = 0.75

/** The share of the bound on memory that is given out: what is needed is an estimate. */
const MEMORY_SHARE = 0.95
/** What the young generation of V8's heap may still grow by. */
const YOUNG_MB = 20

const STATUSES: Readonly<Record<Report['verdict'], ExitStatus>> = {
  ok: STATUS.passed,
  illegal: STATUS.failed,
  unknown: STATUS.undecided,
}

/** Models and workloads whose objects hold one value. */
const WITH_INITIAL: ReadonlySet<string | undefined> = new Set([
  ...['register', 'cas-register', 'counter', 'kv', 'rw-register'],
])

/** @throws UsageError if the call or the history is wrong */
export async function checkCommand(file: string, options: CheckCommandOptions): Promise<ExitStatus> {
  const { model, isolation, time, html, sequentialKeys, linearizableKeys, initial } = options
  if (model !== undefined && isolation !== undefined)
    throw new UsageError('--model and --isolation exclude each other: choose one')
  if ((sequentialKeys || linearizableKeys) && isolation !== 'rw-register')
    throw new UsageError('--sequential-keys and --linearizable-keys are for --isolation rw-register')
  if (initial !== undefined && !WITH_INITIAL.has(model ?? isolation))
    throw new UsageError(`--initial is for ${[...WITH_INITIAL].join(', ')}`)
  // Not only after the check.
  if (html !== undefined) assertFile(html)
  withHeapFor(options.memoryMb)
  const begunMs = performance.now()
  const memoryMb = options.memoryMb ?? Math.floor((getHeapStatistics().heap_size_limit * HEAP_SHARE) / MEBIBYTE)
  const bounds: Bounds = {
    memoryMb,
    budgetMs: () => (time === undefined ? undefined : Math.max(1, time - (performance.now() - begunMs))),
    memoryLeftMb: () => Math.max(1, memoryMb * MEMORY_SHARE - YOUNG_MB - process.memoryUsage.rss() / MEBIBYTE),
  }
  let report: Report
  try {
    if (model !== undefined) report = await checkLinearizability(file, model, options, bounds)
    else if (isolation !== undefined) report = await checkIsolated(file, isolation, options, bounds)
    else throw new UsageError('what should be checked? Pass --model, such as --model kv, or --isolation list-append')
  } catch (error) {
    if (error instanceof HistoryError) throw new UsageError(`${shownFile(file)}: ${error.message}`)
    const problem = unreadable(error as NodeJS.ErrnoException)
    if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
    if (!(error instanceof HistoryLimitError)) throw error
    report = { verdict: 'unknown', headline: `unknown: ${error.message}`, details: [], json: { reason: error.message } }
  }
  if (html !== undefined) writePage(html, report)
  tell(report, (performance.now() - begunMs) / 1000, options.json)
  return STATUSES[report.verdict]
}

function assertFile(path: string): void {
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isFolder(dirname(path))) throw new UsageError(`--html ${path}: no such folder: ${dirname(path)}`)
  if (isFolder(path)) throw new UsageError(`--html ${path}: expected a file, found a folder`)
}

function writePage(path: string, { page }: Report): void {
  // Without a history, as the bound on memory was reached.
  if (page === undefined) return
  try {
    writeFileSync(path, page())
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined && !(error instanceof RangeError)) throw error
    throw new UsageError(`--html ${path}: ${message}`)
  }
}

function tell({ verdict, headline, details, json }: Report, seconds: number, isJson: boolean): void {
  if (isJson) {
    print(JSON.stringify({ type: 'result', result: verdict, ...json, seconds: Number(seconds.toFixed(3)) }))
    return
  }
  const mark = verdict === 'ok' ? pc.green('✓') : verdict === 'illegal' ? pc.red('✗') : pc.yellow('?')
  const time = `(${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s)`
  print([`${mark} ${pc.bold(headline)} ${time}`, ...details.map((line) => `  ${line}`.trimEnd())].join('\n'))
}

/** Why a file cannot be read; undefined for other errors. */
function unreadable({ code, syscall, message }: NodeJS.ErrnoException): string | undefined {
  if (code === undefined || syscall === undefined) return undefined
  if (code === 'ENOENT') return 'no such file'
  return code === 'EISDIR' ? 'expected a file, found a folder' : message
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

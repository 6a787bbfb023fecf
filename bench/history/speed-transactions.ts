/**
 * The time of `norn history check FILE --isolation list-append` as a whole: start, reading of the EDN
 * and explanation. Of generated transactions that are strictly serializable, and of ones with one
 * anomaly, whose cycle is explained.
 */
import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { MicroOperation, Transaction } from '../../packages/history/src/history/transaction.ts'
import { anomalousHistory, randomFrom, transactionHistory } from '../../packages/history/test/generate/index.ts'
import { rounded } from '../measure.ts'
import type { Say } from '../output.ts'
import { median } from '../statistics/summary.ts'

const ANOMALY = 'G2-item'
const KINDS = ['legal', `one ${ANOMALY}`] as const
const MAIN = resolve(import.meta.dirname, '../../packages/norn/src/cli/main.ts')
const USAGE = join(import.meta.dirname, 'usage-child.ts')
const LINES_A_WRITE = 10_000

/** What usage-child.ts writes, and the time from the start to the end. */
interface Usage {
  readonly processorMs: number
  readonly peakMib: number
  readonly seconds: number
}

/** @throws Error if a verdict is wrong, or a cycle is not explained */
export async function transactionRows(smoke: boolean, rounds: number, only: string, say: Say): Promise<void> {
  const goals: readonly { count: number; goalSeconds?: number; goalMib?: number }[] = smoke
    ? [{ count: 1000 }]
    : [
        { count: 100_000, goalSeconds: 1.5 },
        { count: 1_000_000, goalSeconds: 20, goalMib: 3072 },
      ]
  for (const { count, ...goal } of goals)
    for (const kind of KINDS) {
      const name = `list-append, ${count} transactions, ${kind}`
      if (!name.includes(only)) continue
      const folder = mkdtempSync(join(tmpdir(), 'norn-history-'))
      try {
        const file = join(folder, 'history.edn')
        write(file, generated(count, kind === 'legal'))
        const measured: Usage[] = []
        for (let round = 0; round < rounds; round++) measured.push(await check(file, folder, kind === 'legal'))
        const of = (field: keyof Usage) => rounded(median(measured.map((each) => each[field])))
        const fileMib = rounded(statSync(file).size / 2 ** 20, 1)
        const seconds = of('seconds')
        const processorSeconds = rounded(of('processorMs') / 1000)
        const peakMib = Math.round(of('peakMib'))
        const goalText = goal.goalSeconds === undefined ? '' : `, goal ${goal.goalSeconds} s`
        say(
          { suite: 'history-speed', subject: name, fileMib, seconds, processorSeconds, peakMib, ...goal },
          `${name}: ${fileMib} MiB of EDN: whole command in ${seconds} s (${processorSeconds} s of processor time)${goalText}; ${peakMib} MiB`,
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
}

function generated(transactions: number, isLegal: boolean): readonly Transaction[] {
  const options = { workload: 'list-append', transactions, processes: 10, keys: 10 } as const
  return isLegal
    ? transactionHistory(randomFrom(1), { ...options, level: 'strict-serializable' })
    : anomalousHistory(randomFrom(1), ANOMALY, options)
}

/** Runs the command in a process of its own. */
async function check(file: string, folder: string, isLegal: boolean): Promise<Usage> {
  const usage = join(folder, 'usage.json')
  const flags = ['-C', 'norn-source', '--no-warnings', '--import', USAGE]
  const began = performance.now()
  const { status, output } = await new Promise<{ status: number | undefined; output: string }>((done) => {
    const child = execFile(
      process.execPath,
      [...flags, MAIN, 'history', 'check', file, '--isolation', 'list-append'],
      { env: { ...process.env, NORN_BENCH_USAGE: usage } },
      (_, stdout, stderr) => done({ status: child.exitCode ?? undefined, output: stdout + stderr }),
    )
  })
  const seconds = (performance.now() - began) / 1000
  const isRight = isLegal ? status === 0 : status === 1 && output.includes(ANOMALY) && output.includes('cycle')
  if (!isRight) throw new Error(`history: speed: wrong verdict, exit status ${status}:\n${output}`)
  return { ...JSON.parse(readFileSync(usage, 'utf8')), seconds }
}

/** As Jepsen writes them: a line for each call and return, in the order of time. */
function write(path: string, transactions: readonly Transaction[]): void {
  const events = transactions
    .flatMap((transaction) => [
      { at: transaction.call, isCall: true, transaction },
      { at: transaction.return, isCall: false, transaction },
    ])
    .sort((a, b) => (a.at === b.at ? 0 : a.at - b.at))
  const file = openSync(path, 'w')
  for (let from = 0; from < events.length; from += LINES_A_WRITE) {
    const lines = events.slice(from, from + LINES_A_WRITE).map(({ isCall, transaction }) => line(transaction, isCall))
    writeSync(file, lines.join(''))
  }
  closeSync(file)
}

function line({ process, input, output, outcome }: Transaction, isCall: boolean): string {
  const type = isCall ? 'invoke' : outcome === 'unknown' ? 'info' : outcome
  const micros = isCall ? input : (output ?? input)
  return `{:process ${process}, :type :${type}, :f :txn, :value [${micros.map(microText).join(' ')}]}\n`
}

function microText([f, key, value]: MicroOperation): string {
  const text = Array.isArray(value) ? `[${value.join(' ')}]` : (value ?? 'nil')
  return `[:${f} ${key} ${text}]`
}

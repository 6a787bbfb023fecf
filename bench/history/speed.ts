/**
 * The time of checks: of the shared histories, and of generated ones, each in a process that has
 * checked nothing before. Generating is not counted; reading is, apart. Of transactions: the time of
 * the whole command.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rounded } from '../measure.ts'
import { printer } from '../output.ts'
import { median } from '../statistics/summary.ts'
import type { CommonOptions } from '../suite.ts'
import type { Measured } from './speed-child.ts'
import { transactionRows } from './speed-transactions.ts'

interface Options extends CommonOptions {
  readonly only?: string
  readonly data?: string
}

interface Subject {
  readonly name: string
  /** Of speed-child.ts. */
  readonly args: readonly string[]
  readonly limitSeconds?: number
}

export async function run({ data, only = '', smoke, json }: Options): Promise<void> {
  const say = printer(json)
  if (data === undefined) console.error('history: speed: no shared histories: pass --data DIR')
  const subjects = [...(data === undefined ? [] : shared(data)), ...generated(smoke)]
  const rounds = smoke ? 1 : 3
  for (const { name, args, limitSeconds } of subjects.filter((each) => each.name.includes(only))) {
    const measured: Measured[] = []
    for (let round = 0; round < rounds; round++) measured.push(await inNewProcess(args))
    const { histories, operations, verdicts } = measured[0]!
    const of = (field: 'readMs' | 'checkMs' | 'processorMs' | 'peakMib') =>
      rounded(median(measured.map((each) => each[field])), 1)
    const row = {
      suite: 'history-speed',
      subject: name,
      histories,
      operations,
      verdicts,
      readMs: of('readMs'),
      checkMs: of('checkMs'),
      processorMs: of('processorMs'),
      peakMib: of('peakMib'),
      limitSeconds,
    }
    const read = row.readMs === 0 ? '' : `, read in ${row.readMs} ms`
    const goal = limitSeconds === undefined ? '' : `, goal ${limitSeconds} s`
    say(
      row,
      `${name}: ${operations} operations, ${verdicts}: checked in ${row.checkMs} ms (${row.processorMs} of processor time)${read}${goal}; ${row.peakMib} MiB`,
    )
  }
  await transactionRows(smoke, rounds, only, say)
}

function shared(data: string): readonly Subject[] {
  const of = (name: string, limitSeconds?: number) => ({ name, args: ['shared', data, name], limitSeconds })
  return [of('etcd', 1), ...['c01', 'c10'].map((name) => of(name)), of('c50-ok', 1), of('c50-bad', 0.3)]
}

function generated(smoke: boolean): readonly Subject[] {
  const million = smoke ? 10_000 : 1_000_000
  const of = (name: string, options: object, limitSeconds?: number): Subject => ({
    name: `generated ${name}`,
    args: ['generated', JSON.stringify(options)],
    limitSeconds,
  })
  const keys = { operations: million, processes: 10, keys: 20 }
  const one = { operations: million / 10, processes: 10 }
  return [
    of('register, 20 keys', { model: 'register', ...keys }, 20),
    of('register, 20 keys, values written once', { model: 'register', ...keys, values: 0 }, 20),
    of('register, 20 keys, monitored', { model: 'register', ...keys, isMonitored: true }),
    of('cas-register, 20 keys, unknown outcomes', { model: 'cas-register', ...keys, unknown: 0.0001 }),
    of('counter', { model: 'counter', ...one }),
    of('queue, values enqueued once', { model: 'queue', ...one, values: 0 }),
    of('kv, 20 keys', { model: 'kv', ...one, keys: 20 }),
    of('mutex', { model: 'mutex', ...one }),
  ]
}

const CHILD = join(import.meta.dirname, 'speed-child.ts')
const execute = promisify(execFile)

async function inNewProcess(args: readonly string[]): Promise<Measured> {
  const { stdout } = await execute(process.execPath, ['--max-old-space-size=8192', CHILD, ...args])
  return JSON.parse(stdout)
}

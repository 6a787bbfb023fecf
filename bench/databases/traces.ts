/**
 * The same tape gives the same trace: tapes that show what a server decides, or what only time ends, run again in
 * fresh processes. Compared are the trace, and all that the clients saw. Exits with 1 if one differs.
 */
import { join } from 'node:path'
import { type Choices, essential } from '../../packages/norn/src/contract/choices.ts'
import type { ExecutionResult } from '../../packages/norn/src/contract/execution.ts'
import { NO_ESTIMATES } from '../../packages/norn/src/contract/plan.ts'
import { postgres, redis } from '../../packages/norn/src/options/databases.ts'
import { type ListedProperty, type Plan, Worker } from '../engine.ts'
import { printTable } from '../output.ts'
import { ROOT } from '../subjects/catalogue.ts'
import { SHOWN, TRACES, type Trace } from '../subjects/databases/traced.ts'
import type { FilteredOptions } from '../suite.ts'

interface Options extends FilteredOptions {
  readonly processes: number | undefined
}

interface Row {
  readonly suite: 'databases'
  readonly part: 'traces'
  readonly property: Trace
  readonly tapes: number
  readonly processes: number
  readonly replays: number
  readonly sameTrace: number
  /** Of the replays: what all clients saw. */
  readonly sameAnswers: number
}

interface Tape {
  readonly property: ListedProperty
  readonly choices: Choices
  readonly traceHash: string
  readonly answers: string
}

const FULL = { tapes: 2, processes: 100 }
const SMOKE = { tapes: 1, processes: 2 }
/** Schedules drawn until one shows what it has to. */
const DRAWS = 500

const FOLDER = join(import.meta.dirname, '../subjects/databases')

export async function run({ smoke, json, only = '', processes: given }: Options): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  const { tapes } = effort
  const processes = given ?? effort.processes
  const names = TRACES.filter((name) => name.includes(only))
  const recorded = await withWorker(async (worker) => {
    const all: Tape[] = []
    for (const property of await worker.list())
      if (names.some((name) => name === property.name)) all.push(...(await record(worker, property, tapes)))
    return all
  })
  const same = recorded.map(() => ({ trace: 0, answers: 0 }))
  for (let process = 0; process < processes; process++) {
    await withWorker(async (worker) => {
      // Each process has another order: what ran before is not to matter.
      for (let turn = 0; turn < recorded.length; turn++) {
        const index = (turn + process) % recorded.length
        const tape = recorded[index]!
        const result = await worker.execute(tape.property, planOf(tape.choices))
        if (result.traceHash === tape.traceHash) same[index]!.trace++
        if (answersOf(result) === tape.answers) same[index]!.answers++
      }
    })
    if (!json) console.error(`${process + 1} of ${processes} processes`)
  }
  const rows = names.map((property): Row => {
    const of = same.filter((_, index) => recorded[index]!.property.name === property)
    const sum = (key: 'trace' | 'answers') => of.reduce((total, each) => total + each[key], 0)
    const counts = { tapes: of.length, processes, replays: of.length * processes }
    return {
      suite: 'databases',
      part: 'traces',
      property,
      ...counts,
      sameTrace: sum('trace'),
      sameAnswers: sum('answers'),
    }
  })
  if (rows.some(({ replays, sameTrace, sameAnswers }) => Math.min(sameTrace, sameAnswers) < replays))
    process.exitCode = 1
  if (json) for (const row of rows) console.log(JSON.stringify(row))
  else printTable(rows, ['property', 'tapes', 'processes', 'replays', 'sameTrace', 'sameAnswers'])
}

/** The first tapes that show what a property is about. */
async function record(worker: Worker, property: ListedProperty, wanted: number): Promise<readonly Tape[]> {
  const tapes: Tape[] = []
  for (let seed = 1; seed <= DRAWS && tapes.length < wanted; seed++) {
    const name = { length: 2 ** 32 - 1, seed }
    const drawn = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    const result = await worker.execute(property, { input: { from: 'tape' }, choices: drawn })
    const answers = answersOf(result)
    if (!SHOWN[property.name as Trace].test(answers)) continue
    tapes.push({ property, choices: essential(result.choices!), traceHash: result.traceHash!, answers })
  }
  if (tapes.length < wanted) throw new Error(`${property.name}: ${tapes.length} of ${DRAWS} tapes show it`)
  return tapes
}

function answersOf({ verdict, failure }: ExecutionResult): string {
  return `${verdict}: ${failure?.message}`
}

function planOf(choices: Choices): Plan {
  return { input: { from: 'tape' }, choices: { from: 'record', choices } }
}

/** In a process of its own. */
async function withWorker<Value>(action: (worker: Worker) => Promise<Value>): Promise<Value> {
  const databases = { main: postgres({ schema: join(FOLDER, 'schema.sql') }), cache: redis() }
  const worker = new Worker({ file: join(FOLDER, 'traces.fuzz.ts'), root: ROOT, aliases: [], databases })
  try {
    return await action(worker)
  } finally {
    worker.close()
  }
}

/**
 * The completeness suite: whatever order stock Node shows, norn reaches.
 *
 * Small programs whose order is open run many times on stock Node, and then under norn, which has to reach each line that
 * stock Node showed. What only norn shows has to be among the lines that are possible by Node's documentation. A row
 * tells how often stock Node showed each line, which norn reached, and how many executions it needed for those that stock
 * Node showed. Exits with 1 if an order is missing, or is shown and not possible.
 */
import { fileURLToPath } from 'node:url'
import { Planner } from '../../packages/norn/src/search/planner.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { programs } from './programs.ts'
import { stockOrders } from './stock.ts'

export interface Row {
  readonly suite: 'completeness'
  readonly program: string
  /** How often stock Node showed each line. */
  readonly stock: Readonly<Record<string, number>>
  /** The execution in which norn showed each line first. */
  readonly norn: Readonly<Record<string, number>>
  /** Executions until all was seen that stock Node showed; null if something is missing. */
  readonly executions: number | null
  /** Shown by stock Node and never by norn. */
  readonly missing: readonly string[]
  readonly onlyNorn: readonly string[]
  /** Shown by one of them, and not possible as far as the programs know. */
  readonly impossible: readonly string[]
}

const EXECUTIONS = 1000
const FILE = fileURLToPath(new URL('./open.fuzz.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const names = Object.keys(programs).filter((name) => name.includes(only ?? ''))
  const fromMain = names.filter((name) => programs[name]!.fromMain)
  const [processes, runs] = smoke ? [4, 5] : [100, 10]
  const stock = await stockOrders(names, fromMain, processes, runs)
  const worker = new Worker({ file: FILE, root: ROOT, aliases: [] })
  let wrong = false
  for (const name of names) {
    const row = rowOf(name, stock[name]!, await nornOrders(worker, name, smoke ? programs[name]!.possible : undefined))
    wrong ||= row.missing.length > 0 || row.impossible.length > 0
    if (json) console.log(JSON.stringify(row))
    else print(row)
  }
  worker.close()
  process.exitCode = wrong ? 1 : 0
}

/**
 * The execution in which each line came first.
 *
 * @param enough lines after which no more executions are needed; without, all are run
 */
async function nornOrders(worker: Worker, name: string, enough?: readonly string[]): Promise<Record<string, number>> {
  const first: Record<string, number> = {}
  const property = (await worker.list()).find((each) => each.name === name)!
  const planner = new Planner({ seed: 1, strategy: 'portfolio', examples: 0 })
  for (let execution = 1; execution <= EXECUTIONS; execution++) {
    const result = await worker.execute(property, { ...planner.next(), detailed: true })
    planner.observe(result)
    if (result.verdict !== 'passed') {
      throw new Error(`${name}: ${JSON.stringify(result.failure?.stack ?? result.voided)}`)
    }
    first[result.output!.trim()] ??= execution
    if (enough?.every((line) => first[line] !== undefined)) break
  }
  return first
}

function rowOf(program: string, stock: Record<string, number>, norn: Record<string, number>): Row {
  const { possible } = programs[program]!
  const missing = Object.keys(stock).filter((line) => norn[line] === undefined)
  const executions = missing.length > 0 ? null : Math.max(...Object.keys(stock).map((line) => norn[line]!))
  const onlyNorn = Object.keys(norn).filter((line) => stock[line] === undefined)
  const seen = new Set([...Object.keys(stock), ...Object.keys(norn)])
  const impossible = [...seen].filter((line) => !possible.includes(line))
  return { suite: 'completeness', program, stock, norn, executions, missing, onlyNorn, impossible }
}

function print({ program, stock, executions, missing, onlyNorn, impossible }: Row): void {
  const lines = Object.entries(stock).map(([line, count]) => `${line} (${count})`)
  console.log(`${program}\n  stock: ${lines.join(', ')}`)
  console.log(
    missing.length === 0 ? `  norn: all, in ${executions} executions` : `  NOT REACHED: ${missing.join(', ')}`,
  )
  if (onlyNorn.length > 0) console.log(`  only norn: ${onlyNorn.join(', ')}`)
  if (impossible.length > 0) console.log(`  NOT POSSIBLE: ${impossible.join(', ')}`)
}

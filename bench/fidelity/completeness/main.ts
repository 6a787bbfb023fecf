/**
 * Completeness: norn reaches every order that stock Node shows.
 *
 * Small programs with several possible orders run many times on stock Node, then under norn, which
 * must print every line that stock Node printed. A line that only norn prints must be possible by
 * Node's documentation. Exits with 1 if a line is missing or not possible.
 */
import { resolve } from 'node:path'
import { Planner } from '../../../packages/norn/src/search/planner.ts'
import { Worker } from '../../engine.ts'
import type { FilteredOptions } from '../../suite.ts'
import { rotated, runStockChild, withAndWithoutLoad } from '../stock.ts'
import { programs } from './programs.ts'

export interface Row {
  readonly suite: 'completeness'
  readonly program: string
  /** How often stock Node printed each line. */
  readonly stock: Readonly<Record<string, number>>
  /** The execution in which norn printed each line first. */
  readonly norn: Readonly<Record<string, number>>
  /** Executions until norn had printed all lines of stock Node; null if one is missing. */
  readonly executions: number | null
  /** Printed by stock Node and never by norn. */
  readonly missing: readonly string[]
  readonly onlyNorn: readonly string[]
  /** Printed by norn or stock Node, and not listed as possible by the program. */
  readonly impossible: readonly string[]
}

const EXECUTIONS = 1000
const FILE = resolve(import.meta.dirname, 'open.fuzz.ts')
const CHILD = resolve(import.meta.dirname, 'stock-child.ts')
const ROOT = resolve(import.meta.dirname, '../../..')

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const names = Object.keys(programs).filter((name) => name.includes(only))
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
  if (wrong) process.exitCode = 1
}

/** How often each line was printed, by program. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Runs every program `runs` times in each of `processes` processes, and those of `fromMain` once
 * more in as many processes of their own, from the main script.
 */
async function stockOrders(
  names: readonly string[],
  fromMain: readonly string[],
  processes: number,
  runs: number,
): Promise<Counts> {
  const total: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
  const count = async (names: readonly string[], runs: number) => {
    const counts: Counts = JSON.parse(await runStockChild(CHILD, { names, runs }))
    for (const [name, lines] of Object.entries(counts)) {
      for (const [line, times] of Object.entries(lines)) total[name]![line] = (total[name]![line] ?? 0) + times
    }
  }
  await withAndWithoutLoad(processes, async (process) => {
    await count(rotated(names, process), runs)
    for (const name of fromMain) await count([name], 1)
  })
  return total
}

/**
 * The execution in which norn printed each line first.
 *
 * @param enough stops once all of these lines were printed; undefined runs all executions
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

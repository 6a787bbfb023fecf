/**
 * Legality: norn produces no schedule that breaks what Node promises.
 *
 * Each promise is a program that fails if the promise is broken. It runs under thousands of
 * schedules of each strategy; on stock Node with and without load, as a promise that stock Node
 * breaks is none; and in mutated worlds, as a check that cannot fail proves nothing. Exits with 1
 * if norn or stock Node breaks a promise, or no mutation does.
 */
import { join, resolve } from 'node:path'
import { CAMPAIGN, Worker } from '../../engine.ts'
import type { FilteredOptions } from '../../suite.ts'
import { type Engine, Mutants } from '../mutants.ts'
import { rotated, runStockChild, withAndWithoutLoad } from '../stock.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'
import { atTheEnd, promises } from './promises.ts'

export interface Row {
  readonly suite: 'legality'
  readonly promise: string
  readonly schedules: number
  /** Schedules that broke it, and inconclusive ones. */
  readonly broken: number
  readonly voided: number
  readonly stockRuns: number
  readonly stockBroken: number
  /** Mutations that broke it. */
  readonly bitten: readonly string[]
}

interface Size {
  /** Schedules of each strategy. */
  readonly schedules: Readonly<Record<string, number>>
  readonly processes: number
  readonly runs: number
  readonly processesToTheEnd: number
}

const FULL: Size = {
  schedules: { random: 4000, pct: 3000, portfolio: 3000 },
  processes: 20,
  runs: 50,
  processesToTheEnd: 1000,
}
const SMOKE: Size = {
  schedules: { random: 40, pct: 30, portfolio: 30 },
  processes: 2,
  runs: 3,
  processesToTheEnd: 2,
}

/** Executions within which a mutation has to break a promise. */
const EXECUTIONS_OF_MUTANTS = 400

const ROOT = resolve(import.meta.dirname, '../../..')
const FILE = resolve(import.meta.dirname, 'promises.fuzz.ts')
const CHILD = resolve(import.meta.dirname, 'stock-child.ts')

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const size = smoke ? SMOKE : FULL
  const chosen = (record: object) => Object.keys(record).filter((name) => name.includes(only))
  const [during, ending] = [chosen(promises), chosen(atTheEnd)]
  const stock: Broken = {
    ...(during.length === 0 ? {} : await brokenByStock(during, size.processes, size.runs)),
    ...(ending.length === 0 ? {} : await brokenAtTheEnd(ending, size.processesToTheEnd)),
  }
  const bitten = await bites([...during, ...ending])
  const worker = new Worker({ file: FILE, root: ROOT, aliases: [] })
  let wrong = false
  for (const promise of [...during, ...ending]) {
    const stockRuns = promise in promises ? size.processes * size.runs : size.processesToTheEnd
    const counts = await explore(worker, promise, size.schedules)
    const stockBroken = stock[promise]!.length
    const row: Row = {
      suite: 'legality',
      promise,
      ...counts,
      stockRuns,
      stockBroken,
      bitten: bitten.get(promise) ?? [],
    }
    wrong ||= counts.broken > 0 || counts.voided > 0 || stockBroken > 0 || row.bitten.length === 0
    if (json) console.log(JSON.stringify(row))
    else print(row, stock[promise]!)
  }
  worker.close()
  if (wrong) process.exitCode = 1
}

/** The errors that broke each promise. */
type Broken = Readonly<Record<string, readonly string[]>>

/** Runs promises on stock Node `runs` times in each of `processes` processes. */
async function brokenByStock(names: readonly string[], processes: number, runs: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await withAndWithoutLoad(processes, async (process) => {
    const ofProcess: Broken = JSON.parse(await runStockChild(CHILD, { names: rotated(names, process), runs }))
    for (const [name, errors] of Object.entries(ofProcess)) broken[name]!.push(...errors)
  })
  return broken
}

/** The same for promises about the end of a process: each run is a process. */
async function brokenAtTheEnd(names: readonly string[], processes: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await withAndWithoutLoad(processes, async () => {
    for (const name of names) {
      await runStockChild(CHILD, { names: [name], runs: 1 }).catch((error) => broken[name]!.push(String(error)))
    }
  })
  return broken
}

/** The mutations that break each of some promises. */
async function bites(names: readonly string[]): Promise<Map<string, string[]>> {
  const bitten = new Map<string, string[]>()
  const mutants = new Mutants(ROOT)
  try {
    for (const mutation of MUTATIONS) {
      const breaks = mutation.breaks.filter((promise) => names.includes(promise))
      if (breaks.length === 0) continue
      const broken = await mutants.within(mutation, (engine) => brokenIn(engine, { ...mutation, breaks }))
      for (const promise of broken) bitten.set(promise, [...(bitten.get(promise) ?? []), mutation.name])
    }
  } finally {
    mutants.remove()
  }
  return bitten
}

/** The promises that a mutation breaks, of those that it should. */
async function brokenIn({ Worker, root }: Engine, { name, breaks }: Mutation): Promise<string[]> {
  const worker = new Worker({ file: join(root, 'bench/fidelity/legality/promises.fuzz.ts'), root, aliases: [] })
  try {
    const properties = await worker.list()
    const broken: string[] = []
    for (const promise of breaks) {
      const property = properties.find((each) => each.name === promise)
      if (property === undefined) throw new Error(`mutation "${name}" names an unknown promise: ${promise}`)
      const options = { ...CAMPAIGN, strategy: 'random', runs: EXECUTIONS_OF_MUTANTS, keepGoing: false }
      const { failed } = await worker.explore(property, options, () => {})
      if (failed > 0) broken.push(promise)
    }
    return broken
  } finally {
    worker.close()
  }
}

async function explore(
  worker: Worker,
  promise: string,
  schedules: Size['schedules'],
): Promise<Pick<Row, 'schedules' | 'broken' | 'voided'>> {
  const total = { schedules: 0, broken: 0, voided: 0 }
  const property = (await worker.list()).find((each) => each.name === promise)!
  for (const [strategy, runs] of Object.entries(schedules)) {
    const options = { ...CAMPAIGN, strategy, runs }
    const { executions, failed, voided } = await worker.explore(property, options, (notice) => {
      if (notice.type === 'found') console.error(notice.failure.result.failure!.stack)
    })
    total.schedules += executions
    total.broken += failed
    total.voided += voided
  }
  return total
}

function print(row: Row, errors: readonly string[]): void {
  const { promise, schedules, broken, voided, stockRuns, stockBroken, bitten } = row
  console.log(promise)
  console.log(`  norn: broken in ${broken} of ${schedules} schedules${voided > 0 ? `, ${voided} inconclusive` : ''}`)
  console.log(`  stock: broken in ${stockBroken} of ${stockRuns} runs${errors.length > 0 ? `: ${errors[0]}` : ''}`)
  console.log(`  ${bitten.length > 0 ? `broken by: ${bitten.join('; ')}` : 'NO MUTATION BREAKS IT'}`)
}

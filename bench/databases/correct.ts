/**
 * False alarms: programs whose transactions are correct by what guards them, at many orders of their statements. None
 * may fail; what is inconclusive is counted by its reason. Exits with 1 otherwise.
 */
import { join } from 'node:path'
import { whatOf } from '../../packages/norn/src/contract/inconclusive.ts'
import { postgres, redis } from '../../packages/norn/src/options/databases.ts'
import { CAMPAIGN, fingerprint, type ListedProperty, Worker, WorkerLost } from '../engine.ts'
import { installPackages } from '../install.ts'
import { printTable } from '../output.ts'
import { ROOT } from '../subjects/catalogue.ts'
import type { FilteredOptions } from '../suite.ts'
import { FAMILIES, programs } from './transactions/generate.ts'
import { PROGRAMS, type Program } from './transactions/program.ts'

interface Options extends FilteredOptions {
  readonly executions: number | undefined
}

interface Row {
  readonly suite: 'databases'
  readonly part: 'correct'
  readonly program: string
  readonly family: string
  readonly executions: number
  readonly passed: number
  readonly failed: number
  readonly inconclusive: number
  readonly seconds: number
  /** Of the failures, and of what is inconclusive. */
  readonly reasons: readonly string[]
}

const FOLDER = join(import.meta.dirname, '../subjects/transactions')
const EXECUTIONS = 500
/** A program of each family, a few times. */
const SMOKE = { programs: FAMILIES.length, executions: 5 }

export async function run({ smoke, json, only = '', executions }: Options): Promise<void> {
  installPackages(FOLDER)
  const all = programs(smoke ? SMOKE.programs : PROGRAMS).filter(({ name }) => name.includes(only))
  const world = new World()
  const rows: Row[] = []
  try {
    for (const program of all) {
      const row = await world.examine(program, executions ?? (smoke ? SMOKE.executions : EXECUTIONS))
      rows.push(row)
      if (json) console.log(JSON.stringify(row))
      else console.error(`${row.program}: ${row.passed}/${row.executions}${['', ...row.reasons].join('; ')}`)
    }
  } finally {
    world.close()
  }
  if (rows.some(({ executions, passed }) => passed !== executions)) process.exitCode = 1
  if (json) return
  const sum = (of: readonly Row[], key: 'executions' | 'failed' | 'inconclusive') =>
    of.reduce((total, row) => total + row[key], 0)
  const families = [...FAMILIES, 'all'].map((family) => {
    const of = rows.filter((row) => family === 'all' || row.family === family)
    const counts = { executions: sum(of, 'executions'), failed: sum(of, 'failed') }
    return { family, programs: of.length, ...counts, inconclusive: sum(of, 'inconclusive') }
  })
  printTable(families, ['family', 'programs', 'executions', 'failed', 'inconclusive'])
}

/** A process that executes programs, and another one where it is lost. */
class World {
  #worker: Worker | undefined
  #properties: readonly ListedProperty[] = []

  async examine({ name, family }: Program, runs: number): Promise<Row> {
    const row = { suite: 'databases', part: 'correct', program: name, family } as const
    const reasons = new Set<string>()
    const began = performance.now()
    const seconds = () => Math.round((performance.now() - began) / 100) / 10
    try {
      const { worker, property } = await this.#ready(name)
      const { executions, passed, failed, voided } = await worker.explore(property, { ...CAMPAIGN, runs }, (event) => {
        if (event.type === 'found') reasons.add(fingerprint(event.failure.result.failure!))
        if (event.type === 'flaky') reasons.add(`not repeatable: ${fingerprint(event.failure.first.failure!)}`)
        if (event.type === 'inconclusive') reasons.add(whatOf(event.report.reason))
      })
      return { ...row, executions, passed, failed, inconclusive: voided, seconds: seconds(), reasons: [...reasons] }
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      this.close()
      const counts = { executions: runs, passed: 0, failed: runs, inconclusive: 0 }
      return { ...row, ...counts, seconds: seconds(), reasons: [...reasons, `${error.how}: ${error.message}`] }
    }
  }

  async #ready(name: string): Promise<{ readonly worker: Worker; readonly property: ListedProperty }> {
    if (this.#worker === undefined) {
      const databases = { main: postgres({ schema: join(FOLDER, 'schema.sql') }), cache: redis() }
      const file = join(FOLDER, 'transactions.fuzz.ts')
      this.#worker = new Worker({ file, root: ROOT, aliases: [], databases })
      this.#properties = await this.#worker.list()
    }
    return { worker: this.#worker, property: this.#properties.find((each) => each.name === name)! }
  }

  close(): void {
    this.#worker?.close()
    this.#worker = undefined
  }
}

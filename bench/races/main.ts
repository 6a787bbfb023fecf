/**
 * The races suite: known bugs of published packages, hunted in their buggy and in their fixed version by each strategy
 * and by stress on the stock loop.
 *
 * A trial is one campaign from one seed. A row tells in how many trials the bug was found, the median number of
 * executions and of milliseconds (shrinking apart) until then, the largest number of schedule choices that were not
 * natural after shrinking, and for the fixed version how many executions failed all the same.
 */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FoundFailure } from '../../packages/norn/src/search/campaign.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import { isNatural } from '../../packages/norn/src/tape/choice.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { stress } from './stress.ts'
import { fixedSide, ROOT, SUBJECTS } from './subjects.ts'

interface Row {
  readonly suite: 'races'
  readonly subject: string
  readonly variant: 'buggy' | 'fixed'
  readonly strategy: string
  readonly trials: number
  readonly found: number
  readonly medianRuns: number | null
  readonly medianMs: number | null
  readonly choices: number | null
  readonly falseAlarms: number
}

interface Plan {
  readonly strategy: string
  readonly variant: Row['variant']
  readonly trials: number
  /** Executions of a trial. */
  readonly runs: number
}

const FULL: readonly Plan[] = [
  { strategy: 'portfolio', variant: 'buggy', trials: 10, runs: 200 },
  { strategy: 'random', variant: 'buggy', trials: 10, runs: 200 },
  { strategy: 'pct', variant: 'buggy', trials: 10, runs: 200 },
  { strategy: 'natural', variant: 'buggy', trials: 10, runs: 200 },
  { strategy: 'stress', variant: 'buggy', trials: 1, runs: 30 },
  { strategy: 'portfolio', variant: 'fixed', trials: 1, runs: 5000 },
  { strategy: 'random', variant: 'fixed', trials: 1, runs: 1000 },
  { strategy: 'pct', variant: 'fixed', trials: 1, runs: 1000 },
  { strategy: 'natural', variant: 'fixed', trials: 1, runs: 200 },
  { strategy: 'stress', variant: 'fixed', trials: 1, runs: 30 },
]

const SMOKE: readonly Plan[] = [
  { strategy: 'portfolio', variant: 'buggy', trials: 2, runs: 200 },
  { strategy: 'random', variant: 'buggy', trials: 1, runs: 200 },
  { strategy: 'pct', variant: 'buggy', trials: 1, runs: 200 },
  { strategy: 'natural', variant: 'buggy', trials: 1, runs: 50 },
  { strategy: 'portfolio', variant: 'fixed', trials: 1, runs: 200 },
]

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const files = readdirSync(SUBJECTS).filter((name) => name.endsWith('.fuzz.ts') && name.includes(only ?? ''))
  const table: Row[] = []
  for (const file of files.sort()) {
    for (const variant of ['buggy', 'fixed'] as const) {
      const side = new Side(file, variant)
      try {
        for (const plan of (smoke ? SMOKE : FULL).filter((p) => p.variant === variant)) {
          const row = await side.measure(plan)
          table.push(row)
          if (json) console.log(JSON.stringify(row))
          else console.error(`${row.subject} ${row.variant} ${row.strategy}: ${row.found}/${row.trials}`)
        }
      } finally {
        side.close()
      }
    }
  }
  if (!json) printTable(table)
}

export interface Found {
  readonly runs: number
  readonly ms: number
  readonly choices: number
}

interface Measured {
  readonly found: readonly Found[]
  /** Executions that failed. */
  readonly alarms: number
}

/** One subject in one variant: a process that runs its executions, for all strategies. */
class Side {
  readonly #path: string
  readonly #subject: string
  readonly #variant: Row['variant']
  readonly #aliases: [string, string][]
  readonly #worker: Worker

  constructor(file: string, variant: Row['variant']) {
    this.#subject = file.replace(/\.fuzz\.ts$/, '')
    this.#path = resolve(SUBJECTS, file)
    this.#variant = variant
    this.#aliases = variant === 'fixed' ? [fixedSide(this.#subject)] : []
    this.#worker = new Worker({ file: this.#path, root: ROOT, aliases: this.#aliases })
  }

  close(): void {
    this.#worker.close()
  }

  async measure(plan: Plan): Promise<Row> {
    const stressed = plan.strategy === 'stress'
    const { found, alarms } = stressed
      ? await stress(this.#path, this.#aliases, plan.trials, plan.runs)
      : await this.#campaigns(plan)
    const buggy = this.#variant === 'buggy'
    return {
      suite: 'races',
      subject: this.#subject,
      variant: this.#variant,
      strategy: plan.strategy,
      trials: plan.trials,
      found: found.length,
      medianRuns: found.length === 0 ? null : median(found.map(({ runs }) => runs)),
      medianMs: found.length === 0 ? null : Math.round(median(found.map(({ ms }) => ms))),
      choices: buggy && !stressed && found.length > 0 ? Math.max(...found.map(({ choices }) => choices)) : null,
      falseAlarms: buggy ? 0 : alarms,
    }
  }

  async #campaigns(plan: Plan): Promise<Measured> {
    const found: Found[] = []
    let alarms = 0
    const [property] = await this.#worker.list()
    const buggy = this.#variant === 'buggy'
    for (let seed = 1; seed <= plan.trials; seed++) {
      const began = performance.now()
      let ms = 0
      let failure: FoundFailure | undefined
      const options = {
        strategy: plan.strategy,
        runs: plan.runs,
        timeMs: 1e9,
        keepGoing: !buggy,
        shrink: buggy,
        skip: 0,
      }
      const summary = await this.#worker.explore(property!, { seed, ...options }, (notice) => {
        if (notice.type === 'found') ms = performance.now() - began
        if (notice.type === 'shrunk') failure = notice.failure
        if (notice.type === 'voided') throw new Error(`${this.#path}: ${notice.report.what} is not controlled`)
      })
      alarms += summary.failed
      if (failure === undefined) continue
      const late = failure.result.choices!.schedule.filter((choice) => !isNatural(choice))
      found.push({ runs: failure.foundAt, ms, choices: late.length })
    }
    return { found, alarms }
  }
}

function printTable(rows: readonly Row[]): void {
  const columns = [
    'subject',
    'variant',
    'strategy',
    'trials',
    'found',
    'medianRuns',
    'medianMs',
    'choices',
    'falseAlarms',
  ] as const
  const cells = [columns.map(String), ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)))
  for (const row of cells) console.log(row.map((cell, index) => cell.padEnd(widths[index]!)).join('  '))
}

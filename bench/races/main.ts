/**
 * The races suite: known bugs of published packages, searched for in their buggy and in their fixed
 * version by each strategy and by stress on the stock loop.
 *
 * A trial is one campaign from one seed. A row has the trials that found the bug, the median
 * executions and milliseconds until then (without shrinking), the largest number of delayed
 * operations after shrinking, and for the fixed version the executions that failed.
 */

import { isSimplest } from '../../packages/norn/src/contract/choice.ts'
import { describeReason } from '../../packages/norn/src/contract/inconclusive.ts'
import { CAMPAIGN, type FoundFailure, Worker } from '../engine.ts'
import { printTable } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { defineSuite, type FilteredOptions, ONLY } from '../suite.ts'
import { type Found, type Searched, stress } from './stress.ts'
import { fixedSide, ROOT, subjectFile, subjects } from './subjects.ts'

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
  /** The only subject that it applies to. */
  readonly subject?: string
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
  { strategy: 'random', variant: 'buggy', trials: 1, runs: 200, subject: 'steno' },
  { strategy: 'pct', variant: 'buggy', trials: 1, runs: 200, subject: 'steno' },
  { strategy: 'natural', variant: 'buggy', trials: 1, runs: 50 },
  { strategy: 'portfolio', variant: 'fixed', trials: 1, runs: 200 },
]

export const suite = defineSuite({
  summary: 'known races of published packages, found in the buggy version and not in the fixed one',
  options: { only: ONLY },
  run,
})

async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const table: Row[] = []
  for (const subject of subjects(only)) {
    for (const variant of ['buggy', 'fixed'] as const) {
      const side = new Side(subject, variant)
      try {
        for (const plan of smoke ? SMOKE : FULL) {
          if (plan.variant !== variant || (plan.subject ?? subject) !== subject) continue
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
  if (json) return
  printTable(table, [
    ...(['subject', 'variant', 'strategy', 'trials', 'found'] as const),
    ...(['medianRuns', 'medianMs', 'choices', 'falseAlarms'] as const),
  ])
}

/** One subject in one variant: one process runs its executions for all strategies. */
class Side {
  readonly #path: string
  readonly #subject: string
  readonly #variant: Row['variant']
  readonly #aliases: [string, string][]
  readonly #worker: Worker

  constructor(subject: string, variant: Row['variant']) {
    this.#subject = subject
    this.#path = subjectFile(subject)
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

  async #campaigns(plan: Plan): Promise<Searched> {
    const found: Found[] = []
    let alarms = 0
    const [property] = await this.#worker.list()
    const buggy = this.#variant === 'buggy'
    for (let seed = 1; seed <= plan.trials; seed++) {
      const began = performance.now()
      let ms = 0
      let failure: FoundFailure | undefined
      const { strategy, runs } = plan
      const options = { ...CAMPAIGN, seed, strategy, runs, keepGoing: !buggy, shrink: buggy }
      const summary = await this.#worker.explore(property!, options, (notice) => {
        if (notice.type === 'found') ms = performance.now() - began
        if (notice.type === 'shrunk') failure = notice.failure
        if (notice.type === 'inconclusive') throw new Error(`${this.#path}: ${describeReason(notice.report.reason)}`)
      })
      alarms += summary.failed
      if (failure === undefined) continue
      const delayed = failure.result.choices!.schedule.filter((choice) => !isSimplest(choice))
      found.push({ runs: failure.foundAt, ms, choices: delayed.length })
    }
    return { found, alarms }
  }
}

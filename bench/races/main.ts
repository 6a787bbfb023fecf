/**
 * The races suite: known bugs of published packages, searched for in their buggy and in their fixed
 * version by each strategy and by stress on the stock loop.
 *
 * A trial is one campaign from one seed. A row has the trials that found the bug, the median
 * executions and milliseconds until then (without shrinking), the largest number of delayed
 * operations after shrinking, and for the fixed version the executions that failed.
 */
import { isSimplest } from '../../packages/norn/src/contract/choice.ts'
import { printTable } from '../output.ts'
import { RACES, type Race } from '../subjects/catalogue.ts'
import { defineSuite, type FilteredOptions, ONLY } from '../suite.ts'
import { stockTrials } from '../trials/stock-trials.ts'
import { SubjectProcess } from '../trials/subject-process.ts'
import { type Found, foundIn, seedsUpTo, type Trial } from '../trials/trial.ts'

interface Row extends Found {
  readonly suite: 'races'
  readonly subject: string
  readonly variant: 'buggy' | 'fixed'
  readonly strategy: string
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

/** Of the trials under stress, in milliseconds. The longest subject sleeps 20 s: a longer body hangs. */
const STRESS = { timeMs: 30_000, bodyMs: 40_000 }

async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const table: Row[] = []
  for (const race of RACES.filter(({ name }) => name.includes(only))) {
    for (const variant of ['buggy', 'fixed'] as const) {
      const aliases = variant === 'fixed' ? [race.fix] : []
      // One process runs the executions of a variant for all strategies.
      const process = new SubjectProcess(race, aliases)
      try {
        for (const plan of smoke ? SMOKE : FULL) {
          if (plan.variant !== variant || (plan.subject ?? race.name) !== race.name) continue
          const row = rowOf(race, plan, await trialsOf(process, race, plan, aliases))
          table.push(row)
          if (json) console.log(JSON.stringify(row))
          else console.error(`${row.subject} ${row.variant} ${row.strategy}: ${row.found}/${row.trials}`)
        }
      } finally {
        process.close()
      }
    }
  }
  if (json) return
  printTable(table, [
    ...(['subject', 'variant', 'strategy', 'trials', 'found'] as const),
    ...(['medianRuns', 'medianMs', 'choices', 'falseAlarms'] as const),
  ])
}

async function trialsOf(
  process: SubjectProcess,
  { file }: Race,
  { strategy, variant, trials: count, runs }: Plan,
  aliases: readonly Race['fix'][],
): Promise<readonly Trial[]> {
  const { timeMs, bodyMs } = STRESS
  if (strategy === 'stress') return stockTrials('stress', { file, aliases, bodyMs }, seedsUpTo(count), { timeMs, runs })
  const isBuggy = variant === 'buggy'
  const search = { strategy, keepGoing: !isBuggy, shrink: isBuggy }
  const trials: Trial[] = []
  for (const seed of seedsUpTo(count)) trials.push(await process.trial(search, seed, { runs }))
  return trials
}

function rowOf({ name }: Race, { strategy, variant }: Plan, trials: readonly Trial[]): Row {
  const delayed = trials.flatMap(({ shrunk }) =>
    shrunk === undefined ? [] : shrunk.result.choices!.schedule.filter((choice) => !isSimplest(choice)).length,
  )
  return {
    suite: 'races',
    subject: name,
    variant,
    strategy,
    ...foundIn(trials),
    choices: delayed.length === 0 ? null : Math.max(...delayed),
    falseAlarms: variant === 'buggy' ? 0 : trials.reduce((sum, { failures }) => sum + failures, 0),
  }
}

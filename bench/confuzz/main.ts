/**
 * The confuzz suite: ConFuzz's subjects and the needle of "Combining AFL and QuickCheck", by guided
 * search and by baselines.
 *
 * A trial is one campaign from one seed, until the first failure. A row has the trials with a
 * failure, the median of executions and the mean and median of milliseconds over those, and the
 * seeds of the others; a technique that a subject rules out has a row with the reason. The summary
 * over all rows comes last (summary.ts).
 */
import { printTable } from '../output.ts'
import { sideBySide } from '../processes.ts'
import { mean, median } from '../statistics/summary.ts'
import { CONFUZZ, type PaperSubject } from '../subjects/catalogue.ts'
import { type CommonOptions, count, defineSuite, list, ONLY, seconds, UsageError } from '../suite.ts'
import { type Budget, endedAtLimit, type Found, foundIn, seedsUpTo, type Trial } from '../trials/trial.ts'
import { byTechnique, cappedRuns, type Gain, gain, growth, type Measured, type TechniqueSummary } from './summary.ts'
import { Searched, TECHNIQUES, type Technique } from './techniques.ts'

/** The columns of the races suite, and more. */
interface Row extends Found {
  readonly suite: 'confuzz'
  readonly subject: string
  readonly variant: 'buggy'
  readonly strategy: string
  /** Over the trials that found it. */
  readonly meanMs: number | null
  /** Over all trials; a trial that found nothing counts as the cap. */
  readonly cappedRuns: number | null
  /** Failures are not shrunk. */
  readonly choices: null
  readonly falseAlarms: 0
  /** Seeds of the trials that did not find it. */
  readonly missed: readonly number[]
  /**
   * Trials that ended at the time limit without a failure: their row is not a function of the
   * seeds.
   */
  readonly outOfTime: number
  /** Why the technique was not used. */
  readonly skipped?: string
}

/** One subject of each kind: schedule, input, both, comparison, branches. */
const SMOKE_SUBJECTS = ['IR', 'TCP', 'MX', 'B2(1)', 'needle']

const NAMES = TECHNIQUES.map(({ name }) => name)

interface Options extends CommonOptions {
  readonly only: string | undefined
  readonly techniques: readonly string[] | undefined
  readonly trials: number | undefined
  readonly timeMs: number | undefined
  readonly jobs: number | undefined
}

export const suite = defineSuite({
  summary: "ConFuzz's subjects, by guided search and five baselines",
  options: {
    only: ONLY,
    techniques: list('techniques', `only these (default: ${NAMES.join(',')})`, NAMES),
    trials: count('trials', 'trials of each technique, seeds 1 to N (default: guided 30, others 10; --smoke 2 and 1)'),
    timeMs: seconds('time', 'limit of one trial (default: 60; --smoke 2 guided, 0.25 others)'),
    jobs: count('jobs', 'subjects at a time (default: 1)'),
  },
  run,
})

async function run(options: Options): Promise<void> {
  const { smoke, json, only, jobs = 1, techniques: names = NAMES } = options
  const techniques = names.map((name) => TECHNIQUES.find((technique) => technique.name === name)!)
  const subjects = CONFUZZ.filter(({ name }) =>
    only === undefined ? !smoke || SMOKE_SUBJECTS.includes(name) : name.includes(only),
  )
  if (subjects.length === 0) {
    const all = CONFUZZ.map(({ name }) => name).join(', ')
    throw new UsageError(`--only matches no subject: "${only}". Choose from ${all}`)
  }
  const measured: Measured[] = []
  const rows: Row[] = []
  await sideBySide(subjects, jobs, async (subject) => {
    const running = new Searched(subject)
    try {
      for (const technique of techniques) {
        const budget = budgetOf(technique, options)
        const trials = await measure(running, technique, budget, options)
        measured.push({ subject: subject.name, technique: technique.name, trials })
        const row = rowOf(subject, technique.name, trials, budget)
        rows.push(row)
        if (json) console.log(JSON.stringify(row))
        else console.error(`${row.subject} ${row.strategy}: ${row.skipped ?? `${row.found}/${row.trials}`}`)
      }
    } finally {
      running.close()
    }
  })
  if (!json) {
    const columns = ['subject', 'strategy', 'trials', 'found', 'medianRuns', 'medianMs', 'meanMs', 'skipped'] as const
    printTable(inOrder(rows), columns)
  }
  const ordered = CONFUZZ.flatMap(({ name }) => measured.filter(({ subject }) => subject === name))
  const together = { techniques: byTechnique(ordered), gain: gain(ordered), b2Growth: growth(ordered) }
  if (json) console.log(JSON.stringify({ suite: 'confuzz', summary: together }))
  const print = json ? console.error : console.log
  for (const line of describe(together, rows)) print(line)
}

function budgetOf(technique: Technique, { smoke, timeMs }: Options): Budget {
  const { budget } = smoke ? technique.smoke : technique
  return { ...budget, timeMs: timeMs ?? budget.timeMs }
}

async function measure(
  running: Searched,
  technique: Technique,
  budget: Budget,
  { smoke, trials }: Options,
): Promise<Trial[]> {
  if (running.subject.without[technique.name] !== undefined) return []
  const count = trials ?? (smoke ? technique.smoke : technique).trials
  return technique.run(running, seedsUpTo(count), budget)
}

function rowOf({ name, without }: PaperSubject, strategy: string, trials: readonly Trial[], budget: Budget): Row {
  const milliseconds = trials.filter(({ found }) => found).map(({ ms }) => ms)
  const skipped = without[strategy]
  return {
    suite: 'confuzz',
    subject: name,
    variant: 'buggy',
    strategy,
    ...foundIn(trials),
    meanMs: milliseconds.length === 0 ? null : Math.round(mean(milliseconds)),
    cappedRuns: trials.length === 0 ? null : median(trials.map(cappedRuns)),
    choices: null,
    falseAlarms: 0,
    missed: trials.filter((trial) => !trial.found).map(({ seed }) => seed),
    outOfTime: trials.filter((trial) => endedAtLimit(trial, budget)).length,
    ...(skipped === undefined ? {} : { skipped }),
  }
}

interface Together {
  readonly techniques: readonly TechniqueSummary[]
  readonly gain: Gain | undefined
  readonly b2Growth: number | undefined
}

function describe({ techniques, gain, b2Growth }: Together, rows: readonly Row[]): string[] {
  const lines = techniques.map(({ technique, found, trials, meanMs, medianRuns }) => {
    const time = meanMs === null ? '' : `, ${(meanMs / 1000).toFixed(2)} s in the mean where it was found`
    return `${technique}: found in ${found} of ${trials} trials${time}, ${medianRuns} executions in the median`
  })
  if (gain !== undefined) {
    const { mean, bySubject, worst, doesNotPay } = gain
    lines.push(
      `guidance: ${mean.toFixed(2)} times fewer executions (geometric mean of ${bySubject.length} subjects), worst ${worst.ratio.toFixed(2)} (${worst.subject})`,
      doesNotPay.length === 0 ? 'guidance pays everywhere' : `guidance does not pay: ${doesNotPay.join(', ')}`,
    )
  }
  if (b2Growth !== undefined) lines.push(`B2: n = 5 takes ${b2Growth.toFixed(1)} times as long as n = 1`)
  for (const { subject, strategy, missed } of rows) {
    if (strategy === 'guided' && missed.length > 0) lines.push(`guided missed ${subject}: seeds ${missed.join(', ')}`)
  }
  return lines
}

function inOrder(rows: readonly Row[]): Row[] {
  return CONFUZZ.flatMap(({ name }) => rows.filter(({ subject }) => subject === name))
}

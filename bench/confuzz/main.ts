/**
 * The confuzz suite: ConFuzz's subjects and the needle of "Combining AFL and QuickCheck", hunted guided and by what there
 * was before.
 *
 * A trial is one campaign from one seed, until the first failure. A row tells in how many trials there was one, the
 * median number of executions and the mean and median of milliseconds over those, and which seeds missed it; a technique
 * that cannot be used with a subject has a row with the reason. What they say together comes last.
 */

import type { BenchOptions } from '../main.ts'
import { mean, median } from '../statistics/summary.ts'
import { SUBJECTS, type Subject } from './subjects.ts'
import { byTechnique, cappedRuns, type Gain, gain, growth, type Measured, type TechniqueSummary } from './summary.ts'
import { SubjectProcess, TECHNIQUES, type Technique } from './techniques.ts'
import type { Trial } from './trial.ts'

/** The columns of the races suite, and more. */
interface Row {
  readonly suite: 'confuzz'
  readonly subject: string
  readonly variant: 'buggy'
  readonly strategy: string
  readonly trials: number
  readonly found: number
  /** Over the trials that found it. */
  readonly medianRuns: number | null
  readonly medianMs: number | null
  readonly meanMs: number | null
  /** Over all trials; one that found nothing counts as the cap. */
  readonly cappedRuns: number | null
  /** Nothing is shrunk. */
  readonly choices: null
  readonly falseAlarms: 0
  /** Seeds of the trials that did not find it. */
  readonly missed: readonly number[]
  /** Why the technique was not used. */
  readonly skipped?: string
}

/** Few, and of each kind: by schedule, by input, by both, by comparison, by branches. */
const SMOKE_SUBJECTS = ['IR', 'TCP', 'MX', 'B2(1)', 'needle']

export async function main(options: BenchOptions): Promise<void> {
  const { smoke, json, only } = options
  const techniques = chosenTechniques(options.techniques)
  const subjects = SUBJECTS.filter(({ name }) =>
    only === undefined ? !smoke || SMOKE_SUBJECTS.includes(name) : name.includes(only),
  )
  if (subjects.length === 0) refuse(`no subject has "${only}" in its name`, SUBJECTS)
  const measured: Measured[] = []
  const rows: Row[] = []
  await sideBySide(subjects, options.jobs ?? 1, async (subject) => {
    const running = new SubjectProcess(subject)
    try {
      for (const technique of techniques) {
        const trials = await measure(running, technique, options)
        measured.push({ subject: subject.name, technique: technique.name, trials })
        const row = rowOf(subject, technique.name, trials)
        rows.push(row)
        if (json) console.log(JSON.stringify(row))
        else console.error(`${row.subject} ${row.strategy}: ${row.skipped ?? `${row.found}/${row.trials}`}`)
      }
    } finally {
      running.close()
    }
  })
  if (!json) printTable(inOrder(rows))
  const ordered = SUBJECTS.flatMap(({ name }) => measured.filter(({ subject }) => subject === name))
  const together = { techniques: byTechnique(ordered), gain: gain(ordered), b2Growth: growth(ordered) }
  if (json) console.log(JSON.stringify({ suite: 'confuzz', summary: together }))
  const print = json ? console.error : console.log
  for (const line of describe(together, rows)) print(line)
}

function chosenTechniques(names: string | undefined): readonly Technique[] {
  if (names === undefined) return TECHNIQUES
  return names.split(',').map((name) => {
    const found = TECHNIQUES.find((technique) => technique.name === name)
    return found ?? refuse(`no technique is called "${name}"`, TECHNIQUES)
  })
}

/** Ends the process: the call is wrong. */
function refuse(what: string, choices: readonly { readonly name: string }[]): never {
  console.error(`${what}; there are ${choices.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

async function measure(running: SubjectProcess, technique: Technique, options: BenchOptions): Promise<Trial[]> {
  if (running.subject.without[technique.name] !== undefined) return []
  const planned = options.smoke ? technique.smoke : technique
  const seeds = Array.from({ length: options.trials ?? planned.trials }, (_, index) => index + 1)
  const timeMs = options.timeMs ?? planned.budget.timeMs
  return technique.run(running, seeds, { ...planned.budget, timeMs })
}

/** Does it for each, so many at a time. */
async function sideBySide<Each>(all: readonly Each[], jobs: number, action: (each: Each) => Promise<void>) {
  const left = [...all]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await action(next)
  }
  await Promise.all(Array.from({ length: jobs }, work))
}

function rowOf({ name, without }: Subject, strategy: string, trials: readonly Trial[]): Row {
  const found = trials.filter((trial) => trial.found)
  const milliseconds = found.map(({ ms }) => ms)
  const skipped = without[strategy]
  return {
    suite: 'confuzz',
    subject: name,
    variant: 'buggy',
    strategy,
    trials: trials.length,
    found: found.length,
    medianRuns: found.length === 0 ? null : median(found.map(({ runs }) => runs)),
    medianMs: found.length === 0 ? null : Math.round(median(milliseconds)),
    meanMs: found.length === 0 ? null : Math.round(mean(milliseconds)),
    cappedRuns: trials.length === 0 ? null : median(trials.map(cappedRuns)),
    choices: null,
    falseAlarms: 0,
    missed: trials.filter((trial) => !trial.found).map(({ seed }) => seed),
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
  return SUBJECTS.flatMap(({ name }) => rows.filter(({ subject }) => subject === name))
}

function printTable(rows: readonly Row[]): void {
  const columns = ['subject', 'strategy', 'trials', 'found', 'medianRuns', 'medianMs', 'meanMs', 'skipped'] as const
  const cells = [columns.map(String), ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)))
  for (const row of cells)
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
}

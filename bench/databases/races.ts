/**
 * Published races of packages over a database: found from each seed in the version that had them, and never in the one
 * that mended them. Exits with 1 otherwise.
 */
import { installPackages } from '../install.ts'
import { rounded } from '../measure.ts'
import { printTable } from '../output.ts'
import { DATABASE_RACES, DATABASE_RACES_FOLDER, type DatabaseRace } from '../subjects/catalogue.ts'
import type { FilteredOptions } from '../suite.ts'
import { SubjectProcess } from '../trials/subject-process.ts'
import { foundIn, seedsUpTo, type Trial } from '../trials/trial.ts'

interface Row {
  readonly suite: 'databases'
  readonly part: 'races'
  readonly subject: string
  readonly version: 'buggy' | 'fixed'
  readonly trials: number
  readonly found: number
  /** Until it is found. */
  readonly medianRuns: number | null
  readonly worstRuns: number | null
  readonly medianSeconds: number | null
  /** Of all trials. */
  readonly executions: number
}

/** Of the buggy version: trials of so many executions at most. Of the fixed one: one trial of all its executions. */
const FULL = { trials: 10, runs: 500, fixed: 2000 }
const SMOKE = { trials: 2, runs: 500, fixed: 20 }

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  installPackages(DATABASE_RACES_FOLDER)
  const rows: Row[] = []
  for (const race of DATABASE_RACES.filter(({ name }) => name.includes(only))) {
    for (const version of ['buggy', 'fixed'] as const) {
      const row = rowOf(race, version, await trialsOf(race, version, effort))
      rows.push(row)
      if (json) console.log(JSON.stringify(row))
      else console.error(`${race.name}, ${version}: found ${row.found}/${row.trials} in ${row.executions} executions`)
    }
  }
  if (rows.some(({ version, trials, found }) => found !== (version === 'buggy' ? trials : 0))) process.exitCode = 1
  if (json) return
  printTable(rows, [
    ...(['subject', 'version', 'trials', 'found'] as const),
    ...(['medianRuns', 'worstRuns', 'medianSeconds', 'executions'] as const),
  ])
}

async function trialsOf(race: DatabaseRace, version: Row['version'], effort: typeof FULL): Promise<readonly Trial[]> {
  const isBuggy = version === 'buggy'
  const databases = race.databases(`${race.package}-${version}`)
  const subject = new SubjectProcess(race, isBuggy ? [] : [race.fix], databases)
  try {
    const trials: Trial[] = []
    for (const seed of seedsUpTo(isBuggy ? effort.trials : 1))
      trials.push(await subject.trial({ strategy: 'portfolio' }, seed, { runs: isBuggy ? effort.runs : effort.fixed }))
    return trials
  } finally {
    subject.close()
  }
}

function rowOf({ name }: DatabaseRace, version: Row['version'], all: readonly Trial[]): Row {
  const { trials, found, medianRuns, medianMs } = foundIn(all)
  const until = all.filter(({ found }) => found).map(({ runs }) => runs)
  return {
    suite: 'databases',
    part: 'races',
    subject: name,
    version,
    trials,
    found,
    medianRuns,
    worstRuns: until.length === 0 ? null : Math.max(...until),
    medianSeconds: medianMs === null ? null : rounded(medianMs / 1000),
    executions: all.reduce((sum, { runs }) => sum + runs, 0),
  }
}

/**
 * No false alarms: the tests of published packages, run in the world under random legal schedules.
 *
 * A test that passes on stock Node must pass in the world under every schedule, except for bounds
 * on real time (expected.ts). Any other failure is an error of norn or of the package. Exits with 1
 * if a failure is not explained.
 */
import { resolve } from 'node:path'
import { printTable } from '../../output.ts'
import type { FilteredOptions } from '../../suite.ts'
import { examine, type TestOutcome } from './examine.ts'
import { expectation, stale } from './expected.ts'
import type { ExpectedKind } from './expected-kinds.ts'
import { ownSuites, repositorySuites, type SuiteFile } from './sources.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Tests of our own, and a published suite for each framework that loads fast. */
const SMOKE = new Set(['async', 'eventemitter3', 'fastq', 'graceful-fs', 'p-limit', 'p-queue', 'workq'])

/** Reasons of failures that only delays and cuts bring about. */
const TIMELY: ReadonlySet<ExpectedKind> = new Set(['time bound', 'stream bound', 'fixed order'])

/** Executions of each test under random schedules. */
const RUNS = { full: 200, smoke: 5 }

interface Row {
  readonly suite: 'no-false-alarms'
  readonly package: string
  readonly version: string
  readonly source: SuiteFile['source']
  readonly tests: number
  readonly skipped: number
  readonly passedStock: number
  readonly passedNatural: number
  readonly executions: number
  /**
   * Tests that failed in the world, or are too heavy for it, by the reason in expected.ts; and
   * those without one.
   */
  readonly timeBound: number
  readonly earlyTimer: number
  readonly streamBound: number
  readonly fixedOrder: number
  readonly limits: number
  readonly findings: number
  readonly tooHeavy: number
  readonly unexplained: number
  /** Tests with inconclusive executions. */
  readonly void: number
}

export interface Options extends FilteredOptions {
  /** A folder of checkouts, DIR/<package>/, whose tests are run. */
  readonly suites: string | undefined
  /** Executions of each test. */
  readonly runs: number | undefined
}

export async function run(options: Options): Promise<void> {
  const { smoke, json, only = '', suites, runs } = options
  const files = suites === undefined ? ownSuites() : repositorySuites(resolve(suites))
  // 'package', or 'package:part of a test's name'.
  const [packagePart = '', testPart = ''] = only.split(':')
  const chosen = files.filter(
    (file) => `${file.package}/${file.name}`.includes(packagePart) && (!smoke || SMOKE.has(file.package)),
  )
  const rows: Row[] = []
  const notes: string[] = []
  const all: TestOutcome[] = []
  let unexplained = 0
  const runsOfTest = runs ?? (smoke ? RUNS.smoke : RUNS.full)
  for (const name of new Set(chosen.map((file) => file.package))) {
    const tests: TestOutcome[] = []
    let skipped = 0
    let unloadable = 0
    const mine = chosen.filter((file) => file.package === name)
    for (const file of mine) {
      if (!json) process.stderr.write(`${name} ${file.name}\n`)
      const outcome = await examine(file, ROOT, runsOfTest, (test) => test.includes(testPart))
      tests.push(...outcome.tests)
      skipped += outcome.skipped.length
      if (outcome.unloadable === undefined) continue
      const { inWorld, onStock } = outcome.unloadable
      if (onStock === undefined) unloadable++
      const where =
        onStock === undefined ? 'UNEXPLAINED: does not load in the world' : 'does not load on stock Node either'
      notes.push(`${name} ${file.name}: ${where}: ${inWorld}`)
    }
    all.push(...tests)
    const surprising = tests.filter((test) => unexplainedFailures(test).length > 0)
    unexplained += surprising.length + unloadable
    rows.push({
      suite: 'no-false-alarms',
      package: name,
      version: mine[0]!.version,
      source: mine[0]!.source,
      tests: tests.length,
      skipped,
      passedStock: tests.filter((test) => test.stock === undefined).length,
      passedNatural: tests.filter((test) => test.natural === 'passed').length,
      executions: tests.reduce((sum, test) => sum + test.executions, 0),
      timeBound: explained(tests, 'time bound'),
      earlyTimer: explained(tests, 'early timer'),
      streamBound: explained(tests, 'stream bound'),
      fixedOrder: explained(tests, 'fixed order'),
      limits: explained(tests, 'limit'),
      findings: explained(tests, 'finding'),
      tooHeavy: explained(tests, 'too heavy'),
      unexplained: surprising.length + unloadable,
      void: tests.filter((test) => test.voids.length > 0).length,
    })
    notes.push(...tests.flatMap(noteOf))
    if (json) console.log(JSON.stringify(rows.at(-1)))
  }
  // A short run need not show every expected failure.
  const idle = smoke || runs !== undefined ? [] : stale(all)
  notes.push(...idle)
  if (json) for (const note of notes) console.log(JSON.stringify({ suite: 'no-false-alarms', note }))
  else {
    for (const note of notes) console.log(note)
    printTable(rows, [
      ...(['package', 'version', 'source', 'tests', 'skipped', 'passedStock', 'passedNatural'] as const),
      ...([
        'executions',
        'timeBound',
        'earlyTimer',
        'streamBound',
        'fixedOrder',
        'limits',
        'findings',
        'tooHeavy',
        'unexplained',
        'void',
      ] as const),
    ])
  }
  if (unexplained + idle.length > 0) process.exitCode = 1
}

function unexplainedFailures(outcome: TestOutcome) {
  return outcome.failures.filter(({ message }) => isSurprising(outcome, message))
}

/**
 * Whether nothing explains a failure. Under the default schedule, what counts on nothing being late
 * or cut explains nothing.
 */
function isSurprising(outcome: TestOutcome, message: string): boolean {
  const kind = expectation(outcome, message)?.kind
  return kind === undefined || (TIMELY.has(kind) && outcome.natural === 'failed')
}

function explained(tests: readonly TestOutcome[], kind: ExpectedKind): number {
  return tests.filter((outcome) => {
    if (kind === 'too heavy') return outcome.stock === undefined && outcome.natural === 'not run'
    return outcome.failures.some(({ message }) => expectation(outcome, message)?.kind === kind)
  }).length
}

function noteOf(outcome: TestOutcome): string[] {
  const { file, test, stock, natural, executions, failed, failures, voids } = outcome
  const where = `${file.package} ${file.name} '${test}'`
  const notes: string[] = []
  if (stock !== undefined) notes.push(`${where}: fails on stock Node: ${stock.split('\n')[0]}`)
  else if (natural === 'not run') notes.push(`${where}: not run: ${expectation(outcome)!.reason}`)
  for (const what of voids) notes.push(`${where}: inconclusive: ${what}`)
  for (const { message } of failures) {
    const when = natural === 'failed' ? 'under the default schedule' : `${failed} of ${executions}`
    const why = expectation(outcome, message)
    if (isSurprising(outcome, message)) notes.push(`${where}: UNEXPLAINED (${when}): ${message}`)
    else notes.push(`${where}: ${why!.kind} (${when}): ${why!.reason}`)
  }
  return [...new Set(notes)]
}

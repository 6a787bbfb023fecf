/** `norn flaky [FILES…]`: runs the tests of a project's own runner under schedules. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { print } from '#shared/print'
import { statusLine } from '#shared/status-line'
import type { FoundFailure } from '../contract/events.ts'
import { plural } from '../contract/text.ts'
import { TEST_VERDICTS, VERDICTS, verdictOfCall } from '../contract/verdict.ts'
import type { ClockKind } from '../contract/wall-clock.ts'
import { clock, count, duration, integer, seed, text, toggle } from '../options/kinds.ts'
import { flag, type Named, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failureText } from '../report/failure.ts'
import { foundText, inputTitle } from '../report/finding.ts'
import { flakeKind } from '../report/flake-kind.ts'
import {
  clearedText,
  fileText,
  flakySummary,
  flakyTitle,
  kindLines,
  outcomeText,
  quarantineLines,
} from '../report/flaky.ts'
import { FORMATS, type ResultPaths } from '../report/formats.ts'
import { commandFor } from '../report/invocation.ts'
import { replayPurpose } from '../report/locals.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { currentCommit } from '../session/commit.ts'
import { changedSince } from '../session/flaky/changed.ts'
import { type FlakyObserver, type FlakyResult, FlakySession } from '../session/flaky/flaky-session.ts'
import { fingerprintOf, QUARANTINE_FILE, type Quarantine, readQuarantine } from '../session/flaky/quarantine.ts'
import { testFiles } from '../session/flaky/test-files.ts'
import type { FlakyTest, TestReport } from '../session/flaky/test-report.ts'
import { processOptions, projectAliases, projectOpen } from '../session/project.ts'
import type { UnloadedFile } from '../session/targets.ts'
import { type ExitStatus, STATUS, worst } from './exit-status.ts'
import { interruption } from './interruption.ts'
import { Results } from './results.ts'

const DEFAULT_TIME_MS = 600_000
const DEFAULT_SCHEDULES = 5
const DEFAULT_RUNS = 100
const MAX_WORKERS = 256
const DEFAULT_CLOCK: readonly ClockKind[] = ['start', 'pauses']

export const FLAKY_OPTIONS = {
  timeMs: flag(duration, '--time <duration>', 'budget of the whole call: 30s, 10m, 8h', {
    default: '10m',
    fallback: '10m',
  }),
  schedules: flag(
    count,
    '--schedules <count>',
    'executions of each test in the first pass, beside the default schedule',
    {
      fallback: `${DEFAULT_SCHEDULES}`,
    },
  ),
  runs: flag(count, '--runs <count>', 'executions of each test at most, in all rounds', {
    fallback: `${DEFAULT_RUNS}`,
  }),
  seed: flag(seed, '--seed <number>', 'seed of the search (32 bits)', { fallback: '1' }),
  workers: flag(integer(1, MAX_WORKERS), '--workers <count>', 'files that run at the same time', {
    default: 'the processors',
    fallback: 'the number of processors',
  }),
  clock: flag(clock, '--clock <what>', 'how the clock varies: a list of start,pauses,corrections; or all; or none', {
    fallback: DEFAULT_CLOCK.join(),
  }),
  maxLatencyMs: flag(
    duration,
    '--max-latency <duration>',
    'the longest delay of an operation, and pause of the program',
    {
      fallback: '20ms',
    },
  ),
  test: flag(text, '--test <text>', 'run only tests whose name contains this', { default: 'all' }),
  changed: flag(text, '--changed <commit>', 'run only files of tests that changed since this commit, or load what did'),
  quarantine: flag(text, '--quarantine <file>', 'known flaky tests, for which the call does not fail', {
    fallback: `${QUARANTINE_FILE}, if there is one,`,
    default: '`norn.quarantine.json`, if there is one',
  }),
  ...FORMATS,
  json: flag(toggle, '--json', 'print JSON lines', { default: 'text' }),
} satisfies OptionTable

type FlakyCall = Named<typeof FLAKY_OPTIONS> & RunFlags & ResultPaths

export async function flakyCommand(named: readonly string[], call: FlakyCall): Promise<ExitStatus> {
  const root = process.cwd()
  const all = testFiles(named, root)
  const files = call.changed === undefined ? all : changedSince(call.changed, root, all)
  const quarantine = readQuarantine(call.quarantine, Date.now())
  const start = { root, aliases: projectAliases(root, call.alias), ...projectOpen(), ...processOptions(call) }
  const results = new Results(root, call)
  const began = performance.now()
  const { signal, ignore } = interruption()
  const reporter = new FlakyReporter(root, call.json ?? false, results, quarantine)
  if (call.changed !== undefined) reporter.selected(files.length, all.length, call.changed)
  const schedules = call.schedules ?? DEFAULT_SCHEDULES
  const session = new FlakySession(
    {
      seed: call.seed ?? 1,
      schedules,
      runs: Math.max(call.runs ?? DEFAULT_RUNS, schedules),
      timeMs: call.timeMs ?? DEFAULT_TIME_MS,
      workers: Math.max(1, Math.min(call.workers ?? availableParallelism(), files.length)),
      wanted: call.test,
      clock: call.clock ?? DEFAULT_CLOCK,
      maxLatencyMs: call.maxLatencyMs,
      origin: { root, commit: () => currentCommit(root) },
    },
    reporter,
    signal,
  )
  const result = await session.run(files.map((file) => ({ ...start, file: resolve(root, file), ordinaryTests: true })))
  ignore()
  const { isNew } = reporter.end(result, performance.now() - began)
  return worst([results.end(signal.aborted), statusOf(result, isNew, files.length)])
}

/** @param isNew whether a flaky test is not in quarantine */
function statusOf({ reports, unloaded }: FlakyResult, isNew: boolean, files: number): ExitStatus {
  const settled = reports.filter(({ verdict }) => verdict !== 'flaky')
  const ran = reports.filter(({ executions }) => executions > 0).map(() => 'passed' as const)
  return worst([
    ...settled.map(({ verdict }) => TEST_VERDICTS[verdict].status),
    isNew ? TEST_VERDICTS.flaky.status : STATUS.passed,
    files === 0 ? STATUS.passed : VERDICTS[verdictOfCall(ran)].status,
    ...unloaded.map(() => STATUS.undecided),
  ])
}

class FlakyReporter implements FlakyObserver {
  readonly #root: string
  readonly #isJson: boolean
  readonly #style = terminalStyle()
  readonly #status = statusLine(process.stderr)

  readonly #results: Results
  readonly #quarantine: Quarantine
  #isNew = false
  /** Flaky tests that files of results have. */
  readonly #told = new Set<string>()

  constructor(root: string, isJson: boolean, results: Results, quarantine: Quarantine) {
    this.#root = root
    this.#isJson = isJson
    this.#results = results
    this.#quarantine = quarantine
  }

  /** Of all files, those that have changed. */
  selected(files: number, all: number, commit: string): void {
    this.#say(`${files} of ${plural(all, 'file')} of tests have changed since ${commit}, or load what has`)
  }

  working(file: string, test?: string): void {
    this.#status.update(test === undefined ? `loading ${printableLine(file)}` : printableLine(`${file}: ${test}`))
  }

  passed(file: string, reports: readonly TestReport[]): void {
    this.#status.clear()
    for (const report of reports) this.#emit({ type: 'test', ...report })
    const text = fileText(file, reports, this.#style)
    if (text !== undefined) this.#say(text)
  }

  unloaded({ file, error }: UnloadedFile): void {
    this.#status.clear()
    this.#results.unloaded(file, error.message)
    this.#emit({ type: 'unloaded', file, why: error.message })
    this.#say(`${this.#style.warning('?')} ${error.message}`)
  }

  round(tests: number): void {
    this.#status.update(`searching longer: ${plural(tests, 'test')}`)
  }

  flaky({ report, findings }: FlakyTest): void {
    this.#status.clear()
    for (const finding of findings) this.#finding(report, finding)
  }

  cleared(report: TestReport): void {
    this.#status.clear()
    this.#emit({ type: 'cleared', ...report })
    this.#say(`\n${clearedText(report, this.#style)}`)
  }

  #finding(report: TestReport, finding: FoundFailure): void {
    const { file, name: test, line, failed, executions } = report
    const { result, confirmation, identity } = finding
    const path = finding.file?.path
    const after = finding.file?.saved.testNames?.slice(0, -1) ?? []
    const isMinimal = finding.shrinking?.complete === true
    const unless = report.unless?.departure
    const failure = { result, explanation: confirmation?.explanation, file, after, unless, isMinimal }
    const [named, fingerprint] = [{ file, test, identity }, fingerprintOf(identity)]
    const entry = this.#quarantine.entryFor(named)
    const title = flakyTitle(report)
    const text = {
      property: test,
      result,
      explanation: confirmation?.explanation,
      found: [
        title,
        ...kindLines(failure),
        ...quarantineLines(entry, this.#quarantine.endedFor(named)),
        foundText(finding),
      ].join('\n  '),
      inputTitle: inputTitle(finding),
      commands: path === undefined ? [] : ([[commandFor('replay', path), replayPurpose(result.failure!)]] as const),
    }
    const kind = flakeKind(failure)?.kind ?? null
    const quarantined = entry === undefined ? {} : { quarantined: entry }
    this.#emit({
      type: 'flaky',
      file,
      test,
      kind,
      failed,
      executions,
      fingerprint,
      saved: path ?? null,
      ...quarantined,
    })
    this.#say(`\n${failureText({ ...text, excerpt: excerptOf(result, this.#root, this.#style) }, this.#style)}`)
    if (entry !== undefined) return
    this.#isNew = true
    this.#told.add(keyOf(report))
    this.#results.flaky({ file, property: { name: test } }, text, title, line)
  }

  remark(text: string): void {
    this.#status.clear()
    this.#emit({ type: 'warning', what: text })
    this.#say(`${this.#style.warning('!')} ${printableLine(text)}`)
  }

  end({ reports, unloaded, isPartial }: FlakyResult, timeMs: number): { readonly isNew: boolean } {
    this.#status.clear()
    for (const report of reports) this.#outcome(report)
    this.#emit({ type: 'end', tests: reports.length, timeMs })
    this.#say(`\n${flakySummary({ reports, unloaded: unloaded.length, isPartial, timeMs }, this.#style)}`)
    return { isNew: this.#isNew }
  }

  /** For files of results; a flaky test that is not in quarantine has its problem already. */
  #outcome(report: TestReport): void {
    const named = { file: report.file, property: { name: report.name } }
    if (this.#told.has(keyOf(report))) return
    if (report.verdict === 'clean' || report.verdict === 'dependent') this.#results.passed(named)
    else this.#results.skipped(named, outcomeText(report))
  }

  #say(text: string): void {
    if (!this.#isJson) print(text)
  }

  #emit(line: object): void {
    if (this.#isJson) print(JSON.stringify(line))
  }
}

function keyOf({ file, name }: TestReport): string {
  return `${file}\0${name}`
}

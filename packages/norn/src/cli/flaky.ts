/** `norn flaky [FILES…]`: runs the tests of a project's own runner under schedules. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { statusLine } from '#shared/status-line'
import { TEST_VERDICTS, VERDICTS, verdictOfCall } from '../contract/verdict.ts'
import { count, duration, integer, seed, text, toggle } from '../options/kinds.ts'
import { flag, type Named, type OptionTable } from '../options/option.ts'
import type { RunFlags } from '../options/table.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failureText } from '../report/failure.ts'
import { foundText, inputTitle } from '../report/finding.ts'
import { flakeKind } from '../report/flake-kind.ts'
import { fileText, flakySummary, flakyTitle, kindLines } from '../report/flaky.ts'
import { commandFor } from '../report/invocation.ts'
import { printableLine } from '../report/printable.ts'
import { terminalStyle } from '../report/style.ts'
import { currentCommit } from '../session/commit.ts'
import { type FlakyObserver, type FlakyResult, FlakySession } from '../session/flaky/flaky-session.ts'
import { testFiles } from '../session/flaky/test-files.ts'
import type { FlakyTest, TestReport } from '../session/flaky/test-report.ts'
import { processOptions, projectAliases, projectOpen } from '../session/project.ts'
import type { UnloadedFile } from '../session/targets.ts'
import { type ExitStatus, STATUS, worst } from './exit-status.ts'
import { interruption } from './interruption.ts'

const DEFAULT_TIME_MS = 600_000
const DEFAULT_SCHEDULES = 5
const DEFAULT_RUNS = 100
const MAX_WORKERS = 256

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
  test: flag(text, '--test <text>', 'run only tests whose name contains this', { default: 'all' }),
  json: flag(toggle, '--json', 'print JSON lines', { default: 'text' }),
} satisfies OptionTable

type FlakyCall = Named<typeof FLAKY_OPTIONS> & RunFlags

export async function flakyCommand(named: readonly string[], call: FlakyCall): Promise<ExitStatus> {
  const root = process.cwd()
  const files = testFiles(named, root)
  const start = { root, aliases: projectAliases(root, call.alias), ...projectOpen(), ...processOptions(call) }
  const began = performance.now()
  const { signal, ignore } = interruption()
  const reporter = new FlakyReporter(root, call.json ?? false)
  const session = new FlakySession(
    {
      seed: call.seed ?? 1,
      schedules: call.schedules ?? DEFAULT_SCHEDULES,
      runs: Math.max(call.runs ?? DEFAULT_RUNS, call.schedules ?? DEFAULT_SCHEDULES),
      timeMs: call.timeMs ?? DEFAULT_TIME_MS,
      workers: Math.min(call.workers ?? availableParallelism(), files.length),
      wanted: call.test,
      origin: { root, commit: () => currentCommit(root) },
    },
    reporter,
    signal,
  )
  const result = await session.run(files.map((file) => ({ ...start, file: resolve(root, file), ordinaryTests: true })))
  ignore()
  reporter.end(result, performance.now() - began)
  return statusOf(result)
}

function statusOf({ reports, flaky, unloaded }: FlakyResult): ExitStatus {
  const settled = reports.filter(({ verdict }) => verdict !== 'flaky')
  return worst([
    ...settled.map(({ verdict }) => TEST_VERDICTS[verdict].status),
    ...flaky.map(() => TEST_VERDICTS.flaky.status),
    VERDICTS[verdictOfCall(reports.filter(({ executions }) => executions > 0).map(() => 'passed'))].status,
    ...unloaded.map(() => STATUS.undecided),
  ])
}

class FlakyReporter implements FlakyObserver {
  readonly #root: string
  readonly #isJson: boolean
  readonly #style = terminalStyle()
  readonly #status = statusLine(process.stderr)

  constructor(root: string, isJson: boolean) {
    this.#root = root
    this.#isJson = isJson
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
    this.#emit({ type: 'unloaded', file, why: error.message })
    this.#say(`${this.#style.warning('?')} ${error.message}`)
  }

  round(round: number, tests: number): void {
    this.#status.update(`round ${round}: ${tests} tests`)
  }

  flaky({ report, findings }: FlakyTest): void {
    this.#status.clear()
    for (const finding of findings) {
      const { result, confirmation } = finding
      const path = finding.file?.path
      const after = finding.file?.saved.testNames?.slice(0, -1) ?? []
      const failure = { result, explanation: confirmation?.explanation, file: report.file, after }
      const kind = flakeKind(failure)?.kind ?? null
      this.#emit({
        type: 'flaky',
        file: report.file,
        test: report.name,
        kind,
        saved: path ?? null,
        failed: report.failed,
      })
      const text = failureText(
        {
          property: report.name,
          result,
          explanation: confirmation?.explanation,
          found: [flakyTitle(report), ...kindLines(failure), foundText(finding)].join('\n  '),
          inputTitle: inputTitle(finding),
          excerpt: excerptOf(result, this.#root, this.#style),
          commands: path === undefined ? [] : [[commandFor('replay', path), 'replay']],
        },
        this.#style,
      )
      this.#say(`\n${text}`)
    }
  }

  remark(text: string): void {
    this.#status.clear()
    this.#emit({ type: 'warning', what: text })
    this.#say(`${this.#style.warning('!')} ${printableLine(text)}`)
  }

  end({ reports, unloaded, isPartial }: FlakyResult, timeMs: number): void {
    this.#status.clear()
    this.#emit({ type: 'end', tests: reports.length, timeMs })
    this.#say(`\n${flakySummary({ reports, unloaded: unloaded.length, isPartial, timeMs }, this.#style)}`)
  }

  #say(text: string): void {
    if (!this.#isJson) console.log(text)
  }

  #emit(line: object): void {
    if (this.#isJson) console.log(JSON.stringify(line))
  }
}

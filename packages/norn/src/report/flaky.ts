/** What `norn flaky` prints of tests. */
import { type Frame, placesOf } from '../contract/execution.ts'
import { describeReason } from '../contract/inconclusive.ts'
import { numberText, plural } from '../contract/text.ts'
import { TEST_VERDICTS, type TestVerdict } from '../contract/verdict.ts'
import { instantText } from '../contract/wall-clock.ts'
import type { PassesUnless, TestReport } from '../session/flaky/test-report.ts'
import { FLAKE_KINDS, type FlakyFailure, flakeKind } from './flake-kind.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

const MARKS = { flaky: '✗', dependent: '!', failing: '-', inconclusive: '?', clean: '✓', skipped: '-' } as const

const PAINTS = {
  flaky: ({ bad }: Style) => bad,
  dependent: ({ warning }: Style) => warning,
  failing: ({ warning }: Style) => warning,
  inconclusive: ({ warning }: Style) => warning,
  clean: ({ good }: Style) => good,
  skipped: ({ dim }: Style) => dim,
} as const satisfies Record<TestVerdict, (style: Style) => (text: string) => string>

/** The line of a test that failed and is not called flaky. */
export function clearedText(report: TestReport, style: Style): string {
  const { file, line, name } = report
  return `${style.good(MARKS.clean)} ${printableLine(name)} (${file}:${line}): not flaky, ${wordsOf(report)}`
}

/** The lines of a file whose tests have run: those that need a word each. */
export function fileText(file: string, reports: readonly TestReport[], style: Style): string | undefined {
  const worded = reports.flatMap((report) => {
    const words = wordsOf(report)
    return words === undefined
      ? []
      : [`  ${PAINTS[report.verdict](style)(MARKS[report.verdict])} ${printableLine(report.name)}: ${words}`]
  })
  return worded.length === 0 ? undefined : [style.bold(printableLine(file)), ...worded].join('\n')
}

/** Undefined for a test of which the summary says enough. */
function wordsOf(report: TestReport): string | undefined {
  const retried = report.retried ? 'passes only on a retry: flaky by the word of its author' : undefined
  const late =
    report.late === undefined
      ? undefined
      : `takes longer than its timeout where ${report.late} operations are late together; no fewer were found to do`
  switch (report.verdict) {
    case 'flaky':
      return report.unless === undefined ? 'fails under a schedule other than the default one' : failingText(report)
    case 'dependent':
      return `fails alone, passes after ${leaversText(report.needs ?? [])} behind`
    case 'failing':
      return failingText(report)
    case 'inconclusive':
      return report.inconclusive === undefined
        ? 'not run'
        : `inconclusive: ${describeReason(report.inconclusive.reason)}`
    default:
      return late ?? retried
  }
}

/** Where nothing but this is other than in the default schedule. */
const UNLESS: Readonly<Record<PassesUnless['departure'], string>> = {
  seed: 'fails by its random numbers, passes with other seeds',
  'start of the clock': `fails where the clock starts at ${instantText(0)}, passes at other instants`,
  delays: 'fails where no operation takes time, passes under other schedules',
}

function failingText({ failure, needs, unless }: TestReport): string {
  const where = failure === undefined ? undefined : placesOf(failure)[0]
  const [message = ''] = (failure?.message ?? '').split('\n')
  const at = where === undefined ? '' : ` (${placeText(where)})`
  const error = `${printableLine(message)}${at}`
  if (unless !== undefined) return `${unlessText(unless)}: ${error}`
  const scope = needs === undefined ? 'as it is' : `after ${namesText(needs)}, as in its file`
  return `fails ${scope}: ${error}`
}

function unlessText({ departure, passed, tried }: PassesUnless): string {
  return `${UNLESS[departure]} (${passed} of ${tried})`
}

function leaversText(names: readonly string[]): string {
  return `${namesText(names)}: it depends on what ${names.length === 1 ? 'that test leaves' : 'those tests leave'}`
}

function namesText(names: readonly string[]): string {
  return names.map((name) => `'${printableLine(name)}'`).join(', ')
}

function placeText({ file, line }: Frame): string {
  return `${file}:${line}`
}

/** Why a test is flaky and what to do, if that is known; above the report of its failure. */
export function kindLines(failure: FlakyFailure): readonly string[] {
  const found = flakeKind(failure)
  if (found === undefined) return []
  const { name, advice } = { ...FLAKE_KINDS[found.kind], ...found }
  return [found.what === undefined ? name : `${name}: ${printableLine(found.what)}`, `what to do: ${advice}`]
}

/** Whether a failure is in quarantine, or was. */
export function quarantineLines(entry: Quarantined | undefined, ended: Quarantined | undefined): readonly string[] {
  if (entry !== undefined) return [`in quarantine until ${entry.until} (${entry.by}): it does not fail the call`]
  return ended === undefined ? [] : [`its quarantine ended on ${ended.until} (${ended.by})`]
}

interface Quarantined {
  readonly by: string
  readonly until: string
}

/** Why a test has no result of its own in files of results. */
export function outcomeText(report: TestReport): string {
  return report.verdict === 'flaky' ? 'flaky, in quarantine' : (wordsOf(report) ?? 'skipped by its author')
}

/** How often a test fails: above the report of its failure. */
export function flakyTitle({ file, line, executions, failed, verdict, needs = [], unless }: TestReport): string {
  const often = `fails in ${numberText(failed)} of ${numberText(executions)} executions`
  const after = verdict === 'dependent' ? `, behind ${namesText(needs)},` : ''
  const otherwise = unless === undefined ? `passes${after} under the default schedule` : unlessText(unless)
  return `flaky: ${otherwise}, ${often} (${file}:${line})`
}

interface FlakyCounts {
  readonly reports: readonly TestReport[]
  readonly unloaded: number
  readonly isPartial: boolean
  readonly timeMs: number
}

/** The last lines of a call. */
export function flakySummary({ reports, unloaded, isPartial, timeMs }: FlakyCounts, style: Style): string {
  const count = (verdict: TestVerdict) => reports.filter((report) => report.verdict === verdict).length
  const clean = reports.filter(({ verdict }) => verdict === 'clean')
  const sequential = clean.filter(({ points }) => points === 0).length
  const executions = reports.reduce((sum, each) => sum + each.executions, 0)
  const verdicts = Object.keys(TEST_VERDICTS) as TestVerdict[]
  const parts = [
    ...verdicts.map((verdict) => [count(verdict), TEST_VERDICTS[verdict].name, PAINTS[verdict](style)] as const),
    [unloaded, unloaded === 1 ? 'file not loaded' : 'files not loaded', style.warning],
  ] as const
  const shown = parts
    .filter(([number]) => number > 0)
    .map(([number, what, paint]) => paint(`${numberText(number)} ${what}`))
  const lines = [
    `${plural(reports.length, 'test')}: ${shown.join(', ')}`,
    `${plural(executions, 'execution')} in ${(timeMs / 1000).toFixed(1)} s`,
    ...(sequential === 0
      ? []
      : [
          `${numberText(sequential)} of the clean ones ${sequential === 1 ? 'has' : 'have'} no schedule point: no other schedule exists`,
        ]),
    ...(count('failing') === 0 ? [] : ['tests that fail as they are were not searched: your runner reports them']),
    ...(isPartial
      ? ['not every test had its executions: the time was up. The same call goes on where it stopped']
      : []),
  ]
  return lines.join('\n')
}

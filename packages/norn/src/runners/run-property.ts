/** The test of a property: runs its session within a small budget, and throws the error to print. */
import type { ExecutionResult } from '../contract/execution.ts'
import { openNames } from '../contract/open-address.ts'
import { plural } from '../contract/text.ts'
import type { SearchLimits } from '../options/table.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failsAgainText, foundText, inputTitle } from '../report/finding.ts'
import { healthText } from '../report/health.ts'
import { divergenceLines, inconclusiveText, reasonLines } from '../report/inconclusive.ts'
import { packagedCommand } from '../report/invocation.ts'
import { leakText } from '../report/leak.ts'
import { printableLine } from '../report/printable.ts'
import { PLAIN } from '../report/style.ts'
import { unmatchedText } from '../report/summary.ts'
import { type CampaignSummary, isAllDiscarded } from '../search/campaign-summary.ts'
import type { FlakyFailure } from '../search/events.ts'
import { currentCommit } from '../session/commit.ts'
import { loadConfiguration } from '../session/configuration.ts'
import { UndecidedError, UsageError } from '../session/errors.ts'
import { chooseSearch, ownEnvironment, processOptions } from '../session/project.ts'
import type { TriedFirst } from '../session/saved-first.ts'
import {
  runSession,
  type SavedFinding,
  type SearchResult,
  type SessionEvent,
  type SessionOptions,
} from '../session/session.ts'
import type { Target } from '../session/targets.ts'
import { formatName } from '../tape/name.ts'
import { type Budget, budgetOf, timeoutOf } from './budget.ts'
import { errorWith, failureError } from './message.ts'
import { testFile } from './test-file.ts'

export interface PropertyTest {
  /** Absolute path of the file of tests. */
  readonly file: string
  /** The property's name, after the titles of the suites around it. */
  readonly name: string
  /** Aborted when the runner gives up. */
  readonly signal: AbortSignal | undefined
  /** Whether the runner's output goes to a terminal with colours. */
  readonly colours: boolean
  /** Whether to show the source around the failure; some runners show it themselves. */
  readonly excerpt: boolean
  /** Prints a warning. */
  readonly warn: (text: string) => void
  /** Adds to the test how many executions it had. */
  readonly ran: (text: string) => void
}

/** All properties of the process share it. */
const randomSeed = Math.floor(Math.random() * 0x1_0000_0000)

function budget(property: SearchLimits): Budget {
  const levels = {
    environment: ownEnvironment(),
    property,
    configuration: loadConfiguration().options,
  }
  return budgetOf(levels, () => (process.env.CI ? 1 : randomSeed))
}

/**
 * Real time the runner allows a property, in milliseconds; a wrong environment or configuration is
 * reported when the property runs.
 */
export function propertyTimeoutMs(property: SearchLimits): number {
  try {
    return timeoutOf(budget(property), processOptions().hangMs)
  } catch {
    return timeoutOf(budgetOf({ environment: {}, property, configuration: {} }, () => 0))
  }
}

/** Runs a property; throws the error that the runner prints unless it passes. */
export async function runProperty(test: PropertyTest): Promise<void> {
  try {
    await testFile(test.file).withProperty(test.name, (target) => run(test, target))
  } catch (error) {
    if (error instanceof UsageError || error instanceof UndecidedError) throw errorWith('Error', error.message)
    throw error
  }
}

/** Runs the session of a property, and throws unless it passes. */
async function run(test: PropertyTest, target: Target): Promise<void> {
  const { root } = target.process.start
  const { kind, options: limits } = target.property
  const options: SessionOptions = {
    ...chooseSearch(kind, {}, loadConfiguration().options),
    ...budget(limits),
    workers: 1,
    origin: { root, commit: () => currentCommit(root) },
  }
  const report = (event: SessionEvent): void => {
    if (event.type === 'tried') reportTried(test, target, event)
  }
  const { search } = await runSession(target, options, report, test.signal)
  if (search === undefined) throw notRun(test, target)
  const { summary, findings, flaky, inconclusive, leaks } = search
  const name = target.property.name
  for (const finding of findings) throw foundError(test, target, finding)
  for (const failure of flaky) throw flakyError(name, failure)
  if (summary.voided > 0) throw inconclusiveError(inconclusive, summary)
  if (summary.executions === 0) throw notRun(test, target)
  if (isAllDiscarded(summary)) {
    const what = `fc.pre rejected all ${plural(summary.executions, 'input')}, so nothing was checked. Generate matching inputs`
    throw errorWith('Inconclusive', what)
  }
  // What a lost worker left without a verdict does not count.
  if (summary.passed + summary.discarded < options.minRuns!) throw tooFew(test, target, summary, options.minRuns!)
  const { open = [] } = target.process.start
  const opened = open.length === 0 ? '' : `, open: ${openNames(open)}`
  test.ran(`${plural(summary.executions, 'execution')}${opened}`)
  if (summary.missed.length > 0) {
    const missed = summary.missed.map((label) => `'${label}'`).join(', ')
    throw errorWith('NotReached', `required note never reached: ${missed}. Raise the time limit with NORN_TIME`)
  }
  for (const option of summary.unmatched ?? []) test.warn(`norn: '${name}': ${unmatchedText(option)}`)
  const warnings = search.warnings.filter(({ informative }) => informative !== true)
  if (warnings.length > 0) test.warn(healthText(name, warnings, PLAIN))
  if (leaks.length > 0) {
    const reports = leaks.map((leak) => leak.report)
    test.warn(leakText(name, reports, PLAIN))
  }
}

function tooFew({ signal }: PropertyTest, { property }: Target, { executions }: CampaignSummary, least: number): Error {
  const why = signal?.aborted ? 'until the test runner ended the test' : 'before the time limit'
  const what = `'${property.name}' did not fail in ${plural(executions, 'execution')} ${why}; fewer than ${least} say too little`
  return errorWith(
    'TooFewExecutions',
    `${what}. Raise the time limit with NORN_TIME, or lower \`runs\` in the options of the property`,
  )
}

function notRun({ signal }: PropertyTest, { property }: Target): Error {
  const why = signal?.aborted ? 'the test runner ended the test' : 'the time limit was reached; raise it with NORN_TIME'
  return errorWith('NothingRun', `no execution of '${property.name}': ${why}`)
}

/** Throws for a saved failure that still fails; warns about the others. */
function reportTried(
  test: PropertyTest,
  { process: { start }, property }: Target,
  { tried, problems }: TriedFirst,
): void {
  for (const problem of problems) test.warn(`norn: ${problem}`)
  for (const each of tried) {
    const { path, saved, result, explanation } = each
    if (result.verdict === 'passed' && each.reproduced !== undefined) test.warn(`norn: ${failsAgainText(each)}`)
    else if (result.verdict === 'passed') {
      test.warn(`norn: the failure saved in ${path} no longer fails. Delete the file, or keep it as a regression test`)
    } else if (result.voided !== undefined) {
      test.warn(`norn: ${inconclusiveText(property.name, result.voided, PLAIN, `replaying ${path}`)}`)
    } else {
      const found = failsAgainText(each)
      const commands = replayCommands(path)
      const text = { result, explanation, found, inputTitle: saved.shrunk ? 'smallest input' : 'input', commands }
      throw failureError({ ...text, ...shownWith(test, start.root, result) })
    }
  }
}

function foundError(test: PropertyTest, { process: { start }, file }: Target, finding: SavedFinding): Error {
  const { found, explanation, path } = finding
  const again: [string, string][] =
    found.name === undefined || finding.reproduced !== undefined
      ? []
      : [[packagedCommand('fuzz', file, '--execution', formatName(found.name)), 'replay without the file, not shrunk']]
  const commands = [...(path === undefined ? [] : replayCommands(path)), ...again]
  const text = { result: found.result, explanation, found: foundText(finding), inputTitle: inputTitle(finding) }
  return failureError({ ...text, commands, ...shownWith(test, start.root, found.result) })
}

function shownWith({ colours, excerpt }: PropertyTest, root: string, result: ExecutionResult) {
  return { root, colours, excerpt: excerpt ? excerptOf(result, root, PLAIN) : [] }
}

function replayCommands(path: string): [string, string][] {
  return [
    [packagedCommand('replay', path), 'replay'],
    [packagedCommand('replay', path, '--inspect'), 'replay in the debugger'],
  ]
}

function flakyError(property: string, { foundAt, first, divergence }: FlakyFailure): Error {
  const [message = ''] = first.failure!.message.split('\n')
  const text = `'${property}' is flaky. Execution ${foundAt} failed (${printableLine(message)}), but its replay differed: uncontrolled nondeterminism`
  const lines = divergence === undefined ? [] : divergenceLines(divergence).map((line) => `  ${line}`)
  return errorWith('Flaky', [text, ...lines].join('\n'))
}

function inconclusiveError(seen: SearchResult['inconclusive'], { voided, executions }: CampaignSummary): Error {
  const share = `${voided} of ${plural(executions, 'execution')} inconclusive`
  return errorWith('Inconclusive', [share, ...seen.map(({ report }) => reasonLines(report).join('\n'))].join('\n\n'))
}

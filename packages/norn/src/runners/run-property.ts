/** The test of a property: runs its session within a small budget, and throws the error to print. */

import { type CampaignSummary, isAllDiscarded } from '../contract/campaign-summary.ts'
import type { FlakyFailure, FoundFailure, SearchResult, SessionEvent, TriedFailure } from '../contract/events.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import { openNames } from '../contract/open-address.ts'
import { plural } from '../contract/text.ts'
import type { SearchLimits } from '../options/table.ts'
import { excerptOf } from '../report/excerpt.ts'
import { failsAgainText, foundText, inputTitle, shrinkCommands } from '../report/finding.ts'
import { healthText } from '../report/health.ts'
import { divergenceLines, inconclusiveText, reasonLines } from '../report/inconclusive.ts'
import { packagedCommand } from '../report/invocation.ts'
import { leakText } from '../report/leak.ts'
import { replayPurpose } from '../report/locals.ts'
import { printableLine } from '../report/printable.ts'
import { PLAIN } from '../report/style.ts'
import { unmatchedText } from '../report/summary.ts'
import { currentCommit } from '../session/commit.ts'
import { loadConfiguration } from '../session/configuration.ts'
import { UndecidedError, UsageError } from '../session/errors.ts'
import { chooseSearch, ownEnvironment, processOptions } from '../session/project.ts'
import { runSession, type SessionOptions } from '../session/session.ts'
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
  const reporter = new TestReporter(test, target, options.minRuns!)
  const { search } = await runSession(target, options, (event) => reporter.report(event), test.signal)
  if (reporter.error !== undefined) throw reporter.error
  if (search === undefined) throw notRun(test, target)
}

/** Reports a session to a test runner: what it warns of, and the error of a property that does not pass. */
class TestReporter {
  readonly #test: PropertyTest
  readonly #target: Target
  readonly #minRuns: number
  /** The first: of a saved failure, of a failure found, or what leaves the search undecided. */
  error: Error | undefined

  constructor(test: PropertyTest, target: Target, minRuns: number) {
    this.#test = test
    this.#target = target
    this.#minRuns = minRuns
  }

  report(event: SessionEvent): void {
    switch (event.type) {
      case 'tried':
        for (const problem of event.problems) this.#test.warn(`norn: ${problem}`)
        for (const each of event.tried) this.error ??= this.#tried(each)
        break
      case 'confirmed':
        this.error ??= foundError(this.#test, this.#target, event.failure)
        break
      case 'searched':
        this.error ??= this.#searched(event.search)
    }
  }

  /** The error of a saved failure that still fails; warns about the others. */
  #tried(tried: TriedFailure): Error | undefined {
    const { path, saved, result, explanation, reproduced } = tried
    const { property, process } = this.#target
    const { warn } = this.#test
    if (result.verdict === 'failed') {
      const inputTitle = saved.shrunk ? 'smallest input' : 'input'
      const text = {
        result,
        explanation,
        found: failsAgainText(tried),
        inputTitle,
        commands: replayCommands(path, result),
      }
      return failureError({ ...text, ...shownWith(this.#test, process.start.root, result) })
    }
    if (result.voided !== undefined)
      warn(`norn: ${inconclusiveText(property.name, result.voided, PLAIN, `replaying ${path}`)}`)
    else if (reproduced !== undefined) warn(`norn: ${failsAgainText(tried)}`)
    else warn(`norn: the failure saved in ${path} no longer fails. Delete the file, or keep it as a regression test`)
    return undefined
  }

  /** The error of the weightiest doubt; of a search without one, its warnings. */
  #searched({ summary, doubts, flaky, inconclusive, leaks, warnings }: SearchResult): Error | undefined {
    const { name } = this.#target.property
    const [doubt] = doubts
    if (flaky.length > 0) return flakyError(name, flaky[0]!)
    if (doubt === 'inconclusive') return inconclusiveError(inconclusive, summary)
    if (doubt === 'not run') return notRun(this.#test, this.#target)
    if (isAllDiscarded(summary)) {
      const what = `fc.pre rejected all ${plural(summary.executions, 'input')}, so nothing was checked. Generate matching inputs`
      return errorWith('Inconclusive', what)
    }
    // What a lost worker left without a verdict does not count.
    if (doubts.includes('too few')) return tooFew(this.#test, this.#target, summary, this.#minRuns)
    const { open = [] } = this.#target.process.start
    const opened = open.length === 0 ? '' : `, open: ${openNames(open)}`
    this.#test.ran(`${plural(summary.executions, 'execution')}${opened}`)
    if (doubts.includes('missed')) {
      const missed = summary.missed.map((label) => `'${label}'`).join(', ')
      return errorWith('NotReached', `required note never reached: ${missed}. Raise the time limit with NORN_TIME`)
    }
    const { warn } = this.#test
    for (const option of summary.unmatched ?? []) warn(`norn: '${name}': ${unmatchedText(option)}`)
    const problems = warnings.filter(({ informative }) => informative !== true)
    if (problems.length > 0) warn(healthText(name, problems, PLAIN))
    const reports = leaks.map(({ report }) => report)
    if (reports.length > 0) warn(leakText(name, reports, PLAIN))
    return undefined
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

function foundError(test: PropertyTest, { process: { start }, file }: Target, failure: FoundFailure): Error {
  const { result, name } = failure
  const { explanation, reproduced } = failure.confirmation!
  const { path } = failure.file!
  const again: [string, string][] =
    name === undefined || reproduced !== undefined
      ? []
      : [[packagedCommand('fuzz', file, '--execution', formatName(name)), 'replay without the file, not shrunk']]
  const further = shrinkCommands(path, failure.shrinking).map(([args, purpose]): [string, string] => [
    packagedCommand(...args),
    purpose,
  ])
  const commands = [...(path === undefined ? [] : replayCommands(path, result)), ...further, ...again]
  const text = { result, explanation, found: foundText(failure), inputTitle: inputTitle(failure) }
  return failureError({ ...text, commands, ...shownWith(test, start.root, result) })
}

function shownWith({ colours, excerpt }: PropertyTest, root: string, result: ExecutionResult) {
  return { root, colours, excerpt: excerpt ? excerptOf(result, root, PLAIN) : [] }
}

function replayCommands(path: string, { failure }: ExecutionResult): [string, string][] {
  return [
    [packagedCommand('replay', path), replayPurpose(failure!)],
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

/**
 * What a test does that stands for a property: tries the property's saved failures, then searches for new ones within a
 * small budget. Nothing that is undecided counts as a pass.
 */

import { DEFAULT_STRATEGY } from '../cli/fuzz-options.ts'
import type { ExecutionResult, LeakReport } from '../contract/execution.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import { frameLine } from '../execution/frames.ts'
import type { HealthWarning } from '../execution/health.ts'
import type { ListedProperty } from '../process/protocol.ts'
import type { Worker } from '../process/worker.ts'
import { excerptOf } from '../report/excerpt.ts'
import { healthText } from '../report/health.ts'
import { divergenceLines, inconclusiveText, reasonLines } from '../report/inconclusive.ts'
import { packagedCommand } from '../report/invocation.ts'
import { leakText } from '../report/leak.ts'
import { printableLine } from '../report/printable.ts'
import { PLAIN } from '../report/style.ts'
import type { CampaignSummary, FlakyFailure } from '../search/campaign.ts'
import { EVERYTHING } from '../search/guide.ts'
import { currentCommit } from '../session/commit.ts'
import { UndecidedError, UsageError } from '../session/errors.ts'
import { explainOrLose } from '../session/explain.ts'
import { foundText, inputTitle, saveFound } from '../session/finding.ts'
import { trySaved } from '../session/follow.ts'
import { type Finding, hunt } from '../session/search.ts'
import { FailureFileError } from '../storage/failure-file.ts'
import { type KeptFailure, savedFailures } from '../storage/saved-failures.ts'
import { formatName } from '../tape/name.ts'
import { type Budget, budgetOf, timeoutOf } from './budget.ts'
import { errorWith, failureError } from './message.ts'
import { type Opened, testFile } from './test-file.ts'

export interface PropertyTest {
  /** Absolute path of the file of tests. */
  readonly file: string
  /** The property's name, with the titles of the blocks around it. */
  readonly name: string
  /** Aborted when the runner gives up. */
  readonly signal: AbortSignal | undefined
  /** Whether the runner's output goes to a terminal with colours. */
  readonly colours: boolean
  /** Whether to show the source around the failure; not for runners that do. */
  readonly excerpt: boolean
  /** Says something that is no failure. */
  readonly warn: (text: string) => void
}

/** What the process's environment lets a property have, with a seed of chance that all properties of the process share. */
const randomSeed = Math.floor(Math.random() * 0x1_0000_0000)
const budget = (): Budget => budgetOf(process.env, () => randomSeed)

/** How long the runner has to wait for a property, in milliseconds; a wrong environment is told when it runs. */
export function propertyTimeoutMs(): number {
  try {
    return timeoutOf(budget())
  } catch {
    return timeoutOf(budgetOf({}, () => 0))
  }
}

/** Runs a property; throws what the runner is to print unless it passes. */
export async function runProperty(test: PropertyTest): Promise<void> {
  try {
    const granted = budget()
    await testFile(test.file, granted.hangMs).withProperty(test.name, async (opened) => {
      await trySavedFailures(test, opened)
      await search(test, opened, granted)
    })
  } catch (error) {
    // What is said without a stack by the command is said without one here.
    if (error instanceof UsageError || error instanceof UndecidedError) throw errorWith('Error', error.message)
    throw error
  }
}

/** A saved failure that still fails ends the test; one that passes is told of, and kept as a test of its own. */
async function trySavedFailures(test: PropertyTest, { start, worker, property, file }: Opened): Promise<void> {
  const { root } = start
  const { failures, unreadable } = savedFailures(root, file, property.name)
  for (const problem of unreadable) test.warn(`norn: ${problem}`)
  for (const kept of failures) {
    const { path } = kept
    const tried = await tryOne(kept, property, worker, test.warn)
    if (tried === undefined) continue
    const { result, explanation, saved } = tried
    if (result.verdict === 'passed') {
      test.warn(
        `norn: the failure saved in ${path} is gone: it passes now. Delete the file, or keep it to be tried first`,
      )
    } else if (result.verdict === 'void') {
      test.warn(`norn: ${inconclusiveText(property.name, result.voided!, PLAIN, `replaying ${path}`)}`)
    } else {
      const exact = result.traceHash === saved.traceHash && result.traceHash !== ''
      const found = `saved in ${path} earlier; ${exact ? 'replayed exactly' : 'it still fails'}`
      const commands = replayCommands(path)
      const text = { result, explanation, found, inputTitle: saved.shrunk ? 'smallest input' : 'input', commands }
      throw failureError({ ...text, ...shownWith(test, root, result) })
    }
    if (worker.ended) return
  }
}

async function tryOne(kept: KeptFailure, property: ListedProperty, worker: Worker, warn: PropertyTest['warn']) {
  try {
    return await trySaved(kept, property, (plan) => explainOrLose(worker, property, plan))
  } catch (error) {
    if (!(error instanceof FailureFileError)) throw error
    warn(`norn: ${error.message}`)
    return undefined
  }
}

async function search(test: PropertyTest, opened: Opened, granted: Budget): Promise<void> {
  const { start, worker, property } = opened
  const { seed, runs, timeMs, shrinkMs } = granted
  const origin = { root: start.root, commit: undefined }
  const findings: Finding[] = []
  const flaky: FlakyFailure[] = []
  const voids: InconclusiveReport[] = []
  const leaks: LeakReport[] = []
  const warnings: HealthWarning[] = []
  const summary = await hunt(
    start,
    property,
    {
      seed,
      runs,
      timeMs,
      shrinkMs,
      strategy: DEFAULT_STRATEGY,
      guide: EVERYTHING,
      keepGoing: false,
      shrink: true,
      skip: 0,
    },
    {
      progress: () => {},
      found: (failure, input) => {
        saveFound(origin, opened, failure, input, input, false)
      },
      finding: (finding) => findings.push(finding),
      flaky: (failure) => flaky.push(failure),
      voided: (_, report) => voids.push(report),
      leaked: (_, report) => leaks.push(report),
      unhealthy: (warning) => {
        if (warning.informative !== true) warnings.push(warning)
      },
    },
    test.signal,
    worker,
  )
  for (const finding of findings) throw foundError(test, opened, finding)
  for (const failure of flaky) throw flakyError(property.name, failure)
  if (summary.voided > 0) throw voidError(voids, summary)
  if (summary.executions === 0) {
    const why = test.signal?.aborted ? 'the runner ended the test' : 'the time was up (NORN_TIME gives it more)'
    throw errorWith('NothingRun', `'${property.name}' was not executed once: ${why}`)
  }
  if (summary.missed.length > 0) {
    const missed = summary.missed.map((label) => `'${label}'`).join(', ')
    throw errorWith('NotReached', `no execution reached the required note ${missed} (NORN_TIME gives the search more)`)
  }
  if (warnings.length > 0) test.warn(healthText(property.name, warnings, PLAIN))
  if (leaks.length > 0) test.warn(leakText(property.name, leaks, PLAIN))
}

function foundError(test: PropertyTest, opened: Opened, finding: Finding): Error {
  const { start, file } = opened
  const { found, plan, planned, explanation } = finding
  const origin = { root: start.root, commit: currentCommit(start.root) }
  const path = saveFound(origin, opened, found, plan.input, planned, found.shrinking !== undefined)
  const named = found.name === undefined ? undefined : formatName(found.name)
  const again: [string, string][] =
    named === undefined
      ? []
      : [[packagedCommand('fuzz', file, '--execution', named), 'as it was found, without the file']]
  const commands = [...(path === undefined ? [] : replayCommands(path)), ...again]
  const text = { result: found.result, explanation, found: foundText(finding), inputTitle: inputTitle(finding) }
  return failureError({ ...text, commands, ...shownWith(test, start.root, found.result) })
}

function shownWith({ colours, excerpt }: PropertyTest, root: string, result: ExecutionResult) {
  return { root, colours, excerpt: excerpt ? excerptOf(result, root, PLAIN) : [] }
}

function replayCommands(path: string): [string, string][] {
  return [
    [packagedCommand('replay', path), 'runs it again'],
    [packagedCommand('replay', path, '--inspect'), 'with the debugger'],
  ]
}

function flakyError(property: string, { foundAt, first, divergence }: FlakyFailure): Error {
  const [message = ''] = first.failure!.message.split('\n')
  const text = `'${property}' is flaky. Execution ${foundAt} failed (${printableLine(message)}), and did not do the same when it was run again: something it depends on is not controlled`
  return errorWith(
    'Flaky',
    [text, ...(divergence === undefined ? [] : divergenceLines(divergence).map((line) => `  ${line}`))].join('\n'),
  )
}

function voidError(voids: readonly InconclusiveReport[], { voided, executions }: CampaignSummary): Error {
  const share = `norn cannot judge ${voided} of ${executions} executions`
  return errorWith('Inconclusive', [share, ...voids.map((report) => reasonLines(report).join('\n'))].join('\n\n'))
}

/**
 * One property's campaign, as the process that owns it sees it: a worker explores; whatever it finds is saved at once,
 * saved again when it is smaller, and then run in a fresh process, which has to show the same trace and gives what a
 * person is shown. A worker that hangs or dies becomes a finding of its own kind, with the tape that led there, and
 * another worker goes on.
 */
import { readFileSync } from 'node:fs'
import type { CampaignSummary, FlakyFailure, FoundFailure } from '../explore/campaign.ts'
import type { ExecutionResult, InputPlan, Plan, VoidReport } from '../explore/execution.ts'
import { identity } from '../explore/identity.ts'
import type { Choice } from '../tape/choice.ts'
import type { Lane } from '../tape/lane.ts'
import { essential } from '../tape/replay.ts'
import { UNBOUNDED } from '../tape/tape.ts'
import type { Explanation, ExploreOptions, FlightRecord, ListedProperty, Notice } from './protocol.ts'
import { Worker, WorkerLost, type WorkerOptions } from './worker.ts'

/** A failure in its final form. */
export interface Finding {
  readonly found: FoundFailure
  /** The plan that replays it. */
  readonly plan: Plan
  /** What a fresh process showed; undefined where the failure takes its process with it. */
  readonly explanation: Explanation | undefined
  /** Whether a fresh process showed the same failure with the same trace. */
  readonly confirmed: boolean
}

export interface HuntObserver {
  progress(executions: number, shrinking: boolean): void
  /** A new failure, to be saved at once. */
  found(failure: FoundFailure, input: InputPlan): void
  finding(finding: Finding): void
  flaky(failure: FlakyFailure): void
  voided(execution: number, report: VoidReport): void
}

/** More deaths than this, and the property is given up. */
const MAX_LOSSES = 20

const NOTHING_RUN: CampaignSummary = {
  executions: 0,
  passed: 0,
  failed: 0,
  voided: 0,
  flaky: 0,
  distinctFailures: 0,
  maxPoints: 0,
  maxChains: 0,
}

export async function hunt(
  start: WorkerOptions,
  property: ListedProperty,
  options: ExploreOptions,
  observer: HuntObserver,
): Promise<CampaignSummary> {
  const end = performance.now() + options.timeMs
  const lossIdentities = new Set<string>()
  let total = NOTHING_RUN
  let skip = options.skip
  for (let losses = 0; losses <= MAX_LOSSES; losses++) {
    const worker = new Worker(start)
    const shrunk: FoundFailure[] = []
    const tally = { found: 0, flaky: 0 }
    try {
      const timeMs = Math.max(0, end - performance.now())
      const summary = await worker.explore(property, { ...options, timeMs, skip }, (notice) => {
        if (notice.type === 'found') tally.found++
        if (notice.type === 'flaky') tally.flaky++
        pass(notice, observer, shrunk, options)
      })
      for (const failure of shrunk) observer.finding(await confirm(start, property, failure))
      return add(total, { ...summary, executions: summary.executions - skip })
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      for (const failure of shrunk) observer.finding(await confirm(start, property, failure))
      const flight = error.flight
      if (flight === undefined) throw error
      const finding = await lostExecution(start, property, error, flight)
      const isNew = !lossIdentities.has(finding.found.identity)
      lossIdentities.add(finding.found.identity)
      const ran = Math.max(0, flight.execution - skip)
      const distinctFailures = tally.found + (isNew ? 1 : 0)
      const failed = tally.found + 1
      total = add(total, {
        ...NOTHING_RUN,
        executions: ran,
        failed,
        passed: Math.max(0, ran - failed),
        distinctFailures,
      })
      if (isNew) {
        observer.found(finding.found, finding.plan.input)
        observer.finding(finding)
      }
      skip = flight.execution
      if (!options.keepGoing || skip >= options.runs || performance.now() >= end) return total
    } finally {
      worker.close()
    }
  }
  return total
}

function pass(notice: Notice, observer: HuntObserver, shrunk: FoundFailure[], options: ExploreOptions): void {
  switch (notice.type) {
    case 'progress':
      observer.progress(notice.executions, notice.shrinking)
      break
    case 'found':
      observer.found(notice.failure, inputOf(notice.failure.result))
      if (!options.shrink) break
      observer.progress(notice.failure.foundAt, true)
      break
    case 'shrunk':
      shrunk.push(notice.failure)
      break
    case 'flaky':
      observer.flaky(notice.failure)
      break
    case 'voided':
      observer.voided(notice.execution, notice.report)
  }
}

/** A failure's input in structured form where it has one: it then outlives its arbitraries. */
export function inputOf(result: ExecutionResult): InputPlan {
  return result.input === undefined ? { from: 'tape' } : { from: 'saved', input: result.input }
}

/** The plan that replays a failing result. */
export function planOf(result: ExecutionResult): Plan {
  return { input: inputOf(result), choices: { from: 'record', choices: result.choices! } }
}

/** Runs a failure in a fresh process. */
async function confirm(start: WorkerOptions, property: ListedProperty, found: FoundFailure): Promise<Finding> {
  const worker = new Worker(start)
  const plan = planOf({ ...found.result, choices: essential(found.result.choices!) })
  try {
    const { result, explanation } = await worker.explain(property, plan)
    const same =
      result.verdict === 'failed' &&
      identity(result.failure!) === found.identity &&
      result.traceHash === found.result.traceHash
    // The explained result names its choices by alias too, which is what is saved.
    const explained = same ? { ...found, result: { ...result, following: undefined } } : found
    return { found: explained as FoundFailure, plan, explanation, confirmed: same }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return { found, plan, explanation: undefined, confirmed: false }
  } finally {
    worker.close()
  }
}

/** Makes a finding of an execution that hung or killed its process, by running it again with its choices written out. */
async function lostExecution(
  start: WorkerOptions,
  property: ListedProperty,
  loss: WorkerLost,
  flight: FlightRecord,
): Promise<Finding> {
  const worker = new Worker(start)
  const journal = worker.scratchFile('choices.jsonl')
  let confirmed = false
  let lanes: Record<Lane, Choice[]> = { input: [], schedule: [], fault: [] }
  try {
    await worker.execute(property, flight.plan, journal)
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    confirmed = error.how === loss.how
    lanes = readJournal(journal)
  } finally {
    worker.close()
  }
  const kind = loss.how
  const [message = ''] = loss.message.split('\n')
  const failure = { kind, errorName: 'Error', message, stack: loss.message, frames: [] }
  const choices = { ...lanes, length: UNBOUNDED }
  const plan: Plan = confirmed ? { input: flight.plan.input, choices: { from: 'record', choices } } : flight.plan
  const result: ExecutionResult = {
    verdict: 'failed',
    failure,
    choices,
    inputText: '',
    traceHash: '',
    inputChoices: lanes.input.length,
    points: lanes.schedule.length,
    chains: 0,
    durationUs: 0,
    output: '',
  }
  const found: FoundFailure = {
    identity: identity(failure),
    result,
    foundAt: flight.execution,
    strategy: flight.plan.choices.from === 'strategy' ? flight.plan.choices.strategy : 'natural',
    name: undefined,
    shrinking: undefined,
  }
  return { found, plan, explanation: undefined, confirmed }
}

type JournalLine = [lane: Lane, label: string, min: string, max: string, value: string, type: 'number' | 'bigint']

function readJournal(path: string): Record<Lane, Choice[]> {
  const lanes: Record<Lane, Choice[]> = { input: [], schedule: [], fault: [] }
  const lines = readFileSync(path, 'utf8').split('\n')
  // The last piece is empty, or a line that was being written when the process died.
  for (const line of lines.slice(0, -1)) {
    const [lane, label, min, max, value, type] = JSON.parse(line) as JournalLine
    const convert = type === 'bigint' ? BigInt : Number
    lanes[lane].push({ label, min: convert(min), max: convert(max), value: convert(value) } as Choice)
  }
  return lanes
}

function add(a: CampaignSummary, b: CampaignSummary): CampaignSummary {
  return {
    executions: a.executions + b.executions,
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    voided: a.voided + b.voided,
    flaky: a.flaky + b.flaky,
    distinctFailures: a.distinctFailures + b.distinctFailures,
    maxPoints: Math.max(a.maxPoints, b.maxPoints),
    maxChains: Math.max(a.maxChains, b.maxChains),
  }
}

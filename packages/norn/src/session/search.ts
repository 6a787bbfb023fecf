/**
 * One property's campaign, as the process that owns it sees it: a worker explores; whatever it finds is saved at once,
 * saved again when it is smaller, and then run in a fresh process, which has to show the same trace and gives what a
 * person is shown. A worker that hangs or dies becomes a finding of its own kind, with the tape that led there, and
 * another worker goes on.
 *
 * A signal ends it early: the execution under way is let end, or is ended after a grace, and what was found is told.
 */

import { addVacuity } from '../cluster/vacuity-tally.ts'
import { essential } from '../contract/choices.ts'
import type { ExecutionResult, LeakReport } from '../contract/execution.ts'
import { identity } from '../contract/fingerprint.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import { addFrames, type FramesProgress } from '../contract/key-frames.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import type { HealthWarning } from '../execution/health.ts'
import type { Explanation, ExploreOptions, ListedProperty, Notice } from '../process/protocol.ts'
import { HANG_MS, Worker, WorkerLost, type WorkerOptions } from '../process/worker.ts'
import type { CampaignSummary, FlakyFailure, FoundFailure } from '../search/campaign.ts'
import type { GuidedState } from '../search/domain.ts'
import { addStops, NO_STOP_TALLY } from '../search/stop-estimate.ts'
import { lostExecution } from './lost-execution.ts'

/** A failure in its final form. */
export interface Finding {
  readonly found: FoundFailure
  /** Where its input came from. */
  readonly planned: InputPlan
  /** The plan that replays it. */
  readonly plan: Plan
  /** What a fresh process showed; undefined where the failure takes its process with it. */
  readonly explanation: Explanation | undefined
  /** Whether a fresh process showed the same failure with the same trace. */
  readonly confirmed: boolean
}

export interface HuntObserver {
  progress(executions: number, shrinking: boolean, guided?: GuidedState, frames?: FramesProgress): void
  /** A new failure, to be saved at once. */
  found(failure: FoundFailure, input: InputPlan): void
  finding(finding: Finding): void
  flaky(failure: FlakyFailure): void
  voided(execution: number, report: InconclusiveReport): void
  /** What outlived an execution that passed; each once. */
  leaked(execution: number, report: LeakReport): void
  /** Something keeps its executions from saying as much as they could. */
  unhealthy(warning: HealthWarning): void
  /** Something about the search itself that is worth knowing, once. */
  remarked?(text: string): void
}

/** How long the execution under way may go on after the signal, in milliseconds. */
const GRACE_MS = 1000

/** What a property gets even of a time that is used up when its process has started. */
const LEAST_MS = 100

/** How much longer a confirmation may take than an execution of the search, before it counts as a hang. */
const PATIENCE = 3

/** More deaths than this, and the property is given up. */
const MAX_LOSSES = 20

const NOTHING_RUN: CampaignSummary = {
  executions: 0,
  passed: 0,
  discarded: 0,
  failed: 0,
  voided: 0,
  flaky: 0,
  distinctFailures: 0,
  faults: 0,
  maxFaultPoints: 0,
  maxPoints: 0,
  maxChains: 0,
  notes: [],
  missed: [],
  stop: NO_STOP_TALLY,
}

/** @param opened a worker started so, which explores first and is left open; without it the first is a new one */
export async function hunt(
  start: WorkerOptions,
  property: ListedProperty,
  options: ExploreOptions,
  observer: HuntObserver,
  signal?: AbortSignal,
  opened?: Worker,
): Promise<CampaignSummary> {
  const end = performance.now() + options.timeMs
  /** Failures that were told of: another worker may come upon them again. */
  const known = new Set<string>()
  let total = NOTHING_RUN
  let skip = options.skip
  for (let losses = 0; losses <= MAX_LOSSES && !signal?.aborted; losses++) {
    const worker = losses === 0 && opened !== undefined ? opened : new Worker(start)
    const tally = new Tally(observer, known)
    const stopping = signal === undefined ? undefined : stopOn(signal, worker)
    try {
      const timeMs = Math.max(losses === 0 ? LEAST_MS : 0, end - performance.now())
      const summary = await worker.explore(property, { ...options, timeMs, skip }, (notice) => tally.take(notice))
      await tally.confirm(start, property)
      const distinctFailures = summary.distinctFailures - tally.seenBefore
      return addSummaries(total, { ...summary, distinctFailures, executions: summary.executions - skip })
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error
      const { flight } = error
      if (flight === undefined && signal?.aborted) return total
      if (flight === undefined) throw error
      await tally.confirm(start, property)
      const executions = Math.max(0, Math.max(1, flight.execution) - skip)
      const { flaky, voided } = tally
      let failed = tally.found.size
      let distinctFailures = tally.found.size
      if (!signal?.aborted) {
        const lost = await lostExecution(start, property, error, flight, options.seed)
        failed++
        if (!known.has(lost.found.identity)) {
          known.add(lost.found.identity)
          distinctFailures++
          observer.found(lost.found, lost.plan.input)
          observer.finding({ ...lost, planned: flight.plan.input, explanation: undefined })
        }
      }
      const passed = Math.max(0, executions - failed - flaky - voided)
      total = addSummaries(total, { ...NOTHING_RUN, executions, passed, failed, flaky, voided, distinctFailures })
      skip = flight.execution
      // A worker that is lost while it warms up would be lost again.
      if (!options.keepGoing || skip === 0 || skip >= options.runs || performance.now() >= end) return total
    } finally {
      stopping?.()
      if (worker !== opened) worker.close()
    }
  }
  if (!signal?.aborted) {
    const count = MAX_LOSSES + 1
    observer.remarked?.(
      `given up: ${count} processes were lost (hangs, deaths, memory), and what is left would cost more of them`,
    )
  }
  return total
}

/** Stops a worker on a signal: kindly, then for good. Gives what undoes it. */
function stopOn(signal: AbortSignal, worker: Worker): () => void {
  let grace: NodeJS.Timeout | undefined
  const stop = () => {
    worker.stop()
    grace = setTimeout(() => worker.end(), GRACE_MS)
  }
  signal.addEventListener('abort', stop)
  return () => {
    signal.removeEventListener('abort', stop)
    clearTimeout(grace)
  }
}

/** What one worker told of its campaign. */
class Tally {
  readonly #observer: HuntObserver
  /** The failures, by identity, in the smallest form seen; a worker may be lost before it has shrunk one. */
  readonly found = new Map<string, { failure: FoundFailure; input: InputPlan }>()
  /** How many more it found that an earlier worker had found. */
  seenBefore = 0
  flaky = 0
  voided = 0
  readonly #known: Set<string>

  constructor(observer: HuntObserver, known: Set<string>) {
    this.#observer = observer
    this.#known = known
  }

  take(notice: Notice): void {
    switch (notice.type) {
      case 'progress':
        this.#observer.progress(notice.executions, notice.shrinking, notice.guided, notice.frames)
        break
      case 'found':
        if (this.#known.has(notice.failure.identity)) {
          this.seenBefore++
          break
        }
        this.#observer.found(notice.failure, inputOf(notice.failure.result, notice.input))
        this.#observer.progress(notice.failure.foundAt, true)
        this.found.set(notice.failure.identity, notice)
        break
      case 'shrunk':
        if (!this.found.has(notice.failure.identity)) break
        this.found.set(notice.failure.identity, notice)
        break
      case 'flaky':
        this.flaky++
        this.#observer.flaky(notice.failure)
        break
      case 'voided':
        this.voided++
        this.#observer.voided(notice.execution, notice.report)
        break
      case 'leaked':
        this.#observer.leaked(notice.execution, notice.report)
        break
      case 'remark':
        this.#observer.remarked?.(notice.text)
        break
      case 'health':
        this.#observer.unhealthy(notice.warning)
    }
  }

  /** Runs each failure in a fresh process, and tells of it. */
  async confirm(start: WorkerOptions, property: ListedProperty): Promise<void> {
    for (const { failure, input } of this.found.values()) {
      this.#known.add(failure.identity)
      this.#observer.finding(await confirm(start, property, failure, input))
    }
  }
}

/** A failure's input in structured form where it has one: it then outlives its arbitraries. */
export function inputOf(result: ExecutionResult, planned: InputPlan): InputPlan {
  return result.input === undefined ? planned : { from: 'saved', input: result.input }
}

/** Runs a failure in a fresh process. */
async function confirm(
  start: WorkerOptions,
  property: ListedProperty,
  found: FoundFailure,
  input: InputPlan,
): Promise<Finding> {
  // Explaining takes longer than the search did, and a fresh process is slow at first.
  const worker = new Worker({ ...start, hangMs: PATIENCE * (start.hangMs ?? HANG_MS) })
  const choices = essential(found.result.choices!)
  const plan: Plan = { input: inputOf(found.result, input), choices: { from: 'record', choices } }
  try {
    const { result, explanation } = await worker.explain(property, plan)
    const same =
      result.verdict === 'failed' &&
      identity(result.failure!) === found.identity &&
      result.traceHash === found.result.traceHash
    // The explained result names its choices by alias too, which is what is saved.
    const explained = same ? { ...found, result: { ...result, following: undefined } } : found
    return { found: explained as FoundFailure, plan, explanation, confirmed: same, planned: input }
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error
    return { found, plan, explanation: undefined, confirmed: false, planned: input }
  } finally {
    worker.close()
  }
}

/** The summary of two campaigns on one property. */
export function addSummaries(a: CampaignSummary, b: CampaignSummary): CampaignSummary {
  const notes = [...new Set([...a.notes, ...b.notes])].sort()
  const guided = b.guided ?? a.guided
  const vacuity = addVacuity(a.vacuity, b.vacuity)
  const frames = addFrames(a.frames, b.frames)
  return {
    executions: a.executions + b.executions,
    passed: a.passed + b.passed,
    discarded: a.discarded + b.discarded,
    failed: a.failed + b.failed,
    voided: a.voided + b.voided,
    flaky: a.flaky + b.flaky,
    distinctFailures: a.distinctFailures + b.distinctFailures,
    faults: a.faults + b.faults,
    maxFaultPoints: Math.max(a.maxFaultPoints, b.maxFaultPoints),
    maxPoints: Math.max(a.maxPoints, b.maxPoints),
    maxChains: Math.max(a.maxChains, b.maxChains),
    notes,
    missed: [...new Set([...a.missed, ...b.missed])].filter((label) => !notes.includes(label)),
    ...(guided === undefined ? {} : { guided }),
    ...(vacuity === undefined ? {} : { vacuity }),
    ...(frames === undefined ? {} : { frames }),
    stop: addStops(a.stop, b.stop),
  }
}

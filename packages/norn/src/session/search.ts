/**
 * The search of one property, across the processes it costs.
 *
 * A worker explores. A failure is reported as it is found, and again when it is shrunk; a fresh
 * process then confirms it by the same trace. A worker that hangs or dies becomes a finding with
 * the choices that led there, and another goes on.
 *
 * A signal ends the search early: the execution under way ends, or is ended after a grace, and
 * findings are kept.
 */

import { performance } from 'node:perf_hooks'
import type { CampaignSummary, ExecutionCounts } from '../contract/campaign-summary.ts'
import { essential } from '../contract/choices.ts'
import type { FoundFailure, Report, SessionEvent } from '../contract/events.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import { openNames } from '../contract/open-address.ts'
import { inputOf, type Plan } from '../contract/plan.ts'
import type { ExploreOptions, FlightRecord, ListedProperty } from '../process/protocol.ts'
import { HANG_MS, type Worker, WorkerLost } from '../process/worker.ts'
import { provenance } from '../search/provenance.ts'
import { TemporaryFilesError } from '../storage/files.ts'
import type { FileProcess } from './file-process.ts'
import { type EndingExecution, type LostExecution, lostExecution } from './lost-execution.ts'
import { comparedWithPassing } from './nearest.ts'
import { reproduce } from './reproduction.ts'
import { addCounts, addSummaries, NOTHING_RUN } from './summaries.ts'

/** Real time that the execution under way may take after the signal, in milliseconds. */
const GRACE_MS = 1000

/** Least real time of a search, even if starting its process has used up the budget, in milliseconds. */
const LEAST_MS = 100

/**
 * A second run may take this many times as long as an execution: it explains, its process is new,
 * and what ends then does not hang.
 */
const PATIENCE = 3

/** After more losses than this, the search gives up. */
const MAX_LOSSES = 20

/** Where a search runs. */
export type SearchedFile = Pick<FileProcess, 'start' | 'fresh' | 'worker' | 'close'>

export async function search(
  file: SearchedFile,
  property: ListedProperty,
  options: ExploreOptions,
  report: Report,
  signal?: AbortSignal,
): Promise<CampaignSummary> {
  const end = performance.now() + options.timeMs
  /** Fingerprints of reported failures: another worker may find them again. */
  const known = new Set<string>(options.known)
  let total = NOTHING_RUN
  let skip = options.skip
  for (let losses = 0; losses <= MAX_LOSSES && !signal?.aborted; losses++) {
    const tally = new Tally(report, known, { total, skip })
    let worker: Worker | undefined
    let endWatch: (() => void) | undefined
    try {
      worker = file.worker()
      endWatch = signal === undefined ? undefined : stopOn(signal, worker)
      const timeMs = Math.max(losses === 0 ? LEAST_MS : 0, end - performance.now())
      const summary = await worker.explore(property, { ...options, timeMs, skip }, (event) => tally.take(event))
      await tally.confirm(file, property)
      return addSummaries(total, tally.counted(summary))
    } catch (error) {
      if (error instanceof TemporaryFilesError) {
        report({ type: 'remark', text: error.message })
        await tally.confirm(file, property)
        const failed = tally.found.size
        // The execution that could not begin is inconclusive; how many passed is not known.
        const counted = { executions: failed + 1, failed, distinctFailures: failed, voided: 1 }
        return addSummaries(total, { ...NOTHING_RUN, ...counted })
      }
      if (!(error instanceof WorkerLost)) throw error
      const { flight } = error
      if (flight === undefined && signal?.aborted) return total
      if (flight === undefined) throw error
      const lost = signal?.aborted
        ? undefined
        : await lostExecution(() => freshWithPatience(file), property, error, flight, options.seed)
      if (lost !== undefined && lost.type !== 'lost') tally.takeEnding(lost, flight, options.seed)
      await tally.confirm(file, property)
      const executions = Math.max(0, Math.max(1, flight.execution) - skip)
      let distinctFailures = tally.found.size
      if (lost?.type === 'lost') {
        const { confirmation, ...failure } = lost.failure
        if (!known.has(failure.identity)) {
          known.add(failure.identity)
          distinctFailures++
          report({ type: 'found', failure })
          const counted = { ...confirmation, ...reproducedOnce(file, confirmation) }
          report({ type: 'confirmed', failure: { ...failure, confirmation: counted } })
        }
      }
      const counts = addCounts(flight.counts ?? NOTHING_RUN, tally.countsOf(flight, lost))
      total = addSummaries(total, { ...NOTHING_RUN, executions, ...counts, distinctFailures })
      skip = flight.execution
      const goesOn = options.keepGoing || (lost !== undefined && lost.type !== 'lost' && tally.found.size === 0)
      // A worker that is lost while it warms up would be lost again.
      if (!goesOn || skip === 0 || skip >= options.runs || performance.now() >= end) return total
    } finally {
      endWatch?.()
      if (worker?.ended) file.close()
    }
  }
  if (!signal?.aborted) {
    const count = MAX_LOSSES + 1
    report({ type: 'remark', text: `search stopped: ${count} worker processes hung, crashed or ran out of memory` })
  }
  return total
}

/** Stops a worker on a signal: first by a request, then by killing it. Returns the undo function. */
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

/** What earlier workers ran, and the executions that the next one passes over. */
interface Before {
  readonly total: CampaignSummary
  readonly skip: number
}

/** What one worker reported of its campaign. */
class Tally {
  readonly #report: Report
  /**
   * Failures by fingerprint, in the smallest form seen: a worker may be lost before it has shrunk
   * one.
   */
  readonly found = new Map<string, FoundFailure>()
  /** Failures that an earlier worker had found. */
  seenBefore = 0
  readonly #known: Set<string>
  readonly #before: Before

  constructor(report: Report, known: Set<string>, before: Before) {
    this.#report = report
    this.#known = known
    this.#before = before
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'found': {
        const { failure } = event
        if (this.#known.has(failure.identity)) {
          this.seenBefore++
          return
        }
        this.#report(event)
        this.#report({ type: 'progress', executions: failure.foundAt, shrinking: true })
        this.found.set(failure.identity, failure)
        return
      }
      case 'progress':
        if (event.interim === undefined) break
        this.#report({ ...event, interim: addSummaries(this.#before.total, this.counted(event.interim)) })
        return
      case 'shrunk':
        if (!this.found.has(event.failure.identity)) return
        this.found.set(event.failure.identity, event.failure)
    }
    this.#report(event)
  }

  /** A summary of this worker, without what earlier ones counted. */
  counted(summary: CampaignSummary): CampaignSummary {
    const distinctFailures = summary.distinctFailures - this.seenBefore
    return { ...summary, distinctFailures, executions: summary.executions - this.#before.skip }
  }

  /** Takes an execution that was ended, and then ended by itself. */
  takeEnding({ type, result, message }: EndingExecution, { execution, plan }: FlightRecord, seed: number): void {
    if (type === 'slow') {
      const text = `execution ${execution}: ${message}. With ${PATIENCE} times as long it ended by itself: it is slow, and does not hang. Allow more with --hang`
      this.#report({ type: 'remark', text })
    }
    const { failure, voided = type === 'filled' ? notRepeated(message) : undefined } = result
    if (failure !== undefined) {
      const identity = fingerprint(failure)
      const found = { identity, result, foundAt: execution, seed, ...provenance(plan), shrinking: undefined }
      this.take({ type: 'found', failure: { ...found, planned: plan.input } })
    }
    if (failure === undefined && voided !== undefined) this.take({ type: 'inconclusive', execution, report: voided })
  }

  /** How the execution ended with which a worker was lost; unknown without a second run of it. */
  countsOf({ execution }: FlightRecord, lost: LostExecution | EndingExecution | undefined): Partial<ExecutionCounts> {
    const isShrunk = [...this.found.values()].some(({ foundAt }) => foundAt === execution)
    if (isShrunk || lost?.type === 'lost') return { failed: 1 }
    if (lost === undefined) return {}
    const { verdict, discarded } = lost.result
    if (lost.type === 'filled' && verdict !== 'failed') return { voided: 1 }
    if (verdict === 'passed') return discarded ? { discarded: 1 } : { passed: 1 }
    return verdict === 'failed' ? { failed: 1 } : { voided: 1 }
  }

  /** Runs each failure in a fresh process, and reports it. */
  async confirm(file: SearchedFile, property: ListedProperty): Promise<void> {
    for (const failure of this.found.values()) {
      this.#known.add(failure.identity)
      this.#report({ type: 'confirmed', failure: await confirm(file, property, failure, this.#report) })
    }
  }
}

function notRepeated(message: string): InconclusiveReport {
  return { reason: { kind: 'memory not repeated', message }, stack: '', frames: [] }
}

function freshWithPatience({ start, fresh }: SearchedFile): Worker {
  return fresh({ ...start, hangMs: PATIENCE * (start.hangMs ?? HANG_MS) })
}

/** Undefined if temporary files have no room for another process. */
function freshIfPossible(file: SearchedFile, report: Report): Worker | undefined {
  try {
    return freshWithPatience(file)
  } catch (error) {
    if (!(error instanceof TemporaryFilesError)) throw error
    report({ type: 'remark', text: `confirmed in the process of the search: ${error.message}` })
    return undefined
  }
}

/** A lost execution is run once more, to learn its choices. */
function reproducedOnce({ start: { open = [] } }: SearchedFile, { confirmed }: { confirmed: boolean }) {
  if (open.length === 0) return {}
  return { reproduced: { times: confirmed ? 1 : 0, of: 1, open: openNames(open) } }
}

/** Runs a failure of open mode in fresh processes. */
async function count(
  file: SearchedFile,
  property: ListedProperty,
  found: FoundFailure,
  plan: Plan,
): Promise<FoundFailure> {
  let worker: Worker | undefined
  const current = () => {
    if (worker?.ended) worker.close()
    if (worker === undefined || worker.ended) worker = freshWithPatience(file)
    return worker
  }
  try {
    const { reproduced, shown } = await reproduce(current, property, plan, found.identity, file.start.open!)
    const confirmed = reproduced.times > 0
    const { explanation } = confirmed ? shown : { explanation: undefined }
    const result = confirmed ? withoutFollowing(shown.result) : found.result
    return { ...found, result, confirmation: { plan, explanation, confirmed, reproduced } }
  } finally {
    worker?.close()
  }
}

/** Runs a failure in a fresh process. */
async function confirm(
  file: SearchedFile,
  property: ListedProperty,
  found: FoundFailure,
  report: Report,
): Promise<FoundFailure> {
  const choices = essential(found.result.choices!)
  const plan: Plan = { input: inputOf(found.result, found.planned), choices: { from: 'record', choices } }
  if ((file.start.open ?? []).length > 0) return count(file, property, found, plan)
  let worker: Worker | undefined
  try {
    worker = freshIfPossible(file, report)
    const running = worker ?? file.worker()
    const explained = await running.explain(property, plan)
    const { verdict, failure, traceHash } = explained.result
    const confirmed =
      verdict === 'failed' && fingerprint(failure!) === found.identity && traceHash === found.result.traceHash
    if (!confirmed) return { ...found, confirmation: { plan, explanation: explained.explanation, confirmed } }
    // The explained result names its choices by alias too, which is what is saved.
    const { result, explanation } = await comparedWithPassing(running, property, plan, explained)
    return { ...found, result: withoutFollowing(result), confirmation: { plan, explanation, confirmed } }
  } catch (error) {
    if (!(error instanceof WorkerLost || error instanceof TemporaryFilesError)) throw error
    return { ...found, confirmation: { plan, explanation: undefined, confirmed: false } }
  } finally {
    worker?.close()
  }
}

function withoutFollowing({ following: _, ...result }: ExecutionResult): ExecutionResult {
  return result
}

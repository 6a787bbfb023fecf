/**
 * The session of one property: saved failures first, then search, shrink, confirm and save. The
 * command line and the test runners run the same session, and report its events and its result in
 * their own ways.
 *
 * Invariant: a failure is saved before it is shrunk, and again in its final form, so a kill loses
 * at most the execution under way. Nothing inconclusive passes.
 */

import { performance } from 'node:perf_hooks'
import type {
  FlakyFailure,
  FoundFailure,
  HealthWarning,
  Report,
  SearchResult,
  Seen,
  TriedFailure,
} from '../contract/events.ts'
import type { LeakReport } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type InconclusiveReport, reasonKey } from '../contract/inconclusive.ts'
import { allReached } from '../contract/key-frames.ts'
import { doubtsOf, type Verdict, verdictOfResult, verdictOfSearch, worstVerdict } from '../contract/verdict.ts'
import { kindOf } from '../domains/kinds.ts'
import { NOTHING } from '../options/guide.ts'
import type { ExploreOptions } from '../process/protocol.ts'
import { FailureFiles, hasAliasesOf, type Origin, savedAlike } from './finding.ts'
import { isLoss } from './lost-execution.ts'
import { searchTogether } from './pool.ts'
import { trySavedFirst } from './saved-first.ts'
import type { Target } from './targets.ts'

export interface SessionOptions extends Omit<ExploreOptions, 'skip' | 'alone' | 'known' | 'earlier'> {
  /** Run the saved failures first. */
  readonly saved: boolean
  /** Processes that search. */
  readonly workers: number
  /** Names the code that failures are saved for. */
  readonly origin: Origin
}

export interface SessionResult {
  readonly verdict: Verdict
  readonly tried: readonly TriedFailure[]
  /** Undefined if a saved failure, or the signal, came first. */
  readonly search: SearchResult | undefined
}

/**
 * Feedback, a corpus and shrinking need executions that are functions of their choices; two workers
 * would share the server.
 */
const IN_OPEN_MODE = { isOpen: true, guide: NOTHING, corpus: undefined, shrink: false, workers: 1 } as const

export async function runSession(
  target: Target,
  given: SessionOptions,
  report: Report,
  signal?: AbortSignal,
): Promise<SessionResult> {
  const isOpen = (target.process.start.open ?? []).length > 0
  const options = isOpen ? { ...given, ...IN_OPEN_MODE } : given
  const first = given.saved ? await trySavedFirst(target, options.keepGoing, signal) : { tried: [], problems: [] }
  report({ type: 'tried', ...first })
  const { tried } = first
  const before = worstVerdict(tried.map(({ result }) => verdictOfResult(result)))
  const isInterrupted = signal?.aborted ?? false
  if ((before === 'failed' && !options.keepGoing) || (isInterrupted && before === 'passed'))
    return { verdict: verdictOfSearch(before === 'failed', isInterrupted), tried, search: undefined }
  const search = await searchTarget(target, options, knownOf(target, tried), report, signal)
  const verdict = worstVerdict([before, verdictOfSearch(search.isFailed, search.doubts.length > 0)])
  report({ type: 'searched', search, verdict })
  return { verdict, tried, search }
}

/**
 * Fingerprints of saved failures that still fail as they were saved, so that the search goes on for
 * others.
 */
function knownOf(target: Target, tried: readonly TriedFailure[]): readonly string[] {
  const failing = tried.filter(({ saved, result: { failure } }) => {
    const isFinal = saved.shrunk || isLoss(saved.failure.kind)
    const isSame = failure !== undefined && fingerprint(failure) === saved.identity
    return isFinal && isSame && hasAliasesOf(target, saved)
  })
  return [...new Set(failing.map(({ saved }) => saved.identity))]
}

async function searchTarget(
  target: Target,
  { saved: _, workers, origin, ...options }: SessionOptions,
  known: readonly string[],
  report: Report,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const began = performance.now()
  const findings: FoundFailure[] = []
  const flaky: FlakyFailure[] = []
  const inconclusive: Seen<InconclusiveReport>[] = []
  const leaks = new Map<string, Seen<LeakReport>>()
  const warnings: HealthWarning[] = []
  const problems = new Set<string>()
  const files = new FailureFiles(origin, target, (text) => {
    if (!problems.has(text)) report({ type: 'remark', text })
    problems.add(text)
  })
  const earlier = savedAlike(target).map(({ identity, found: { example }, choices }) => ({
    identity,
    example,
    choices,
  }))
  // So that the search is a function of its seed.
  if (kindOf(target.property.kind).needsFreshProcess) target.process.close()
  report({ type: 'searching' })
  const searchingMs = performance.now()
  const take: Report = (event) => {
    switch (event.type) {
      case 'progress':
        report({ ...event, elapsedMs: performance.now() - searchingMs })
        return
      case 'found':
      case 'shrunk':
      case 'confirmed': {
        const failure = files.save(event.type, event.failure, event.isSaved ?? false)
        if (event.type === 'confirmed') findings.push(failure)
        report({ ...event, failure })
        return
      }
      case 'flaky':
        flaky.push(event.failure)
        break
      case 'inconclusive': {
        // It may come again, with its place.
        const at = inconclusive.findIndex((each) => isSame(each, event))
        inconclusive[at < 0 ? inconclusive.length : at] = event
        break
      }
      case 'leaked': {
        const key = leakKey(event.report)
        if (!leaks.has(key)) leaks.set(key, event)
        break
      }
      case 'health':
        warnings.push(event.warning)
    }
    report(event)
  }
  const summary = await searchTogether(target, { ...options, known, earlier, skip: 0 }, take, signal, workers)
  const unconfirmed = findings.filter(({ confirmation }) => isUnconfirmed(confirmation!)).length
  return {
    isFailed: summary.distinctFailures > unconfirmed,
    doubts: doubtsOf(summary, {
      unconfirmed,
      minRuns: options.minRuns,
      isUnreached: summary.frames !== undefined && !allReached(summary.frames),
      isInterrupted: signal?.aborted ?? false,
    }),
    ...{ summary, findings, flaky, inconclusive, leaks: [...leaks.values()], warnings },
    timeMs: performance.now() - began,
  }
}

/** In open mode nothing needs a failure to repeat. */
function isUnconfirmed({ confirmed, reproduced }: NonNullable<FoundFailure['confirmation']>): boolean {
  return !confirmed && reproduced === undefined
}

/** Several workers see the same leak. */
function leakKey({ kind, what, frames: [frame] }: LeakReport): string {
  return `${kind} ${frame === undefined ? what : `${frame.file}:${frame.line}:${frame.column}`}`
}

function isSame(a: Seen<InconclusiveReport>, b: Seen<InconclusiveReport>): boolean {
  return a.execution === b.execution && reasonKey(a.report.reason) === reasonKey(b.report.reason)
}

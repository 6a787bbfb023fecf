/**
 * The session of one property: saved failures first, then search, shrink, confirm and save. The
 * command line and the test runners run the same session, and report its events and its result in
 * their own ways.
 *
 * Invariant: a failure is saved before it is shrunk, and again in its final form, so a kill loses
 * at most the execution under way. Nothing inconclusive passes.
 */

import type { LeakReport } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type InconclusiveReport, reasonKey } from '../contract/inconclusive.ts'
import { allReached } from '../contract/key-frames.ts'
import { type Doubt, doubtsOf, type Verdict, verdictOfResult, worstVerdict } from '../contract/verdict.ts'
import { kindOf } from '../domains/kinds.ts'
import { NOTHING } from '../options/guide.ts'
import type { ExploreOptions } from '../process/protocol.ts'
import type { CampaignSummary } from '../search/campaign-summary.ts'
import type { FlakyFailure, FoundFailure, HealthWarning, SearchEvent } from '../search/events.ts'
import type { SavedFailure } from '../storage/failure-file.ts'
import { hasAliasesOf, type Origin, pathOf, savedAlike, savedForm, saveFound } from './finding.ts'
import { isLoss } from './lost-execution.ts'
import { searchTogether } from './pool.ts'
import { type TriedFailure, type TriedFirst, trySavedFirst } from './saved-first.ts'
import { type Finding, inputOf } from './search.ts'
import type { Target } from './targets.ts'

export interface SessionOptions extends Omit<ExploreOptions, 'skip' | 'alone' | 'known' | 'earlier'> {
  /** Run the saved failures first. */
  readonly saved: boolean
  /** Processes that search. */
  readonly workers: number
  /** Names the code that failures are saved for. */
  readonly origin: Origin
}

/** A failure, and its file. */
export interface SavedFound {
  readonly saved: SavedFailure
  /** Path of its file, relative to the root; undefined if it could not be saved. */
  readonly path: string | undefined
}

/** A failure in its final form. */
export interface SavedFinding extends Finding, SavedFound {}

export type SessionEvent =
  | Extract<SearchEvent, { type: 'progress' | 'flaky' | 'remark' | 'inconclusive' }>
  /** The saved failures were run. */
  | ({ readonly type: 'tried' } & TriedFirst)
  /** The search begins. */
  | { readonly type: 'searching' }
  /** A failure was saved as it was found; then it was shrunk. */
  | ({ readonly type: 'found' | 'shrunk'; readonly failure: FoundFailure } & SavedFound)
  /** A failure was confirmed, or could not be, and saved in its final form. */
  | { readonly type: 'confirmed'; readonly finding: SavedFinding }

/** What one execution, or the search, left to report, and the execution it was seen in. */
interface Seen<Report> {
  readonly execution: number
  readonly report: Report
}

export interface SearchResult {
  readonly isFailed: boolean
  /** Why it is not a pass if it did not fail, the weightiest first. */
  readonly doubts: readonly Doubt[]
  readonly summary: CampaignSummary
  readonly findings: readonly SavedFinding[]
  readonly flaky: readonly FlakyFailure[]
  /** The first inconclusive execution for each reason. */
  readonly inconclusive: readonly Seen<InconclusiveReport>[]
  readonly leaks: readonly Seen<LeakReport>[]
  readonly warnings: readonly HealthWarning[]
  /** Real time. */
  readonly timeMs: number
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
  report: (event: SessionEvent) => void,
  signal?: AbortSignal,
): Promise<SessionResult> {
  const isOpen = (target.process.start.open ?? []).length > 0
  const options = isOpen ? { ...given, ...IN_OPEN_MODE } : given
  const first: TriedFirst = given.saved
    ? await trySavedFirst(target, options.keepGoing, signal)
    : { tried: [], problems: [] }
  report({ type: 'tried', ...first })
  const { tried } = first
  const before = worstVerdict(tried.map(({ result }) => verdictOfResult(result)))
  const isDecided = before === 'failed' && !options.keepGoing
  if (isDecided || (signal?.aborted && before === 'passed'))
    return { verdict: isDecided ? before : 'undecided', tried, search: undefined }
  const search = await searchTarget(target, options, knownOf(target, tried), report, signal)
  const isDoubtful = search.doubts.length > 0 || signal?.aborted
  const found = search.isFailed ? 'failed' : isDoubtful ? 'undecided' : 'passed'
  return { verdict: worstVerdict([before, found]), tried, search }
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
  report: (event: SessionEvent) => void,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const began = performance.now()
  const findings: SavedFinding[] = []
  const flaky: FlakyFailure[] = []
  const inconclusive: Seen<InconclusiveReport>[] = []
  const leaks = new Map<string, Seen<LeakReport>>()
  const warnings: HealthWarning[] = []
  /** The files of failures, as found, by fingerprint. */
  const files = new Map<string, string>()
  const problems = new Set<string>()
  const unsaved = (text: string) => {
    if (!problems.has(text)) report({ type: 'remark', text })
    problems.add(text)
  }
  const earlier = savedAlike(target).map(({ identity, found: { example }, choices }) => ({
    identity,
    example,
    choices,
  }))
  // So that the search is a function of its seed.
  if (kindOf(target.property.kind).needsFreshProcess) target.process.close()
  report({ type: 'searching' })
  const summary = await searchTogether(
    target,
    { ...options, known, earlier, skip: 0 },
    (event) => {
      switch (event.type) {
        case 'progress':
        case 'remark':
          report(event)
          break
        case 'found': {
          const { failure, input, planned } = event
          const saved = savedForm(origin, target, failure, input, planned, false)
          const path = event.isSaved ? pathOf(origin.root, saved) : saveFound({ ...origin, unsaved }, saved)
          if (path !== undefined) files.set(failure.identity, path)
          report({ type: 'found', failure, saved, path })
          break
        }
        case 'shrunk': {
          const { failure, input } = event
          const isShrunk = failure.shrinking !== undefined
          const saved = savedForm(origin, target, failure, inputOf(failure.result, input), input, isShrunk)
          report({ type: 'shrunk', failure, saved, path: files.get(failure.identity) })
          break
        }
        case 'confirmed': {
          const { found, plan, planned } = event.finding
          const asFound = files.get(found.identity)
          const kept = (why: string) => unsaved(asFound === undefined ? why : `${why}. ${asFound} has it as found`)
          const final = { ...origin, unsaved: kept }
          const isShrunk = found.shrinking !== undefined
          const saved = savedForm(origin, target, found, plan.input, planned, isShrunk)
          const path = found.isSaved ? asFound : (saveFound(final, saved) ?? asFound)
          const finding = { ...event.finding, saved, path }
          findings.push(finding)
          report({ type: 'confirmed', finding })
          break
        }
        case 'flaky':
          flaky.push(event.failure)
          report(event)
          break
        case 'inconclusive': {
          // It may come again, with its place.
          const at = inconclusive.findIndex((each) => isSame(each, event))
          if (at < 0) inconclusive.push(event)
          else inconclusive[at] = event
          report(event)
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
    },
    signal,
    workers,
  )
  const timeMs = performance.now() - began
  const unconfirmed = findings.filter(({ confirmed, reproduced }) => !confirmed && reproduced === undefined).length
  const isUnreached = summary.frames !== undefined && !allReached(summary.frames)
  const isFailed = summary.distinctFailures > unconfirmed
  const doubts = doubtsOf(summary, { unconfirmed, minRuns: options.minRuns, isUnreached })
  return { isFailed, doubts, summary, findings, flaky, inconclusive, leaks: [...leaks.values()], warnings, timeMs }
}

/** Several workers see the same leak. */
function leakKey({ kind, what, frames: [frame] }: LeakReport): string {
  return `${kind} ${frame === undefined ? what : `${frame.file}:${frame.line}:${frame.column}`}`
}

function isSame(a: Seen<InconclusiveReport>, b: Seen<InconclusiveReport>): boolean {
  return a.execution === b.execution && reasonKey(a.report.reason) === reasonKey(b.report.reason)
}

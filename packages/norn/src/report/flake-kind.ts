/**
 * Why an ordinary test is flaky, told from how it fails: by rules on the trace of the failure and of the
 * nearest passing execution. Where no rule fits, no kind is claimed.
 */
import { type Choice, isSimplest } from '../contract/choice.ts'
import type { ExecutionResult, Frame } from '../contract/execution.ts'
import type { Explanation, StartingFrame } from '../contract/explanation.ts'
import type { SchedulePointKind } from '../contract/subject.ts'
import type { TraceEvent } from '../contract/trace.ts'
import { instantText } from '../contract/wall-clock.ts'
import type { PassesUnless } from '../session/flaky/test-report.ts'
import { follows } from '../world/trace/causal-order.ts'
import { swappedConflicts } from '../world/trace/conflicts.ts'
import { Order, swapAtParting } from '../world/trace/swapped-steps.ts'
import { clockTexts } from './clock.ts'
import { type Placed, StepTexts } from './diagram/step-text.ts'

/** What a kind means, and what to do. */
export const FLAKE_KINDS = {
  port: {
    name: 'a port in use',
    advice: 'listen on port 0, and ask the server for the port it got',
  },
  leftover: {
    name: 'a leftover of an earlier test',
    advice: 'undo in its hooks what the earlier test leaves behind: servers, timers, files, mocks',
  },
  unawaited: {
    name: 'an operation that nobody awaits',
    advice: 'await the promise, or close what the test has opened before it ends',
  },
  clock: {
    name: 'what the clock shows',
    advice: 'read the clock once and pass that on, or fake the clock',
  },
  chance: {
    name: 'random numbers',
    advice: 'seed them in the test, or fake what draws them',
  },
  sleep: {
    name: 'a sleep against an operation',
    advice: 'wait for the event itself instead of for a time, or fake the clock',
  },
  pause: {
    name: 'a bound on how long code takes',
    advice: 'a busy machine pauses any program: fake the clock, or do not bound the time',
  },
  code: {
    name: 'a race in the code under test',
    advice: 'both operations are in the code under test: look there first',
  },
  order: {
    name: 'an order of answers that nothing guarantees',
    advice: 'await one before asking for the next, or compare without the order',
  },
} as const

type FlakeKind = keyof typeof FLAKE_KINDS

/** A failure of an ordinary test. */
export interface FlakyFailure {
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
  /** The file of the test, relative to the root. */
  readonly file: string
  /** The tests that run before it in the execution. */
  readonly after: readonly string[]
  /** What another schedule departs in, under which it passes, if it fails under the default one. */
  readonly unless: PassesUnless['departure'] | undefined
  /** Whether shrinking ended, so that it fails no more without any of what departs. */
  readonly isMinimal: boolean
}

interface Found {
  readonly kind: FlakeKind
  /** What it consists of, if that is known. */
  readonly what?: string
  /** What to do, if not what its kind says. */
  readonly advice?: string
}

/** The kind of a failure; undefined if no rule fits. */
export function flakeKind(failure: FlakyFailure): Found | undefined {
  const { result, explanation, after, unless } = failure
  if (explanation?.trace.some(({ outcome }) => outcome === 'EADDRINUSE')) return { kind: 'port' }
  if (after.length > 0) return { kind: 'leftover', what: after.map((name) => `'${name}'`).join(', ') }
  if (unless === 'seed') return { kind: 'chance' }
  if (unless === 'start of the clock') return { kind: 'clock', what: `the clock starts at ${instantText(0)}` }
  if (explanation === undefined) return undefined
  if (isOfNobody(result, explanation)) return { kind: 'unawaited' }
  const departures = (result.choices?.schedule ?? []).filter((choice) => !isSimplest(choice))
  if (departures.length > 0 && departures.every(({ kind }) => kind === 'seed')) return { kind: 'chance' }
  const clock = departures.filter(isOfWallClock)
  const isDecisive = failure.isMinimal || clock.length === departures.length
  if (clock.length > 0 && isDecisive) return ofWallClock(clock, explanation)
  if (departures.length > 0 && departures.every(isBrief)) return { kind: 'clock', what: BETWEEN_READS }
  const { nearest } = explanation
  if (nearest === undefined) return isPaused(result) ? { kind: 'pause' } : undefined
  const orders = [new Order(explanation), new Order(nearest)] as const
  return (
    violated(failure, explanation, ...orders) ??
    (isPaused(result) ? { kind: 'pause' } : undefined) ??
    slept(failure, explanation, ...orders) ??
    swapped(failure, explanation, ...orders)
  )
}

/** Whether a promise rejects that nobody awaits, or an error is thrown when the test has ended. */
function isOfNobody({ failure }: ExecutionResult, { trace }: Explanation): boolean {
  const end = trace.find(({ event }) => event === 'settled')?.kind
  if (failure?.kind === 'unhandled rejection') return end !== undefined
  // Thrown in a callback while the test runs, it stops the execution: it may be an assertion.
  return failure?.kind === 'uncaught exception' && (end === 'fulfilled' || end === 'rejected')
}

/** Two tasks of the code under test read before either wrote. */
function violated({ file }: FlakyFailure, explanation: Explanation, failing: Order, passing: Order): Found | undefined {
  const violation = swappedConflicts(failing, passing).find((each) => each.violation !== undefined)?.violation
  if (violation === undefined) return undefined
  const files = [...violation.reads, ...violation.writes].map(({ label }) => ownFile(explanation.origins.get(label)))
  return files.includes(undefined) || files.includes(file) ? undefined : { kind: 'code' }
}

/** Where the clock moves on by a millisecond at most, no code was slow. */
function isBrief({ subject, value }: Choice): boolean {
  return subject?.point === 'pause' && Number(value) <= 1000
}

const BETWEEN_READS = 'a millisecond ends between two reads'

function isOfWallClock({ kind }: Choice): boolean {
  return kind === 'clock' || kind === 'phase' || kind === 'correction'
}

/** @param choices those about the wall clock that depart from the default */
function ofWallClock(choices: readonly Choice[], explanation: Explanation): Found {
  const phase = choices.find(({ kind }) => kind === 'phase')
  const early = phase === undefined ? undefined : earlyTimer(explanation, Number(phase.value))
  const others = choices.filter((choice) => early === undefined || choice !== phase)
  const what = [...(early === undefined ? [] : [early]), ...clockTexts(others)].join(', ')
  const isOnlyPhase = choices.every((choice) => choice === phase)
  return { kind: 'clock', what, ...(isOnlyPhase ? { advice: EARLY_ADVICE } : {}) }
}

const EARLY_ADVICE = 'timers and Date count their milliseconds apart: allow one less, or fake the clock'

/** The last timer that takes less than it was set for, by `Date`. */
function earlyTimer(explanation: Explanation, phaseUs: number): string | undefined {
  const { notes, trace } = explanation
  const set = new Map(notes.flatMap((note) => (note.event === 'set' && note.ms ? [[note.subject, note]] : [])))
  const shown = (atUs: number) => Math.floor((atUs - phaseUs) / 1000)
  for (const step of trace.toReversed()) {
    const { ms = 0, atUs = 0 } = (step.event === 'timer' ? set.get(step.label) : undefined) ?? {}
    const tookMs = shown(step.atUs) - shown(atUs)
    if (tookMs < ms) return `by Date, ${named(explanation, step)} takes ${tookMs} ms`
  }
  return undefined
}

/** Whether nothing but pauses of the program departs from the default schedule. */
function isPaused({ choices }: ExecutionResult): boolean {
  const departures = (choices?.schedule ?? []).filter((choice) => !isSimplest(choice))
  return departures.length > 0 && departures.every(({ subject }) => PAUSES.has(subject?.point ?? 'effect'))
}

const PAUSES: ReadonlySet<SchedulePointKind> = new Set(['timer', 'start', 'stall', 'pause'])

/** What follows from a timer of the test comes where the passing execution has something else first. */
function slept({ file }: FlakyFailure, explanation: Explanation, failing: Order, passing: Order): Found | undefined {
  const parting = failing.keys.findIndex((key, at) => key !== passing.keys[at])
  const [early, missed] = [failing.steps[parting], passing.steps[parting]]
  if (early === undefined || missed === undefined || missed.event === 'timer') return undefined
  const isOfTest = ({ event, label }: TraceEvent) =>
    event === 'timer' && ownFile(explanation.origins.get(label)) === file
  const timer = failing.steps
    .slice(0, parting + 1)
    .findLast((step) => isOfTest(step) && (step === early || follows(early, step)) && !follows(missed, step))
  if (timer === undefined) return undefined
  return { kind: 'sleep', what: `${named(explanation, timer)} ends before ${named(explanation.nearest!, missed)}` }
}

/** Two steps in an order that the test does not expect. */
function swapped({ file }: FlakyFailure, explanation: Explanation, failing: Order, passing: Order): Found | undefined {
  const swap = swapAtParting(failing, passing)
  const steps = [...(swap?.first ?? []), ...(swap?.second ?? [])]
  if (steps.length === 0 || steps.some(({ event }) => event === 'timer')) return undefined
  const files = steps.map(({ label }) => ownFile(explanation.origins.get(label)))
  if (files.includes(undefined)) return undefined
  return { kind: files.includes(file) ? 'order' : 'code' }
}

function named(placed: Placed, step: TraceEvent): string {
  const texts = new StepTexts(placed)
  const place = texts.fullPlaceOf(step)
  return `${texts.nounOf(step)}${place === '' ? '' : ` (${place})`}`
}

/** The file of the project that led to an operation. */
function ownFile(origin: StartingFrame | undefined): string | undefined {
  const frames: readonly Frame[] = origin === undefined ? [] : [origin, ...(origin.callers ?? [])]
  return frames.find(({ file }) => !file.includes('node_modules'))?.file
}

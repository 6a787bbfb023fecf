/** The summary of a campaign without a failure, and of a call of several properties. */
import { type CampaignSummary, isAllDiscarded } from '../contract/campaign-summary.ts'
import { plural } from '../contract/text.ts'
import { doubtsOf, VERDICTS, type Verdict } from '../contract/verdict.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'
import { vacuityText } from './vacuity.ts'

/** Notes that are named, in the order of their labels. */
const MAX_NOTES_SHOWN = 12

export interface SummaryText {
  readonly property: string
  readonly summary: CampaignSummary
  readonly isInterrupted: boolean
  readonly seed: number
  /** Real time that the campaign took, in milliseconds. */
  readonly timeMs: number
  /** Whether the search went on after a failure, so that the summary counts the failures. */
  readonly keepGoing: boolean
  /** Whether the property allows faults. */
  readonly faultsAllowed: boolean
  /** Lines on the residual risk. */
  readonly risk: readonly string[]
}

/** Undefined where a report before says it all: of the one failure, or of inconclusive executions. */
export function summaryText(
  { property, summary, isInterrupted, seed, timeMs, keepGoing, faultsAllowed, risk }: SummaryText,
  style: Style,
): string | undefined {
  const { executions, distinctFailures, voided, flaky, maxPoints } = summary
  const ran = `${plural(executions, 'execution')} in ${(timeMs / 1000).toFixed(1)} s`
  if (distinctFailures > 0) {
    return keepGoing
      ? `${style.bad('✗')} ${property}: ${ran}, ${plural(distinctFailures, 'distinct failure')}`
      : undefined
  }
  if (summary.failedAsBefore !== undefined) {
    const again = `${plural(summary.failedAsBefore, 'execution')} failed as the saved failures do`
    return `${style.bad('✗')} ${property}: ${ran}, no other failure (${again})`
  }
  if (executions === 0) {
    const why = isInterrupted ? 'it was interrupted' : 'the time limit was reached'
    return `${style.warning('?')} ${property}: no execution: ${why}`
  }
  if (executions === voided) return undefined
  const ended = summary.passed + summary.discarded + summary.failed + voided
  if (ended === 0 && flaky === 0)
    return `${style.warning('?')} ${property}: ${ran}; the process ended before it told their results`
  const circumstances = { unconfirmed: 0, isUnreached: false, isInterrupted }
  const isUndecided = ended < executions || doubtsOf(summary, circumstances).length > 0
  const mark = isUndecided ? style.warning('?') : style.good('✓')
  const point = summary.vacuity === undefined ? 'schedule point' : 'scheduled step'
  const schedule =
    maxPoints === 0 ? 'no schedule points: nothing asynchronous was scheduled' : `up to ${plural(maxPoints, point)}`
  const discarded = summary.discarded > 0 ? [`${summary.discarded} discarded`] : []
  const faults = faultsAllowed && summary.faults > 0 ? [plural(summary.faults, 'fault')] : []
  const failure = flaky > 0 ? 'no failure that repeats' : 'no failure'
  const how = isInterrupted ? `interrupted after ${ran}` : ran
  const line = `${mark} ${property}: ${how}, ${failure} (${[schedule, ...discarded, ...faults, `seed ${seed}`].join(', ')})`
  const vacuity = summary.vacuity === undefined ? { lines: [], doubts: [] } : vacuityText(summary.vacuity)
  const remarks = [
    ...vacuity.lines,
    ...vacuity.doubts.map((doubt) => `${style.warning('!')} ${doubt}`),
    ...(faultsAllowed ? noFaultLines(summary, style) : []),
    // The events of a cluster are notes, and counted already.
    ...notesLine(summary.notes.filter((note) => summary.vacuity?.entries.event?.[note] === undefined)),
    ...((summary.guided?.unstable ?? 0) > 0
      ? [
          `${plural(summary.guided!.unstable, 'feature')} did not repeat, so they did not guide the search: uncontrolled nondeterminism`,
        ]
      : []),
    ...(isAllDiscarded(summary) ? ['inconclusive: fc.pre rejected every input, so nothing was checked'] : []),
    ...(summary.unmatched ?? []).map((option) => `${style.warning('!')} ${unmatchedText(option)}`),
    ...summary.missed.map((label) => `required note never reached: '${label}'`),
  ]
  return [line, ...remarks, ...risk].join('\n  ')
}

/** Faults were allowed, and none was injected: the passes say nothing about faults. */
function noFaultLines({ faults, maxFaultPoints, uninjected = [] }: CampaignSummary, style: Style): string[] {
  if (faults > 0)
    return uninjected.map((kind) => `${style.warning('!')} faults.${kind} is allowed, but no such fault was injected`)
  const why =
    maxFaultPoints === 0
      ? 'no operation could meet one'
      : `none of up to ${plural(maxFaultPoints, 'operation')} was chosen. Run more executions, or another strategy than natural`
  return [`no fault was injected, although the option faults allows some: ${why}`]
}

/** An option that names what no execution had: the passes say nothing about it. */
export function unmatchedText(option: string): string {
  return `option ${printableLine(option)} matched nothing`
}

/** The verdicts of several properties: `1 failed, 2 passed`. */
export function countsText(verdicts: readonly Verdict[], notRun = 0): string {
  const counts = (['failed', 'undecided', 'passed'] as const).map(
    (verdict) => [VERDICTS[verdict].name, verdicts.filter((each) => each === verdict).length] as const,
  )
  const shown = [...counts, ['not run', notRun] as const].filter(([, count]) => count > 0)
  return shown.map(([name, count]) => `${count} ${name}`).join(', ')
}

function notesLine(notes: readonly string[]): string[] {
  if (notes.length === 0) return []
  const shown = notes.slice(0, MAX_NOTES_SHOWN).map((label) => `'${printableLine(label)}'`)
  const more = notes.length > shown.length ? `, and ${notes.length - shown.length} more` : ''
  return [`notes reached: ${shown.join(', ')}${more}`]
}

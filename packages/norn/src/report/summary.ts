/** How a campaign went, and a call of several, in one line each. */
import { type CampaignSummary, isAllDiscarded } from '../search/campaign.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'
import { vacuityText } from './vacuity.ts'

/** The first ones, in the order of their labels. */
const MAX_NOTES_TOLD = 12

export interface SummaryText {
  readonly property: string
  readonly summary: CampaignSummary
  readonly seed: number
  /** Real time that the campaign took, in milliseconds. */
  readonly timeMs: number
  /** Whether it went on after a failure, so that the number of failures is worth telling. */
  readonly keepGoing: boolean
  /** Whether the property lets operations fail. */
  readonly faultsAllowed: boolean
}

/**
 * Undefined where what was said before says all: of the one failure, or of the control that was
 * lost every time.
 */
export function summaryText(
  { property, summary, seed, timeMs, keepGoing, faultsAllowed }: SummaryText,
  style: Style,
): string | undefined {
  const { executions, distinctFailures, voided, flaky, maxPoints } = summary
  const ran = `${executions} executions in ${(timeMs / 1000).toFixed(1)} s`
  if (distinctFailures > 0) {
    return keepGoing
      ? `${style.bad('✗')} ${property}: ${ran}, ${plural(distinctFailures, 'distinct failure')}`
      : undefined
  }
  if (executions === 0) return `${style.late('?')} ${property}: no execution: the time limit was reached`
  if (executions === voided) return undefined
  const isUndecided = voided > 0 || flaky > 0 || summary.missed.length > 0 || isAllDiscarded(summary)
  const mark = isUndecided ? style.late('?') : style.good('✓')
  const point = summary.vacuity === undefined ? 'schedule point' : 'scheduled step'
  const schedule =
    maxPoints === 0 ? 'no schedule points: nothing asynchronous was scheduled' : `up to ${plural(maxPoints, point)}`
  const discarded = summary.discarded > 0 ? [`${summary.discarded} discarded`] : []
  const faults = faultsAllowed && summary.faults > 0 ? [plural(summary.faults, 'fault')] : []
  const line = `${mark} ${property}: ${ran}, no failure (${[schedule, ...discarded, ...faults, `seed ${seed}`].join(', ')})`
  const vacuity = summary.vacuity === undefined ? { lines: [], doubts: [] } : vacuityText(summary.vacuity)
  const remarks = [
    ...vacuity.lines,
    ...vacuity.doubts.map((doubt) => `${style.late('!')} ${doubt}`),
    ...(faultsAllowed && summary.faults === 0 ? [noFaultText(summary)] : []),
    // The events of a cluster are notes, and counted already.
    ...notesLine(summary.notes.filter((note) => summary.vacuity?.entries.event?.[note] === undefined)),
    ...((summary.guided?.unstable ?? 0) > 0
      ? [
          `${plural(summary.guided!.unstable, 'feature')} did not repeat, so they did not guide the search: uncontrolled nondeterminism`,
        ]
      : []),
    ...(isAllDiscarded(summary) ? ['inconclusive: fc.pre rejected every input, so nothing was checked'] : []),
    ...summary.missed.map((label) => `required note never reached: '${label}'`),
  ]
  return [line, ...remarks].join('\n  ')
}

/** Faults that were asked for and never came: what passed says nothing of them. */
function noFaultText({ maxFaultPoints }: CampaignSummary): string {
  const why =
    maxFaultPoints === 0
      ? 'no file operation could fail'
      : `none of up to ${plural(maxFaultPoints, 'operation')} was chosen; run more executions, or a strategy other than natural`
  return `no fault was injected, though the option faults allows them: ${why}`
}

/** How several properties went. */
export function tallyText(counts: { failed: number; undecided: number; passed: number }): string {
  const { failed, undecided, passed } = counts
  const told = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
  return `${failed + undecided + passed} properties: ${told.join(', ')}`
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function notesLine(notes: readonly string[]): string[] {
  if (notes.length === 0) return []
  const told = notes.slice(0, MAX_NOTES_TOLD).map((label) => `'${printableLine(label)}'`)
  const more = notes.length > told.length ? `, and ${notes.length - told.length} more` : ''
  return [`notes reached: ${told.join(', ')}${more}`]
}

/** How a campaign went, and a call of several, in one line each. */
import type { CampaignSummary } from '../explore/campaign.ts'
import type { Style } from './style.ts'

export interface SummaryText {
  readonly property: string
  readonly summary: CampaignSummary
  readonly seed: number
  /** Real time that the campaign took, in milliseconds. */
  readonly timeMs: number
  /** Whether it went on after a failure, so that the number of failures is worth telling. */
  readonly keepGoing: boolean
}

/** Undefined where what was said before says all: of the one failure, or of the control that was lost every time. */
export function summaryText(
  { property, summary, seed, timeMs, keepGoing }: SummaryText,
  style: Style,
): string | undefined {
  const { executions, distinctFailures, voided, flaky, maxPoints } = summary
  const ran = `${executions} executions in ${(timeMs / 1000).toFixed(1)} s`
  if (distinctFailures > 0) {
    return keepGoing
      ? `${style.bad('✗')} ${property}: ${ran}, ${plural(distinctFailures, 'distinct failure')}`
      : undefined
  }
  if (executions === 0) return `${style.late('?')} ${property}: no execution: the time was up`
  if (executions === voided) return undefined
  const mark = voided > 0 || flaky > 0 ? style.late('?') : style.good('✓')
  const schedule = maxPoints === 0 ? 'nothing in it could be late' : `up to ${plural(maxPoints, 'schedule point')}`
  return `${mark} ${property}: ${ran}, no failure (${schedule}, seed ${seed})`
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

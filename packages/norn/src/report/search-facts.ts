/** A search in lines for a report page, whatever came of it: more than a terminal shows of a failure. */
import { numberText, plural } from '../contract/text.ts'
import type { CampaignSummary } from '../search/campaign-summary.ts'
import type { GuidedState } from '../search/domain.ts'
import { printableLine } from './printable.ts'
import { vacuityText } from './vacuity.ts'

/** Notes that are named. */
const MAX_NOTES = 40

export interface ToldSearch {
  readonly summary: CampaignSummary
  readonly seed: number
  readonly strategy: string
  /** Real time, in milliseconds. */
  readonly timeMs: number
  readonly faultsAllowed: boolean
  /** Lines on the residual risk. */
  readonly risk: readonly string[]
}

/** Facts, and what limits what the search can have found. */
export function searchFacts({ summary, seed, strategy, timeMs, faultsAllowed, risk }: ToldSearch): {
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
} {
  const { executions, notes, missed, unmatched = [], uninjected = [], faults, vacuity, guided } = summary
  const { lines, doubts } = vacuity === undefined ? { lines: [], doubts: [] } : vacuityText(vacuity)
  const named = notes.slice(0, MAX_NOTES).map((label) => printableLine(label))
  return {
    lines: [
      `${plural(executions, 'execution')} in ${(timeMs / 1000).toFixed(1)} s by ${strategy}, seed ${seed}`,
      endsText(summary),
      ...(guided === undefined ? [] : [guidedText(guided)]),
      ...(faultsAllowed ? [`${plural(faults, 'fault')} injected`] : []),
      ...lines,
      ...(named.length === 0 ? [] : [`notes reached: ${named.join(', ')}`]),
      ...risk,
    ],
    doubts: [
      ...doubts,
      ...(faultsAllowed && faults === 0 ? ['faults are allowed, but none was injected'] : []),
      ...uninjected.map((kind) => `faults.${kind} is allowed, but no such fault was injected`),
      ...missed.map((label) => `required note never reached: ${printableLine(label)}`),
      ...unmatched.map((option) => `matched by nothing: ${printableLine(option)}`),
    ],
  }
}

function endsText({ passed, failed, discarded, voided, flaky, distinctFailures }: CampaignSummary): string {
  const counts: readonly (readonly [count: number, what: string])[] = [
    [passed, 'passed'],
    [failed, 'failed'],
    [discarded, 'discarded'],
    [voided, 'inconclusive'],
    [flaky, 'flaky'],
  ]
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${numberText(count)} ${what}`)
  const distinct = distinctFailures === 0 ? [] : [plural(distinctFailures, 'distinct failure')]
  return [...told, ...distinct].join(', ') || 'no execution ended'
}

function guidedText(guided: GuidedState): string {
  const { corpus, lastDiscovery } = guided
  return `${plural(discovered(guided), countedIn(guided, 1), countedIn(guided, 2))} discovered, the last in execution ${lastDiscovery}; corpus: ${plural(corpus, 'execution')}`
}

/** What guidance counts as discoveries. */
export function discovered({ branches, order, states = 0, traces }: GuidedState): number {
  return traces === undefined ? branches + order : states > 0 ? states : traces
}

/** The name of what it counts. */
export function countedIn({ states = 0, traces }: GuidedState, count = 2): string {
  const [one, many] =
    traces === undefined
      ? ['branch or task order', 'branches and task orders']
      : states > 0
        ? ['abstract state', 'abstract states']
        : ['happens-before class', 'happens-before classes']
  return count === 1 ? one : many
}

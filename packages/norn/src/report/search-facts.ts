/** A search in lines for a report page, whatever came of it: more than a terminal shows of a failure. */

import type { CampaignSummary, GuidedState } from '../contract/campaign-summary.ts'
import type { SearchResult, SessionEvent } from '../contract/events.ts'
import { describeReason } from '../contract/inconclusive.ts'
import { numberText, plural } from '../contract/text.ts'
import type { Searched } from '../session/reporter.ts'
import type { SearchCounts, SearchRecord } from '../storage/search-records.ts'
import type { DiscoveryCurve } from './discovery-curve.ts'
import { countedIn, discovered, guidedText } from './guided.ts'
import { printableLine } from './printable.ts'
import { residualRisk } from './residual-risk.ts'
import { vacuityText } from './vacuity.ts'

/** Notes that are named, and executions that are inconclusive or flaky. */
const MAX_NOTES = 40
const MAX_EXECUTIONS = 10

interface ToldSearch {
  readonly summary: CampaignSummary
  readonly seed: number
  readonly strategy: string
  /** Real time, in milliseconds. */
  readonly timeMs: number
  readonly faultsAllowed: boolean
  /** Lines on the residual risk. */
  readonly risk: readonly string[]
  /** The first inconclusive execution for each reason. */
  readonly inconclusive: SearchResult['inconclusive']
  readonly flaky: SearchResult['flaky']
}

interface SearchFacts {
  readonly lines: readonly string[]
  readonly doubts: readonly string[]
}

/** Facts, and what limits what the search can have found. */
function searchFacts(told: ToldSearch): SearchFacts {
  const { summary, seed, strategy, timeMs, inconclusive, flaky } = told
  const head = `${plural(summary.executions, 'execution')} in ${(timeMs / 1000).toFixed(1)} s by ${strategy}, seed ${seed}`
  const { lines, doubts } = factsSoFar(told)
  return {
    lines: [head, ...(summary.guided === undefined ? [] : [guidedText(summary.guided, summary.executions)]), ...lines],
    doubts: [
      ...inconclusive.slice(0, MAX_EXECUTIONS).map(inconclusiveLine),
      ...flaky.slice(0, MAX_EXECUTIONS).map(flakyLine),
      ...doubts,
    ],
  }
}

/** The facts of a search that goes on, without its size, and without what is known when it happens. */
export function factsSoFar({
  summary,
  faultsAllowed,
  risk,
}: Pick<ToldSearch, 'summary' | 'faultsAllowed' | 'risk'>): SearchFacts {
  const { notes, missed, unmatched = [], uninjected = [], faults, vacuity } = summary
  const { lines, doubts } = vacuity === undefined ? { lines: [], doubts: [] } : vacuityText(vacuity)
  const named = notes.slice(0, MAX_NOTES).map((label) => printableLine(label))
  return {
    lines: [
      endsText(summary),
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

/** The record of a search that ended, and the facts of one that goes on. */
export function recordOf(
  { search, verdict }: Extract<SessionEvent, { type: 'searched' }>,
  { target, seed, strategy, guide }: Searched,
  curve: DiscoveryCurve,
): SearchRecord {
  const { executions, guided, distinctFailures } = search.summary
  const facts = searchFacts({ ...search, seed, strategy, ...residualRisk(target, search.summary, guide) })
  return {
    endedAt: new Date().toISOString(),
    verdict,
    ...facts,
    curve: guided === undefined ? [] : curve.ending(executions, discovered(guided)),
    counted: guided === undefined ? '' : countedIn(guided),
    counts: countsOf(executions, distinctFailures, guided),
  }
}

/** What a search came to, or has come to so far. */
export function countsOf(executions: number, failures: number, guided: GuidedState | undefined): SearchCounts {
  return { executions, failures, ...(guided === undefined ? {} : { covered: discovered(guided) }) }
}

export function inconclusiveLine({ execution, report }: ToldSearch['inconclusive'][number]): string {
  const { reason, frames } = report
  const [frame] = frames
  const place = frame === undefined ? '' : ` (${frame.file}:${frame.line})`
  return printableLine(`inconclusive, first in execution ${execution}: ${describeReason(reason)}${place}`)
}

export function flakyLine({ foundAt, first }: ToldSearch['flaky'][number]): string {
  const [message = ''] = first.failure?.message.split('\n') ?? []
  return printableLine(`flaky: execution ${foundAt} failed (${message}), but its replay differed`)
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

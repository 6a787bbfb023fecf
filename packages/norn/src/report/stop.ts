/**
 * The residual risk of a property without a failure: the discovery curve, and bounds. Estimates
 * say "about", bounds give their confidence; without an estimate the reason stands in its place.
 */
import type { FaultCount } from '../contract/campaign-summary.ts'
import { numberText, plural } from '../contract/text.ts'
import type { StopReadout, WhyWithheld } from '../search/stop-estimate.ts'

const MAX_FAULTS_SHOWN = 4

/** Reasons to withhold an estimate that need no line: other lines of the report say them. */
const SAID: ReadonlySet<WhyWithheld> = new Set([
  ...(['nothing ran', 'all discarded', 'void', 'flaky', 'no fault', 'missed', 'failure'] as const),
])

/** New ones in the next execution, where no end is in sight. */
const NO_END = 0.9

/** The species that the estimates count. */
const COUNTED = {
  'orders and branches': 'task orders and branches',
  orders: 'task orders',
  states: 'abstract states',
  events: 'event orders at a node',
} as const

export type Counted = keyof typeof COUNTED

/**
 * The lines, without indentation; none where too little was run.
 *
 * @param counted the observed species: branches only where they guide; of a cluster the states of
 *   its model, or its events
 * @param inAll how many a guided search saw; the estimates are about what chance alone sees
 */
export function stopLines(readout: StopReadout, counted: Counted = 'orders and branches', inAll = 0): string[] {
  const { withheld } = readout
  if (withheld.length === 0) return claims(readout, counted, inAll)
  const reasons = withheld.filter(({ why }) => !SAID.has(why)).map(({ text }) => text)
  return reasons.length === 0 ? [] : [`no estimate of the residual risk: ${reasons.join('; ')}`]
}

function claims(readout: StopReadout, counted: Counted, inAll: number): string[] {
  return [
    ...discoveryLines(readout, counted, inAll),
    failureLine(readout),
    ...depthLines(readout),
    ...faultLines(readout.faults),
    ...stabilityLines(readout),
  ]
}

function discoveryLines(readout: StopReadout, counted: Counted, inAll: number): string[] {
  const { observed, species, lastDiscovery, expectedNext, expectedPerThousand, expectedByDoubling, expectedAtMost } =
    readout
  if (expectedNext === null || species === 0) return []
  const byChance = `${numberText(species)}, the last new one in execution ${lastDiscovery}`
  const all = inAll > species ? `${numberText(inAll)}; by chance alone, in ${plural(observed, 'execution')}, ` : ''
  const seen = `${COUNTED[counted]} seen: ${all}${byChance}`
  if (expectedAtMost !== null) {
    const rarely = Math.floor(1 / expectedAtMost)
    return [`${seen}; less than 1 new one expected in ${plural(rarely, 'more execution')} (95 %)`]
  }
  if (expectedNext >= NO_END)
    return [`${seen}; the next execution is likely to show another, so how many are left cannot be told`]
  const more = [
    ...(expectedByDoubling === null
      ? []
      : [`about ${quantity(expectedByDoubling)} in ${plural(observed, 'more execution')}`]),
    ...(expectedPerThousand === null ? [] : [`about ${quantity(expectedPerThousand)} in 1,000`]),
  ]
  return [more.length === 0 ? seen : `${seen}; new ones expected: ${more.join(', ')}`]
}

function failureLine({ samples, failureAtMost, schedulesPerInput }: StopReadout): string {
  const { inputs, median, min, max } = schedulesPerInput
  const bound = `upper bound on the failure rate (95 %): ${percent(failureAtMost ?? 1)} of`
  if (inputs <= 1) return `${bound} schedules drawn like these (${plural(samples, 'execution')})`
  const each = min === max ? `${plural(median, 'schedule')} each` : `${min}-${max} schedules each, median ${median}`
  return `${bound} inputs drawn like these (${plural(samples, 'input')}, ${each})`
}

function depthLines({ depthExcluded }: StopReadout): string[] {
  if (depthExcluded === null || depthExcluded.depth === 0) return []
  const { depth, executions, chains, points } = depthExcluded
  const which = depth === 1 ? 'bugs of depth 1 are' : `bugs of depth ${depth} or less are`
  return [
    `${which} excluded for the most frequent input (95 %; ${plural(executions, 'execution')} by pct, ${plural(chains, 'chain')}, ${plural(points, 'schedule point')})`,
  ]
}

function faultLines(faults: readonly FaultCount[]): string[] {
  if (faults.length === 0) return []
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map(({ operation, fault, count }) => {
    return operation === fault ? `${fault} ${count}` : `${operation} ${fault} ${count}`
  })
  const left = faults.length - shown.length
  return [`injected faults: ${shown.join(', ')}${left > 0 ? `, and ${plural(left, 'more kind')}` : ''}`]
}

function stabilityLines({ stability: { repeated, same } }: StopReadout): string[] {
  return repeated === 0 ? [] : [`${numberText(same)} of ${plural(repeated, 'repeated execution')} gave the same trace`]
}

function quantity(value: number): string {
  if (value >= 100) return numberText(Math.round(value))
  return value === 0 ? '0' : value < 0.01 ? '0.01' : value.toPrecision(value < 10 ? 1 : 2)
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}

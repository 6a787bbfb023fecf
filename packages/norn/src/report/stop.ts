/**
 * "When may I stop?" as a person reads it: the last lines about a property in which nothing was
 * found. What is a count is said as one, what is an estimate with "about", what is a bound with its
 * confidence; and why there is none, if there is none.
 */
import type { FaultCount, StopReadout, WhyWithheld } from '../search/stop-estimate.ts'
import type { Style } from './style.ts'

const MAX_FAULTS_TOLD = 4

/**
 * Reasons that need no line of their own: a short run claims nothing, and one that did not happen
 * was told of.
 */
const SILENT: ReadonlySet<WhyWithheld> = new Set(['too little', 'nothing ran'])

/** What the species of estimates are, and what they are called. */
const COUNTED = {
  'orders and branches': 'orders of tasks and branches',
  orders: 'orders of tasks',
  states: 'abstract states',
  events: 'orders of events at a node',
} as const

export type Counted = keyof typeof COUNTED

/**
 * The summary of a property with these lines below it.
 *
 * @param summary undefined where what was said before says all; then only a reason to withhold is
 *   added
 * @param counted what was observed: branches are only where they guide; of a cluster its model's
 *   states, or its events
 */
export function withStop(
  summary: string | undefined,
  property: string,
  readout: StopReadout,
  style: Style,
  counted: Counted = 'orders and branches',
): string | undefined {
  const lines = stopLines(readout, counted)
  if (summary !== undefined) return [summary, ...lines.map((line) => `  ${line}`)].join('\n')
  return lines.length === 0 ? undefined : `${style.late('?')} ${property}: ${lines.join('; ')}`
}

/**
 * Without indentation; none where too little was run for anything to be said, and nothing else is
 * in the way.
 */
function stopLines(readout: StopReadout, counted: Counted): string[] {
  const { withheld } = readout
  if (withheld.every((reason) => SILENT.has(reason.why))) return withheld.length === 0 ? claims(readout, counted) : []
  const told = withheld.map(({ text }) => text).join('; ')
  return [`no estimate of what more executions would find: ${told}`]
}

function claims(readout: StopReadout, counted: Counted): string[] {
  return [
    ...discoveryLines(readout, counted),
    failureLine(readout),
    ...depthLines(readout),
    ...faultLines(readout.faults),
    ...stabilityLines(readout),
  ]
}

function discoveryLines(readout: StopReadout, counted: Counted): string[] {
  const { sampled, species, lastDiscovery, expectedNext, expectedPerThousand, expectedByDoubling, expectedAtMost } =
    readout
  if (expectedNext === null || species === 0) return []
  const seen = `${COUNTED[counted]} seen: ${species.toLocaleString('en-GB')}, the last new one in execution ${lastDiscovery}`
  if (expectedAtMost !== null) {
    const rarely = Math.floor(1 / expectedAtMost)
    return [`${seen}; fewer than one new one to expect by chance in ${count(rarely, 'more execution')} (95 %)`]
  }
  const more = [
    ...(expectedByDoubling === null
      ? []
      : [`about ${quantity(expectedByDoubling)} in ${count(sampled, 'more execution')}`]),
    ...(expectedPerThousand === null ? [] : [`about ${quantity(expectedPerThousand)} in 1,000 more`]),
  ]
  return [`${seen}; new ones to expect by chance: ${more.join(', ')}`]
}

function failureLine({ samples, failureAtMost, schedulesPerInput }: StopReadout): string {
  const { inputs, median, min, max } = schedulesPerInput
  const bound = `upper bound on the failure rate (95 %): ${percent(failureAtMost ?? 1)} of`
  if (inputs <= 1) return `${bound} schedules drawn like these (${count(samples, 'execution')})`
  const each = min === max ? `${count(median, 'schedule')} each` : `${min}-${max} schedules each, median ${median}`
  return `${bound} inputs drawn like these (${count(samples, 'input')}, ${each})`
}

function depthLines({ depthExcluded }: StopReadout): string[] {
  if (depthExcluded === null || depthExcluded.depth === 0) return []
  const { depth, executions, chains, points } = depthExcluded
  const which = depth === 1 ? 'bugs of depth 1 are' : `bugs of depth ${depth} and less are`
  return [
    `${which} excluded for the input tried most (95 %; ${count(executions, 'execution')} by pct, ${count(chains, 'chain')}, ${count(points, 'schedule point')})`,
  ]
}

function faultLines(faults: readonly FaultCount[]): string[] {
  if (faults.length === 0) return []
  const told = faults.slice(0, MAX_FAULTS_TOLD).map(({ operation, fault, count }) => {
    return operation === fault ? `${fault} ${count}` : `${operation} ${fault} ${count}`
  })
  const left = faults.length - told.length
  return [`faults that fired: ${told.join(', ')}${left > 0 ? `, and ${count(left, 'kind')} more` : ''}`]
}

function stabilityLines({ stability: { repeated, same } }: StopReadout): string[] {
  return repeated === 0
    ? []
    : [`${same.toLocaleString('en-GB')} of ${count(repeated, 'execution')} that ran twice did the same`]
}

function quantity(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-GB')
  return value === 0 ? '0' : value < 0.01 ? '0.01' : value.toPrecision(value < 10 ? 1 : 2)
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}

function count(many: number, what: string): string {
  return `${many.toLocaleString('en-GB')} ${what}${many === 1 ? '' : 's'}`
}

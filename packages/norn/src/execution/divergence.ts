/**
 * Nondeterminism: the first step at which the traces of two runs of one plan differ, with the
 * source line that started it in each run.
 *
 * Runs with equal traces and verdicts count as equal: a difference between two steps shows in a
 * later step.
 */

import type { Divergence, DivergentStep } from '../contract/execution.ts'
import type { TraceEvent } from '../contract/trace.ts'
import type { ExplainedResult } from './explained-result.ts'
import { frameOf, type Positions } from './frames.ts'

/**
 * Undefined if the two runs are equal.
 *
 * @param explained runs that know the source lines of steps; the two themselves by default
 */
export function divergence(
  first: ExplainedResult,
  second: ExplainedResult,
  positions: Positions,
  explained: readonly ExplainedResult[] = [first, second],
): Divergence | undefined {
  const [one, other] = [first.report.trace(), second.report.trace()]
  const index = one.findIndex((event, at) => other[at] === undefined || !isSame(event, other[at]))
  const step = index >= 0 ? index : one.length
  const inSimulation = index < 0 ? simulatedDivergence(first, second) : undefined
  if (inSimulation !== undefined) return inSimulation
  if (step === one.length && step === other.length && first.verdict === second.verdict) return undefined
  return {
    step: step + 1,
    first: describe(first, step, positions, explained),
    second: describe(second, step, positions, explained.toReversed()),
  }
}

/** The first entry at which the logs of two simulated clusters differ. */
function simulatedDivergence(first: ExplainedResult, second: ExplainedResult): Divergence | undefined {
  if (first.simulated === undefined || second.simulated === undefined) return undefined
  const [one, other] = [first.simulated.lines(), second.simulated.lines()]
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) {
    if (one[at] === other[at]) continue
    const text = (line: string | undefined, result: ExplainedResult) => line ?? `the execution ends: ${endOf(result)}`
    return { step: at + 1, first: { text: text(one[at], first) }, second: { text: text(other[at], second) } }
  }
  return undefined
}

function isSame(one: TraceEvent, other: TraceEvent): boolean {
  return (
    one.event === other.event &&
    one.label === other.label &&
    one.kind === other.kind &&
    one.resource === other.resource &&
    one.atUs === other.atUs &&
    one.outcome === other.outcome
  )
}

function describe(
  result: ExplainedResult,
  step: number,
  positions: Positions,
  explained: readonly ExplainedResult[],
): DivergentStep {
  const event = result.report.trace()[step]
  if (event === undefined) return { text: `the execution ends: ${endOf(result)}` }
  const shows = explained.find(({ report }) => {
    const shown = report.trace()[step]
    return shown !== undefined && isSame(event, shown)
  })
  const origin = shows?.report.origins.get(event.label)
  const text = `${textOf(event)} at ${(event.atUs / 1000).toFixed(3)} ms`
  return origin === undefined ? { text } : { text, frame: frameOf(origin, positions) }
}

function endOf({ verdict, failure }: ExplainedResult): string {
  return failure === undefined ? verdict : `${failure.kind}: ${failure.message.split('\n', 1)[0]}`
}

const SAYS: Readonly<Record<TraceEvent['event'], string>> = {
  start: 'begins',
  sync: 'is performed',
  fault: 'meets an injected fault',
  submit: 'is submitted',
  half: 'is half done',
  effect: 'takes effect',
  callback: 'calls back',
  timer: 'fires',
  immediate: 'runs',
  stall: 'is delayed, because the program stalls',
  clock: 'of the clock departs',
  settled: 'settles',
}

function textOf({ event, kind, resource, outcome }: TraceEvent): string {
  if (event === 'settled') return `the body settles (${kind})`
  const what = [kind, resource].filter((part) => part !== '').join(' ')
  return `${what} ${SAYS[event]}${outcome === '' || outcome === 'ok' ? '' : ` (${outcome})`}`
}

/** What guidance discovered, in words and numbers. */
import type { GuidedState } from '../contract/campaign-summary.ts'
import { numberText, plural } from '../contract/text.ts'

/** Where so many executions are of a class of their own, in a search of at least so many, the curve has no bend. */
const NO_BEND = 0.9
const LEAST_EXECUTIONS = 20

export function guidedText(guided: GuidedState, executions: number): string {
  const { corpus, lastDiscovery, traces = 0, states = 0 } = guided
  const found = `${plural(discovered(guided), countedIn(guided, 1), countedIn(guided, 2))} discovered`
  const isEndless = states === 0 && executions >= LEAST_EXECUTIONS && traces >= NO_BEND * executions
  const end = isEndless
    ? 'nearly one an execution, so the curve cannot tell how much is left'
    : `the last in execution ${numberText(lastDiscovery)}`
  return `${found}, ${end}; corpus: ${plural(corpus, 'execution')}`
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

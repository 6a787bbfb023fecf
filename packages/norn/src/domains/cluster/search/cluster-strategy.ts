/** The strategy of a cluster's unguided executions: one that chooses steps. */
import { DEFAULT_STRATEGY, needsLatencies } from '../../../schedule/portfolio.ts'
import { random } from '../../../schedule/random.ts'
import { STRATEGIES } from '../../../schedule/table.ts'

/** @throws RangeError for a strategy that clusters do not have */
export function clusterStrategy(named: string): string {
  if (named === DEFAULT_STRATEGY) return random.name
  if (!needsLatencies(named)) return named
  const others = STRATEGIES.filter((each) => each !== random && !each.needsLatencies)
  const names = [random, ...others].map(({ name }) => name)
  throw new RangeError(`the strategy ${named} does not apply to clusters: use ${names.join(' or ')}`)
}

/**
 * The strategy of a cluster's unguided executions. PCT is rejected: it orders tasks of an event loop,
 * which clusters do not have, so its bound would not hold.
 */

/** The default of all properties; means `random` for clusters. */
const PORTFOLIO = 'portfolio'

/** @throws RangeError for a strategy that clusters do not have */
export function clusterStrategy(strategy: string): string {
  if (strategy === PORTFOLIO || strategy === 'random') return 'random'
  if (strategy === 'natural') return strategy
  throw new RangeError(`the strategy ${strategy} does not apply to clusters: use random or natural`)
}

/**
 * Which strategy unguided executions of a cluster have. PCT speaks of latencies and of tasks of the
 * event loop, of which a cluster has none, so its bound would promise what nobody keeps: it is
 * refused.
 */

/** The default, which stands for random here. */
const PORTFOLIO = 'portfolio'

/** @throws RangeError for a strategy that clusters do not have */
export function clusterStrategy(strategy: string): string {
  if (strategy === PORTFOLIO || strategy === 'random') return 'random'
  if (strategy === 'natural') return strategy
  throw new RangeError(`the strategy ${strategy} is not for clusters: there are random and natural`)
}

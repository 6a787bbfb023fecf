/**
 * The portfolio: shares the executions among strategies, as none wins everywhere. The first
 * schedule of an input is the default schedule, so that failures that need no other are found as
 * such; then random and PCT alternate. The ordinal of an execution among the schedules of its input
 * determines the strategy.
 */
import type { ExecutionName } from '../contract/plan.ts'
import { scheduleOrdinal } from '../tape/name.ts'
import type { Strategy } from './strategy.ts'
import { STRATEGIES } from './table.ts'

/** Chooses the strategy for the n-th schedule of an input. */
export type StrategyChooser = (scheduleOrdinal: number) => Strategy

/** The name of the portfolio. */
export const DEFAULT_STRATEGY = 'portfolio'

const ALTERNATING = STRATEGIES.filter(({ isInPortfolio }) => isInPortfolio)

const CHOOSERS: ReadonlyMap<string, StrategyChooser> = new Map<string, StrategyChooser>([
  [DEFAULT_STRATEGY, (n) => (n === 0 ? STRATEGIES[0] : ALTERNATING[(n - 1) % ALTERNATING.length]!)],
  ...STRATEGIES.map((strategy) => [strategy.name, () => strategy] as const),
])

/** What users may name: `portfolio`, each strategy, and those with an argument as `pct:DEPTH`. */
export const STRATEGY_FORMS: readonly string[] = [
  DEFAULT_STRATEGY,
  ...STRATEGIES.flatMap(({ name, argument }) => (argument === undefined ? [name] : [name, `${name}:${argument.name}`])),
]

/** @throws RangeError for a name that is none of `STRATEGY_FORMS` */
export function strategyChooser(named: string): StrategyChooser {
  const chooser = CHOOSERS.get(named) ?? withArgument(named)
  if (chooser !== undefined) return chooser
  const [others, last] = [STRATEGY_FORMS.slice(0, -1), STRATEGY_FORMS.at(-1)]
  throw new RangeError(`unknown strategy "${named}": expected one of ${others.join(', ')}, or ${last}`)
}

/** The strategy of an execution. */
export function strategyOf({ strategy, name }: { readonly strategy: string; readonly name: ExecutionName }): Strategy {
  return strategyChooser(strategy)(scheduleOrdinal(name.seed))
}

/** Whether a strategy applies only to schedules that have latencies. */
export function needsLatencies(named: string): boolean {
  return strategyChooser(named)(0).needsLatencies === true
}

function withArgument(named: string): StrategyChooser | undefined {
  const colon = named.indexOf(':')
  const base = STRATEGIES.find(({ name }) => colon > 0 && name === named.slice(0, colon))
  const strategy = base?.argument?.read(named.slice(colon + 1))
  return strategy && (() => strategy)
}

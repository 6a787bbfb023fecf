/**
 * The portfolio: shares the executions among strategies, as none wins everywhere. The first
 * schedule of an input is the default schedule, so that failures that need no other are found as
 * such; then random and PCT alternate. The ordinal of an execution among the schedules of its input
 * determines the strategy.
 */
import { pct } from './pct.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** The default schedule: no latencies, as stock Node behaves on an idle machine. */
export const natural: Strategy = { name: 'natural', fromSeedAlone: true, begin: () => () => 0 }

/** Chooses the strategy for the n-th schedule of an input. */
export type StrategyChooser = (scheduleOrdinal: number) => Strategy

const pctAnyDepth = pct()

const CHOOSERS: Readonly<Record<string, StrategyChooser>> = {
  portfolio: (ordinal) => (ordinal === 0 ? natural : ordinal % 2 === 1 ? random : pctAnyDepth),
  natural: () => natural,
  random: () => random,
  pct: () => pctAnyDepth,
}

export const STRATEGY_NAMES: readonly string[] = Object.keys(CHOOSERS)

/**
 * @param name `portfolio`, `natural`, `random`, `pct`, or `pct:D` for a fixed depth D
 * @throws RangeError for any other name
 */
export function strategyChooser(name: string): StrategyChooser {
  const depth = /^pct:([1-9])$/.exec(name)?.[1]
  if (depth !== undefined) {
    const strategy = pct(Number(depth))
    return () => strategy
  }
  const chooser = Object.hasOwn(CHOOSERS, name) ? CHOOSERS[name] : undefined
  if (chooser === undefined) {
    throw new RangeError(`unknown strategy "${name}": expected one of ${STRATEGY_NAMES.join(', ')}, or pct:DEPTH`)
  }
  return chooser
}

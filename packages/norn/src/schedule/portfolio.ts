/**
 * The portfolio: shares the budget among strategies, because no one of them wins everywhere. The
 * first schedule of an input is the natural one, so that what needs no schedule is found as such;
 * then random and PCT take turns.
 *
 * Which strategy runs is a function of the execution's ordinal among the schedules of its input.
 */
import { natural } from './natural.ts'
import { pct } from './pct.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

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
 * Resolves `portfolio`, `natural`, `random`, `pct`, or `pct:D` for a fixed depth; throws a
 * `RangeError` naming them.
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

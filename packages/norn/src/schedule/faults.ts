/**
 * Which operations of an execution meet a fault: few, and in many executions none, so that what
 * needs none is found as such and what fails is not drowned in failures.
 *
 * A style is drawn for each execution, as for random latencies. In one, a few places among the
 * operations are drawn, so that early and late ones get their share. In the other, some kinds of
 * operations are singled out, so that the one `fsync` among a thousand reads gets its share too.
 * How many faults there may be is not decided here.
 *
 * Values are as in the fault lane: 0 is no fault, then errors, then transfers that are cut short,
 * the shortest first. Half of the time one of the first few is drawn, where the errors are, else
 * any size of transfer, log-uniformly.
 */
import type { Chance } from '../tape/chance.ts'

interface FaultPoint {
  /** How many choices of the lane were drawn before. */
  readonly index: number
  /** The kind of operation. */
  readonly operation: string
  /** The largest value allowed, at least 1. */
  readonly max: number
}

/** Proposes what an operation meets. */
export type FaultProposer = (point: FaultPoint) => number

const CALM_SHARE = 0.2
const MAX_PLACES = 3
const KIND_SHARE = 0.4
/** How often an operation of a kind that was singled out meets one. */
const RATES = [1, 0.3, 0.1] as const
/** Values in which the errors of any operation lie. */
const FEW = 4

/** @param horizon among how many of the first operations places are drawn; at least 1 */
export function scatteredFaults(chance: Chance, horizon: number): FaultProposer {
  if (chance.coin(CALM_SHARE)) return () => 0
  const isHit = chance.coin(0.5) ? inPlaces(chance, horizon) : ofKinds(chance)
  return (point) => (isHit(point) ? valueUpTo(chance, point.max) : 0)
}

function inPlaces(chance: Chance, horizon: number): (point: FaultPoint) => boolean {
  const count = chance.integer(1, MAX_PLACES)
  const places = new Set(Array.from({ length: count }, () => chance.integer(0, horizon - 1)))
  return ({ index }) => places.has(index)
}

function ofKinds(chance: Chance): (point: FaultPoint) => boolean {
  const rate = RATES[chance.integer(0, RATES.length - 1)]!
  const chosen = new Map<string, boolean>()
  return ({ operation }) => {
    let isChosen = chosen.get(operation)
    if (isChosen === undefined) chosen.set(operation, (isChosen = chance.coin(KIND_SHARE)))
    return isChosen && chance.coin(rate)
  }
}

function valueUpTo(chance: Chance, max: number): number {
  if (max <= FEW || chance.coin(0.5)) return chance.integer(1, Math.min(FEW, max))
  return Math.max(1, Math.min(max, Math.round(max ** chance.unit())))
}

/**
 * Random faults: which operations of an execution meet one. Few do, and none in many executions, so
 * that failures without faults are found as such. The limit on faults is enforced elsewhere.
 *
 * Each execution draws a style. One draws a few positions among the operations, so that late
 * operations are as likely as early ones. The other draws kinds of operations, so that the one
 * `fsync` among a thousand reads gets its share.
 *
 * Values of the fault lane: 0 is no fault, then come errors, then short transfers, the shortest
 * first. Half of the draws are uniform over the first few values, where the errors are; the others
 * are log-uniform over all.
 */
import type { Chance } from '../tape/chance.ts'

interface FaultPoint {
  /** Choices drawn in the fault lane before. */
  readonly index: number
  /** The kind of operation. */
  readonly operation: string
  /** The largest value allowed, at least 1. */
  readonly max: number
}

/** Proposes the value of a fault choice. */
export type FaultProposer = (point: FaultPoint) => number

const FAULT_FREE_SHARE = 0.2
const MAX_PLACES = 3
const KIND_SHARE = 0.4
/** The probabilities of a fault at an operation of a chosen kind. */
const RATES = [1, 0.3, 0.1] as const
/** The errors of every operation are among the values up to this. */
const FEW = 4

/** @param horizon the number of operations among which positions are drawn, at least 1 */
export function scatteredFaults(chance: Chance, horizon: number): FaultProposer {
  if (chance.coin(FAULT_FREE_SHARE)) return () => 0
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

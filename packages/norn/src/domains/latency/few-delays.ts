/**
 * Pass: searches for one or two delayed operations that suffice for the failure, without a fault if
 * possible, or else for one fault that suffices.
 *
 * First each recorded delay alone. Then the operations of the default schedule of the same input:
 * the recorded execution may have taken another path, with other labels, from which no pass gets
 * back one choice at a time. Their latencies are tried on a scale, since a delay may have to fall
 * between two events, and which these are no record says. Pairs are drawn from a fixed
 * pseudo-random sequence.
 */

import type { Choice } from '../../contract/choice.ts'
import { UNBOUNDED } from '../../contract/choices.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { chance } from '../../tape/chance.ts'

/** Operations tried as the only delayed one, their latencies as shares of the bound, and pairs. */
const MAX_SINGLE_TRIES = 300
const LATENCY_SHARES = [1, 0.25, 0.05]
/** Further shares, for as many attempts as are left of these. */
const FINE_SHARES = [0.5, 0.125, 0.012, 0.003, 0.0008, 0.0002]
const MAX_SCALE_TRIES = 900
/** Recorded delays tried alone. */
const MAX_RECORDED_TRIES = 64
const MAX_PAIR_TRIES = 300
/** Values of a fault tried alone: the errors of an operation come first. */
const MAX_FAULT_VALUES = 4

export async function explainByFew(shrinker: Shrinker): Promise<void> {
  const { fault } = shrinker.choices
  if (shrinker.nonSimplest <= 1 && fault.length === 0) return
  const byDefault = await shrinker.drawnByDefault()
  const points = byDefault.schedule
  const tries = (schedule: readonly Choice[], faults: readonly Choice[]) =>
    shrinker.accepts({ ...shrinker.choices, length: UNBOUNDED, schedule, fault: faults })
  if (fault.length > 0) {
    if (await tries([], [])) return
    for (const share of shrinker.nonSimplest > 1 ? LATENCY_SHARES : [1]) {
      for (const point of points.slice(0, MAX_SINGLE_TRIES)) if (await tries([delayedBy(point, share)], [])) return
    }
    if (shrinker.nonSimplest <= 1) return
    for (const point of byDefault.fault.slice(0, MAX_SINGLE_TRIES)) {
      for (let value = 1; value <= Math.min(MAX_FAULT_VALUES, Number(point.max)); value++) {
        if (await tries([], [{ ...point, value }])) return
      }
    }
  }
  for (const delay of shrinker.choices.schedule.slice(0, MAX_RECORDED_TRIES)) if (await tries([delay], fault)) return
  const tried = points.slice(0, MAX_SINGLE_TRIES)
  const fine = Math.floor(MAX_SCALE_TRIES / Math.max(1, tried.length)) - LATENCY_SHARES.length
  for (const share of [...LATENCY_SHARES, ...FINE_SHARES.slice(0, Math.max(0, fine))]) {
    for (const point of tried) if (await tries([delayedBy(point, share)], fault)) return
  }
  if (shrinker.nonSimplest <= 2 || points.length < 2) return
  const draws = chance(0x66657721)
  for (let count = 0; count < MAX_PAIR_TRIES; count++) {
    const [first, second] = [draws, draws].map((d) =>
      delayedBy(points[d.integer(0, points.length - 1)]!, LATENCY_SHARES[d.integer(0, LATENCY_SHARES.length - 1)]!),
    )
    if (first!.label === second!.label) continue
    if (await tries([first!, second!], [])) return
    if (fault.length > 0 && (await tries([first!], [fault[draws.integer(0, fault.length - 1)]!]))) return
  }
}

function delayedBy(point: Choice, share: number): Choice {
  return { ...point, value: Math.ceil(Number(point.max) * share) }
}

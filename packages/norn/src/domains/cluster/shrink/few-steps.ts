/**
 * Pass: looks for one or two of the recorded steps that, at any position, cause the same failure
 * under an otherwise default schedule.
 *
 * Most failures of clusters are explained by faults whose exact time matters little; but the recorded
 * position of a fault suits the steps around it, so no single deletion leads to where it suffices
 * alone.
 */

import type { Shrinker } from '../../../shrink/shrinker.ts'
import { chance } from '../../../tape/chance.ts'
import { stepsOf, withSteps } from '../search/step-list.ts'

/** Bounds on positions, and on attempts with a single step and with random pairs. */
const MAX_PLACES = 60
const MAX_SINGLE_TRIES = 300
const MAX_PAIR_TRIES = 200
/** A failure that keeps more steps than these is not explained by one or two. */
const MAX_STEPS = 8

export async function explainByFewSteps(shrinker: Shrinker): Promise<void> {
  const before = shrinker.choices
  const values = [...new Set(stepsOf(before).filter((value) => value !== 0))]
  const places = Math.min(MAX_PLACES, stepsOf(shrinker.best.choices).length)
  if (values.length === 0 || shrinker.nonSimplest <= 1 || shrinker.nonSimplest > MAX_STEPS) return
  const only = (...chosen: readonly (readonly [place: number, value: number])[]) => {
    const steps = new Array<number>(1 + Math.max(...chosen.map(([place]) => place))).fill(0)
    for (const [place, value] of chosen) steps[place] = value
    const { schedule } = withSteps(before, steps)
    return shrinker.accepts({ ...shrinker.choices, schedule })
  }
  let tries = 0
  for (let place = 0; place < places; place++) {
    for (const value of values) {
      if (tries++ >= MAX_SINGLE_TRIES) break
      if (await only([place, value])) return
    }
  }
  if (shrinker.nonSimplest <= 2) return
  const draws = chance(0x73746570)
  const anywhere = () => [draws.integer(0, places - 1), values[draws.integer(0, values.length - 1)]!] as const
  for (let count = 0; count < MAX_PAIR_TRIES; count++) {
    const [first, second] = [anywhere(), anywhere()]
    if (first[0] !== second[0] && (await only(first, second))) return
  }
}

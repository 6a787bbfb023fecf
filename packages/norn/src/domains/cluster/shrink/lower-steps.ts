/**
 * Pass: makes the steps of a cluster's schedule earlier and their numbers smaller, one by one.
 *
 * Neighbouring numbers are counts of one channel, so these are tried one after another. Values
 * farther away (an earlier node, a simpler kind of fault) are found by binary search.
 */

import { lowerValues } from '../../../shrink/lower-values.ts'
import type { Shrinker } from '../../../shrink/shrinker.ts'
import { isStep, stepsOf, withSteps } from '../search/step-list.ts'

/** The nearest smaller numbers that are tried: the counts of a step, with the default `perStep`. */
const MAX_NEAR = 5
/** If at most so many steps are left, each is replaced by other steps: attempts among them. */
const FEW = 3
const MAX_EXCHANGES = 300
/**
 * The positions that are tried for the last step left, counted from the first, and the attempts. A
 * cluster of some size has a hundred steps; where some are left out, equal failures end in different ones.
 */
const MAX_PLACES = 6
const MAX_ANYWHERE = 600
/** If more steps are left, their places are not tidied up: every move would begin another round. */
const MAX_MOVED = 8
/** Distances by which a step is moved back. */
const LATER = [1, 2, 4]

export async function lowerSteps(shrinker: Shrinker): Promise<void> {
  for (let at = 0; at < stepsOf(shrinker.choices).length && !shrinker.exhausted; at++) {
    if ((stepsOf(shrinker.choices)[at] ?? 0) === 0) continue
    for (let less = MAX_NEAR; less >= 1; less--) if (await becomes(shrinker, at, (value) => value - less)) break
    if (shrinker.nonSimplest <= MAX_MOVED) await move(shrinker, at)
  }
  await lowerValues(shrinker, 'schedule')
  if (shrinker.nonSimplest <= FEW) await exchange(shrinker)
}

/** Moves a step: as early as possible; or later, if less happens then. */
async function move(shrinker: Shrinker, at: number): Promise<void> {
  const steps = stepsOf(shrinker.choices)
  const value = steps[at] ?? 0
  if (value === 0) return
  for (const to of new Set([0, at >> 1, at - 1, ...LATER.map((later) => at + later)])) {
    if (to < 0 || to === at) continue
    const without = steps.toSpliced(at, 1)
    while (without.length < to) without.push(0)
    if (await shrinker.accepts(withSteps(shrinker.choices, without.toSpliced(to, 0, value)))) return
  }
}

/** Replaces a step by a simpler one: the crash of a receiver by the drop of its message. */
async function exchange(shrinker: Shrinker): Promise<void> {
  const steps = stepsOf(shrinker.choices)
  if (steps.filter((value) => value !== 0).length === 1) await exchangeAnywhere(shrinker, steps.length - 1)
  const each = Math.floor(MAX_EXCHANGES / Math.max(1, shrinker.nonSimplest))
  for (let at = 0; at < stepsOf(shrinker.choices).length && !shrinker.exhausted; at++) {
    const now = stepsOf(shrinker.choices)[at] ?? 0
    const tried = Math.min(each, now - 1)
    for (let other = 1; other <= tried; other++) {
      if (await becomes(shrinker, at, () => Math.ceil((other * (now - 1)) / tried))) break
    }
  }
}

/** Tries any step at the first positions, instead of the only step left. */
async function exchangeAnywhere(shrinker: Shrinker, last: number): Promise<void> {
  const places = Math.min(MAX_PLACES, last + 2)
  const max = Number(shrinker.choices.schedule.find(isStep)?.max ?? 0)
  const tried = Math.min(max, Math.floor(MAX_ANYWHERE / places))
  for (let place = 0; place < places && !shrinker.exhausted; place++) {
    const before = new Array<number>(place).fill(0)
    for (let other = 1; other <= tried; other++) {
      const value = Math.ceil((other * max) / tried)
      if (await shrinker.accepts(withSteps(shrinker.choices, [...before, value]))) return
    }
  }
}

async function becomes(shrinker: Shrinker, at: number, change: (value: number) => number): Promise<boolean> {
  const steps = stepsOf(shrinker.choices)
  const value = change(steps[at] ?? 0)
  return value > 0 && shrinker.accepts(withSteps(shrinker.choices, steps.with(at, value)))
}

/**
 * Pass: a random walk over the schedules that fail in the same way and have no more steps other than
 * the default one.
 *
 * Deletion alone stops early in long schedules: one step fewer is possible only after others have
 * moved, changed their counts or left room for default steps, which makes nothing simpler by itself.
 * The walk takes such changes too, and tries deletions from wherever it is. The pseudo-random
 * sequence is fixed.
 */

import { NATURAL } from '../../../cluster/steps.ts'
import { essential, UNBOUNDED } from '../../../contract/choices.ts'
import type { Shrinker } from '../../../shrink/shrinker.ts'
import { countNonSimplest } from '../../../shrink/simplicity.ts'
import { type Chance, chance } from '../../../tape/chance.ts'
import { isStep, stepsOf, withSteps } from '../search/step-list.ts'

/** Attempts in a row that remove no step: by the square of the steps that are left, and at most. */
const BARREN_PER_SQUARE = 10
const MAX_BARREN = 900
/** Attempts beside executions: a candidate that was tried before costs none. */
const REPEATED = 0.2
/** Numbers that are nearer than this are often counts of one channel. */
const NEAR = 5
/** How far a step is moved at most, and how many default steps are put in at once. */
const MAX_MOVE = 6
const MAX_DEFAULTS = 8

/** How many steps were left when the walk of a shrinker ended: from as many it is not begun again. */
const ENDED_AT = new WeakMap<Shrinker, number>()

export async function rearrange(shrinker: Shrinker): Promise<void> {
  if (shrinker.nonSimplest >= (ENDED_AT.get(shrinker) ?? Number.POSITIVE_INFINITY)) return
  const draws = chance(0x72656172)
  const max = Number(shrinker.choices.schedule.find(isStep)?.max ?? 0)
  let current = shrinker.best
  const bound = () => Math.min(MAX_BARREN, BARREN_PER_SQUARE * shrinker.nonSimplest ** 2)
  for (let barren = 0; !shrinker.exhausted && shrinker.nonSimplest > 1 && barren < bound(); ) {
    const { executions } = shrinker
    const { choices } = current
    const steps = changed(stepsOf(choices), max, draws)
    const failing = await shrinker.fails({ ...withSteps(essential(choices), steps), length: UNBOUNDED })
    barren += shrinker.executions === executions ? REPEATED : 1
    if (failing === undefined) continue
    const difference = countNonSimplest(failing.choices.schedule) - countNonSimplest(choices.schedule)
    if (difference < 0) barren = 0
    if (difference <= 0) current = failing
  }
  ENDED_AT.set(shrinker, shrinker.nonSimplest)
}

type Change = (steps: number[], at: number, material: { readonly max: number; readonly draws: Chance }) => void

/** The steps with one change at a step other than the default one. */
function changed(steps: readonly number[], max: number, draws: Chance): number[] {
  const result = [...steps]
  const places = placesOf(steps)
  const change = drawn(CHANGES, draws)
  change(result, drawn(places, draws), { max, draws })
  return result
}

const remove: Change = (steps, at, { draws }) => void steps.splice(at, 1, ...defaults(draws))

/** Another step of the channel, if it is one, delivers the messages too. */
const merge: Change = (steps, at, { max, draws }) => {
  const value = steps[at]!
  const near = placesOf(steps).filter((other) => other !== at && Math.abs(steps[other]! - value) < NEAR)
  if (near.length > 0) {
    const other = drawn(near, draws)
    steps[other] = Math.min(max, Math.max(value, steps[other]!) + draws.integer(0, 2))
  }
  steps.splice(at, 1, ...defaults(draws))
}

const move: Change = (steps, at, { draws }) => {
  const [value] = steps.splice(at, 1)
  const to = Math.max(0, at + draws.integer(-MAX_MOVE, MAX_MOVE))
  while (steps.length < to) steps.push(NATURAL)
  steps.splice(to, 0, value!)
}

const insert: Change = (steps, _, { draws }) => {
  steps.splice(draws.integer(0, steps.length), 0, NATURAL, ...defaults(draws))
}

const substitute: Change = (steps, at, { max, draws }) => {
  steps[at] = draws.integer(1, max)
}

const swap: Change = (steps, at) => {
  const next = steps[at + 1] ?? NATURAL
  steps[at + 1] = steps[at]!
  steps[at] = next
}

/** Each as often as it is tried. */
const CHANGES: readonly Change[] = [
  ...new Array<Change>(6).fill(remove),
  ...new Array<Change>(6).fill(merge),
  ...new Array<Change>(4).fill(move),
  ...new Array<Change>(2).fill(insert),
  ...new Array<Change>(2).fill(substitute),
  ...new Array<Change>(2).fill(swap),
]

/** No default steps, or one, or a few. */
function defaults(draws: Chance): number[] {
  const steps: number[] = []
  while (steps.length < MAX_DEFAULTS && draws.coin(0.5)) steps.push(NATURAL)
  return steps
}

/** The indices of the steps that are not default steps. */
function placesOf(steps: readonly number[]): number[] {
  return steps.flatMap((value, at) => (value === NATURAL ? [] : [at]))
}

function drawn<Item>(items: readonly Item[], draws: Chance): Item {
  return items[draws.integer(0, items.length - 1)]!
}

/**
 * Pass: looks for one or two operations that, being late alone, fail in the same way, without a
 * fault if there is a way, or else for one fault alone.
 *
 * The operations are those of the natural execution of the same input: what else was late may have
 * led the recorded one along another path, with other labels, from which no single step leads back.
 * Pairs are drawn from a fixed sequence.
 */

import type { Choice } from '../../contract/choice.ts'
import { UNBOUNDED } from '../../contract/choices.ts'
import type { Search } from '../../shrink/search.ts'
import { chance } from '../../tape/chance.ts'

/**
 * How many operations are tried as the only late one, how late (as a share of the bound), and how
 * many pairs.
 */
const MAX_SINGLE_TRIES = 300
const LATENESS_SHARES = [1, 0.25, 0.05]
const MAX_PAIR_TRIES = 300
/** Values of a fault that are tried alone: the errors of an operation stand first. */
const MAX_FAULT_VALUES = 4

export async function explainByFew(search: Search): Promise<void> {
  const { fault } = search.choices
  if (search.late <= 1 && fault.length === 0) return
  const natural = await search.naturalPoints()
  const points = natural.schedule
  const tries = (schedule: readonly Choice[], faults: readonly Choice[]) =>
    search.accepts({ ...search.choices, length: UNBOUNDED, schedule, fault: faults })
  if (fault.length > 0) {
    if (await tries([], [])) return
    for (const share of search.late > 1 ? LATENESS_SHARES : [1]) {
      for (const point of points.slice(0, MAX_SINGLE_TRIES)) if (await tries([lateBy(point, share)], [])) return
    }
    if (search.late <= 1) return
    for (const point of natural.fault.slice(0, MAX_SINGLE_TRIES)) {
      for (let value = 1; value <= Math.min(MAX_FAULT_VALUES, Number(point.max)); value++) {
        if (await tries([], [{ ...point, value }])) return
      }
    }
  }
  for (const share of LATENESS_SHARES) {
    for (const point of points.slice(0, MAX_SINGLE_TRIES)) if (await tries([lateBy(point, share)], fault)) return
  }
  if (search.late <= 2 || points.length < 2) return
  const draws = chance(0x66657721)
  for (let count = 0; count < MAX_PAIR_TRIES; count++) {
    const [first, second] = [draws, draws].map((d) =>
      lateBy(points[d.integer(0, points.length - 1)]!, LATENESS_SHARES[d.integer(0, LATENESS_SHARES.length - 1)]!),
    )
    if (first!.label === second!.label) continue
    if (await tries([first!, second!], [])) return
    if (fault.length > 0 && (await tries([first!], [fault[draws.integer(0, fault.length - 1)]!]))) return
  }
}

function lateBy(point: Choice, share: number): Choice {
  return { ...point, value: Math.ceil(Number(point.max) * share) }
}

/**
 * The species that estimates count, of what was observed of an execution: that one task ran right
 * after another, and that a branch was taken, however often. Of a cluster: the abstract states of
 * its model that were reached; without a model, that one kind of event came right after another at
 * a node.
 *
 * Not the happens-before class: of a program with many tasks every execution has one of its own,
 * and all that could be said is that the next has too.
 */

import type { Observation } from '../contract/observation.ts'
import { mix } from '../tape/chance.ts'

/**
 * Above the pairs of tasks, which are numbers of 32 bits; one file's counters lie within the second
 * number.
 */
const BRANCHES = 2 ** 33
const FILE = 2 ** 22

/** Bounded as the observation is. */
export function speciesOf({ order, counters, cluster }: Observation): number[] {
  if (cluster !== undefined) return [...cluster.species()]
  const species: number[] = []
  for (let at = 1; at < order.length; at++) species.push(mix(order[at - 1]! ^ mix(order[at]!)))
  for (let file = 0; file < counters.length; file++) {
    const hits = counters[file]!
    for (let at = 0; at < hits.length; at++) if (hits[at] !== 0) species.push(BRANCHES + file * FILE + at)
  }
  return species
}

/**
 * The species census: counts species, and those seen in exactly one, two and three samples, which
 * is all that an estimate of unseen species needs.
 *
 * A species is a number: a branch, an order of two tasks, a state. It counts once a sample. Samples
 * are independent: one execution, or all executions of one input, as these are not independent of
 * each other.
 *
 * Memory is bounded by Wegman's adaptive sampling (Flajolet, Computing 1990): at the limit, the
 * half of the species whose hash starts with 1 is dropped, then 01, and so on. Which species are
 * kept does not depend on how often they are seen, so their counts times a power of two are
 * unbiased.
 *
 * Invariant: a tally is plain data, and the sum of tallies does not depend on their order.
 */
import type { SpeciesTally } from '../contract/campaign-summary.ts'
import type { Observation } from '../contract/observation.ts'
import { mix } from '../tape/chance.ts'

/** Species kept: about 3 MB. A count of a thousand kept singletons is within 6 % at 95 %. */
const MAX_SPECIES = 1 << 16

/** Larger numbers of samples do not matter. */
const MANY = 255

/** The counts of a tally; estimates, if species were dropped. */
export interface SpeciesCounts {
  readonly samples: number
  readonly species: number
  /** Species seen in exactly one, two and three samples. */
  readonly once: number
  readonly twice: number
  readonly thrice: number
}

export const NO_SPECIES: SpeciesTally = {
  samples: 0,
  halvings: 0,
  kept: new Uint32Array(),
  seenIn: new Uint8Array(),
}

export class SpeciesCensus {
  readonly #limit: number
  /** By hash: the number of samples, and the latest sample. */
  readonly #known = new Map<number, { seenIn: number; last: number }>()
  #samples = 0
  #halvings = 0

  /** @param limit species kept at most */
  constructor(limit = MAX_SPECIES) {
    this.#limit = limit
  }

  /** Starts the next sample. */
  begin(): void {
    this.#samples++
  }

  /** Adds species to the current sample; returns whether any was new. */
  observe(species: Iterable<number>): boolean {
    let discovered = false
    for (const number of species) {
      const hash = hashOf(number)
      if (!isKept(hash, this.#halvings)) continue
      const known = this.#known.get(hash)
      if (known === undefined) {
        discovered = true
        this.#known.set(hash, { seenIn: 1, last: this.#samples })
        if (this.#known.size > this.#limit) this.#forget()
      } else if (known.last !== this.#samples) {
        known.last = this.#samples
        known.seenIn = Math.min(MANY, known.seenIn + 1)
      }
    }
    return discovered
  }

  tally(): SpeciesTally {
    const seenIn = Uint8Array.from(this.#known.values(), (known) => known.seenIn)
    return { samples: this.#samples, halvings: this.#halvings, kept: Uint32Array.from(this.#known.keys()), seenIn }
  }

  #forget(): void {
    this.#halvings++
    for (const hash of this.#known.keys()) if (!isKept(hash, this.#halvings)) this.#known.delete(hash)
  }
}

export function countsOf({ samples, halvings, seenIn }: SpeciesTally): SpeciesCounts {
  const scale = 2 ** halvings
  const counts = [0, 0, 0, 0]
  for (const times of seenIn) if (times <= 3) counts[times]!++
  const [, once, twice, thrice] = counts.map((count) => count * scale)
  return { samples, species: seenIn.length * scale, once: once!, twice: twice!, thrice: thrice! }
}

/** The sum of two tallies of different samples. */
export function addSpecies(a: SpeciesTally, b: SpeciesTally, limit = MAX_SPECIES): SpeciesTally {
  const sum = new Map<number, number>()
  let halvings = Math.max(a.halvings, b.halvings)
  for (const { kept, seenIn } of [a, b]) {
    for (const [at, hash] of kept.entries()) {
      if (isKept(hash, halvings)) sum.set(hash, Math.min(MANY, (sum.get(hash) ?? 0) + seenIn[at]!))
    }
  }
  while (sum.size > limit) {
    halvings++
    for (const hash of sum.keys()) if (!isKept(hash, halvings)) sum.delete(hash)
  }
  const hashes = [...sum.keys()].sort((x, y) => x - y)
  return {
    samples: a.samples + b.samples,
    halvings,
    kept: Uint32Array.from(hashes),
    seenIn: Uint8Array.from(hashes, (hash) => sum.get(hash)!),
  }
}

/** Injective for 32-bit numbers. */
function hashOf(species: number): number {
  const high = Math.floor(species / 0x1_0000_0000)
  return mix(high === 0 ? species : species ^ mix(high + 1))
}

function isKept(hash: number, halvings: number): boolean {
  return hash < 2 ** (32 - halvings)
}

/** The first number of branches, above the 32-bit pairs of tasks; numbers reserved for a file. */
const BRANCHES = 2 ** 33
const FILE = 2 ** 22

/**
 * The species of an execution: pairs of consecutive tasks, and branches taken, unless its domain
 * defines others. Not happens-before classes: with many tasks each execution has its own, so the
 * estimate would always expect a new one.
 */
export function speciesOf({ order, counters, species: defined }: Observation): readonly number[] {
  if (defined !== undefined) return defined()
  const species: number[] = []
  for (let at = 1; at < order.length; at++) species.push(mix(order[at - 1]! ^ mix(order[at]!)))
  for (let file = 0; file < counters.length; file++) {
    const hits = counters[file]!
    for (let at = 0; at < hits.length; at++) if (hits[at] !== 0) species.push(BRANCHES + file * FILE + at)
  }
  return species
}

/**
 * Campaigns over species of which the truth is known: each sample shows each species with a probability of its own,
 * independently, so what is still to come follows from the probabilities of those not seen yet.
 *
 * Probabilities fall as a power of the rank, as those of paths and interleavings do; a sample shows ten species in the mean.
 */
import { chance } from '../../packages/norn/src/tape/chance.ts'

export interface Population {
  readonly exponent: number
  readonly species: number
  /** Species that a sample shows, in the mean. */
  readonly perSample: number
}

export interface Simulated {
  /** In how many samples each species was seen. */
  readonly seenIn: readonly number[]
  /** Species not seen that so many more samples show, in the mean. */
  unseenIn(more: number): number
}

const MOST_LIKELY = 0.95

export function probabilities({ exponent, species, perSample }: Population): number[] {
  const weights = Array.from({ length: species }, (_, at) => (at + 1) ** -exponent)
  let scale = perSample
  // What is cut off at the most likely is spread over the others.
  for (let round = 0; round < 40; round++) {
    scale *= perSample / weights.reduce((sum, weight) => sum + Math.min(MOST_LIKELY, weight * scale), 0)
  }
  return weights.map((weight) => Math.min(MOST_LIKELY, weight * scale))
}

export function simulate(likelihoods: readonly number[], samples: number, seed: number): Simulated {
  const draws = chance(0x73746f70, seed, samples)
  const seenIn = likelihoods.map((likelihood) => {
    // Skips from one sample that shows it to the next: geometric, so the count is binomial.
    const logMiss = Math.log1p(-likelihood)
    let count = 0
    for (let at = 0; ; count++) {
      at += 1 + Math.floor(Math.log(1 - draws.unit()) / logMiss)
      if (at > samples) return count
    }
  })
  const unseen = likelihoods.filter((_, at) => seenIn[at] === 0)
  return {
    seenIn,
    unseenIn: (more) => unseen.reduce((sum, likelihood) => sum - Math.expm1(more * Math.log1p(-likelihood)), 0),
  }
}

/**
 * Campaigns over species with known probabilities: each sample shows each species independently, so
 * the truth about later samples follows from the probabilities of the species not seen yet.
 * Probabilities fall as a power of the rank, as those of paths and interleavings do.
 */
import { chance } from '../engine.ts'

export interface Population {
  readonly exponent: number
  readonly species: number
  /** Mean number of species in a sample. */
  readonly perSample: number
}

export interface Simulated {
  /** The samples that showed each species. */
  readonly seenIn: readonly number[]
  /** Mean number of unseen species in so many more samples. */
  unseenIn(more: number): number
}

const MOST_LIKELY = 0.95

export function probabilities({ exponent, species, perSample }: Population): number[] {
  const weights = Array.from({ length: species }, (_, at) => (at + 1) ** -exponent)
  let scale = perSample
  // The others take what the cap cuts off.
  for (let round = 0; round < 40; round++) {
    scale *= perSample / weights.reduce((sum, weight) => sum + Math.min(MOST_LIKELY, weight * scale), 0)
  }
  return weights.map((weight) => Math.min(MOST_LIKELY, weight * scale))
}

export function simulate(likelihoods: readonly number[], samples: number, seed: number): Simulated {
  const draws = chance(0x73746f70, seed, samples)
  const seenIn = likelihoods.map((likelihood) => {
    // Skips from one sample with the species to the next: geometric, so the count is binomial.
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

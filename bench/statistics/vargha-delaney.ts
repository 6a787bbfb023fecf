/**
 * Vargha and Delaney's A: how likely a value of one sample is to be larger than one of another,
 * equal ones counted half.
 *
 * After Vargha & Delaney, "A critique and improvement of the CL common language effect size
 * statistics of McGraw and Wong" (2000), formula 14, rearranged so that nothing is rounded before
 * the division. It says how much, where Mann-Whitney's p says how surely; A is U over the number of
 * pairs. Words for its magnitude are the paper's: 0.56, 0.64 and 0.71, or as far below one half,
 * begin small, medium and large.
 *
 * Departure: `effsize` of R puts the words at the bounds of Cliff's delta instead (0.5735, 0.665,
 * 0.737).
 */
import { ranks } from './ranks.ts'

export type Magnitude = 'negligible' | 'small' | 'medium' | 'large'

/**
 * In [0, 1]: 1 where each value of the first is larger than all of the second, 0.5 where neither
 * tends to be.
 */
export function a12(first: readonly number[], second: readonly number[]): number {
  const { sumOfFirst } = ranks(first, second)
  const n1 = first.length
  return (2 * sumOfFirst - n1 * (n1 + 1)) / (2 * n1 * second.length)
}

/** The word for an A, whichever sample is the larger one. */
export function magnitude(a: number): Magnitude {
  if (!(a >= 0 && a <= 1)) throw new RangeError(`A is a probability, not ${a}`)
  // Both bounds are written out, as 1 - 0.44 is not 0.56 in binary.
  if (a >= 0.71 || a <= 0.29) return 'large'
  if (a >= 0.64 || a <= 0.36) return 'medium'
  if (a >= 0.56 || a <= 0.44) return 'small'
  return 'negligible'
}

/**
 * Mann and Whitney's U, two-sided: whether the values of one sample tend to be larger than those of
 * another.
 *
 * After Mann & Whitney, "On a test of whether one of two random variables is stochastically larger
 * than the other" (1947). As R's `wilcox.test` does, the probability is counted where both samples
 * have fewer than fifty values and none is equal to another; otherwise it is that of the normal
 * approximation, with the variance that ties leave (Lehmann, "Nonparametrics", 1975) and half a
 * step taken off for continuity. Two-sided is twice the smaller tail.
 *
 * Departure: where all values are equal R says NaN. They show no difference whatever, so p is 1
 * here.
 */
import { MAX_COUNTED, normalBelow, rankSumBelow } from './distributions.ts'
import { ranks } from './ranks.ts'

export interface MannWhitney {
  /**
   * Pairs in which the value of the first sample is larger, and half of those in which they are
   * equal; R calls it W.
   */
  readonly u: number
  /**
   * Two-sided probability of a U at least as far from the middle, under the null hypothesis.
   */
  readonly p: number
  readonly method: 'exact' | 'normal'
}

/**
 * Compares two independent samples, of at least one value each; either may have infinite values
 * (see ranks.ts).
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): MannWhitney {
  const { sumOfFirst, ties } = ranks(first, second)
  const n1 = first.length
  const n2 = second.length
  const u = sumOfFirst - (n1 * (n1 + 1)) / 2
  if (ties.length === 0 && Math.max(n1, n2) <= MAX_COUNTED) return { u, p: counted(u, n1, n2), method: 'exact' }
  return { u, p: approximate(u, n1, n2, ties), method: 'normal' }
}

function counted(u: number, n1: number, n2: number): number {
  // The distribution is symmetric, so the tail of the smaller U is the smaller tail.
  return Math.min(1, 2 * rankSumBelow(Math.min(u, n1 * n2 - u), n1, n2))
}

function approximate(u: number, n1: number, n2: number, ties: readonly number[]): number {
  const n = n1 + n2
  const tied = ties.reduce((sum, count) => sum + count ** 3 - count, 0)
  const variance = ((n1 * n2) / 12) * (n + 1 - tied / (n * (n - 1)))
  // Half a step towards the middle, but not past it.
  const distance = Math.max(0, Math.abs(u - (n1 * n2) / 2) - 0.5)
  return distance === 0 ? 1 : 2 * normalBelow(-distance / Math.sqrt(variance))
}

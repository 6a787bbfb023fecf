/**
 * The distributions that the tests of this folder ask: normal, F, Wilcoxon's rank sum, Tukey's
 * studentized range.
 *
 * They come from `lib-r-math.js`, the functions of R written in TypeScript: one typed package (and
 * a logger) that has all four, which none other has. Weighed and left: `@stdlib/stats-*` is
 * somewhat more accurate, at 220 packages and 25 MB for F and the studentized range alone; `jstat`
 * has no types and no exact rank sums; `simple-statistics` has none of the four. Nothing else
 * imports that library, so that another could take its place here.
 *
 * Accuracy: upper tails are asked for as such, never as one minus the lower one, except that of the
 * studentized range, which R computes as the lower one, to within 1e-9. What it says below that is
 * noise, and here a bound instead.
 */
import { pf, pnorm, ptukey, pwilcox, qnorm, qtukey } from 'lib-r-math.js'

/**
 * What the upper tail of the studentized range is not known below; Copenhaver & Holland (1988), as
 * R computes it.
 */
const LEAST_STUDENTIZED_TAIL = 1e-9

/**
 * The largest sample of which rank sums are counted one by one; R's bound, by which the table stays
 * below 1 MB.
 */
export const MAX_COUNTED = 49

/** P(Z ≤ z) of the standard normal distribution. */
export function normalBelow(z: number): number {
  return pnorm(z)
}

/**
 * The z that a standard normal variable stays below with this probability, in [0, 1]; infinite at
 * either end.
 */
export function normalQuantile(probability: number): number {
  return qnorm(probability)
}

/** P(F > f) with these degrees of freedom, which need not be whole. */
export function fAbove(f: number, numerator: number, denominator: number): number {
  return pf(f, numerator, denominator, undefined, false)
}

/**
 * P(U ≤ u) of the Mann-Whitney statistic of two samples of these sizes (at most MAX_COUNTED each)
 * without ties.
 */
export function rankSumBelow(u: number, n1: number, n2: number): number {
  if (Math.max(n1, n2) > MAX_COUNTED) throw new RangeError(`counted are samples of at most ${MAX_COUNTED}`)
  return pwilcox(u, n1, n2)
}

/**
 * P(Q > q) of the studentized range of so many means; never said to be below
 * LEAST_STUDENTIZED_TAIL.
 */
export function studentizedRangeAbove(q: number, means: number, degrees: number): number {
  assertRange(means, degrees)
  return Math.max(LEAST_STUDENTIZED_TAIL, ptukey(q, means, degrees, 1, false))
}

/** The q that the studentized range of so many means stays below with this probability. */
export function studentizedRangeQuantile(probability: number, means: number, degrees: number): number {
  assertRange(means, degrees)
  return qtukey(probability, means, degrees)
}

function assertRange(means: number, degrees: number): void {
  if (means >= 2 && degrees >= 2) return
  throw new RangeError(
    `the studentized range wants two means and two degrees of freedom at least, not ${means} and ${degrees}: compare more subjects`,
  )
}

/**
 * How many species are still to come: pure arithmetic on how many were seen in one sample, in two
 * and in three.
 *
 * In the next sample: once / samples (Good 1953, after Turing). In m more: a mixture of Poisson
 * processes whose rates are spread as in Fisher's negative binomial model (Fisher, Corbet and
 * Williams 1943), in the form that Efron and Thisted gave it for unseen words (Biometrika 1976):
 *
 *     once / (a g) * (1 - (1 + g m/n)^-a),   from   2 twice / once = (1 + a) g   and   3 thrice / twice = (2 + a) g
 *
 * With g = 1 that is the power law of discovery; with large a it is finitely many species, all
 * alike.
 *
 * Chao's lower bound, f0 (1 - (1 - once/(n f0 + once))^m) with f0 = once (once - 1) / (2 (twice +
 * 1)), is what estimates of this kind mostly use. It was measured beside this one on power laws
 * (`npm run bench -- stopping`): where m is no more than n both are within 5 % in the median; for m
 * = 3n Chao is 9-28 % too low, this one within 5 %. Neither tells how many species there are:
 * nothing here does, because where rare ones abound no estimate can.
 */
import type { SpeciesCounts } from './species.ts'

/**
 * Below this many species seen in two samples their ratios say nothing: the power law alone is
 * taken.
 */
const FEW = 10
const LEAST_G = 0.05

/** An extrapolation to more than this many times what was seen is not given. */
const FARTHEST = 4
/**
 * Nor one to more than was seen, where fewer species than this were seen just once: measured on
 * steep power laws (exponent 2, 300 samples, 1,000 more), it is off by more than a quarter in one
 * simulation of three.
 */
const FEW_ONCE = 100

/**
 * Expected number of new species in the next sample; where none was seen just once, an upper bound
 * at 95 %.
 */
export function expectedNext({ samples, once }: SpeciesCounts): {
  readonly expected: number
  readonly atMost?: number
} {
  if (samples === 0) return { expected: 0, atMost: Number.POSITIVE_INFINITY }
  return once === 0 ? { expected: 0, atMost: 3 / samples } : { expected: once / samples }
}

/**
 * Expected number of new species in so many more samples; undefined where that cannot be told from
 * so few.
 */
export function expectedIn(more: number, { samples, once, twice, thrice }: SpeciesCounts): number | undefined {
  if (more > FARTHEST * samples || (more > samples && once > 0 && once < FEW_ONCE)) return undefined
  if (once === 0) return 0
  const ratio = (2 * twice) / once
  const g = twice < FEW ? 1 : Math.min(1, Math.max(LEAST_G, (3 * thrice) / twice - ratio))
  const a = ratio / g - 1
  const growth = Math.log1p((g * more) / samples)
  return Math.abs(a) < 1e-9 ? (once * growth) / g : (-once * Math.expm1(-a * growth)) / (g * a)
}

/**
 * After so many independent samples that passed, at most this share of all fails, at 95 % (the rule
 * of three).
 */
export function failureBound(passed: number): number {
  return passed === 0 ? 1 : Math.min(1, 3 / passed)
}

/**
 * Tukey's honestly significant difference: which conditions differ, once an analysis of variance
 * says that some do. All pairs are compared at once, so that with confidence 0.95 no interval at
 * all is wrong in 95 of 100 experiments.
 *
 * After Tukey, "The problem of multiple comparisons" (1953), for means of equally many values. Over
 * repeated measures the error is that of the analysis, without the part of the subjects (Winer
 * 1971, section 4.2), and as F it takes sphericity for granted: where epsilon is far below 1, say
 * so beside it.
 */
import { studentizedRangeAbove, studentizedRangeQuantile } from './distributions.ts'
import type { RepeatedMeasures } from './repeated-measures.ts'
import { assertFinite } from './sample.ts'

export interface TukeyInput {
  /** Of the conditions. */
  readonly means: readonly number[]
  /** How many values each of them is the mean of. */
  readonly perMean: number
  readonly errorMeanSquare: number
  readonly errorDegrees: number
}

export interface Comparison {
  /** Places of the two conditions, the first always the smaller one. */
  readonly first: number
  readonly second: number
  /** Mean of the second less that of the first. */
  readonly difference: number
  /** Bounds of the difference, which hold together for all pairs. */
  readonly low: number
  readonly high: number
  /** The difference in standard errors of a mean: the studentized range. */
  readonly q: number
  /** Adjusted for all pairs; not given below 1e-9. */
  readonly p: number
}

/** Every pair once, in the order of the conditions. */
export function tukey({ means, perMean, errorMeanSquare, errorDegrees }: TukeyInput, confidence = 0.95): Comparison[] {
  assertFinite(means, 'the means')
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence lies between 0 and 1, not ${confidence}`)
  if (!(errorMeanSquare > 0 && perMean >= 1))
    throw new RangeError(`an error of ${errorMeanSquare} over ${perMean} values leaves nothing to compare with`)
  const standardError = Math.sqrt(errorMeanSquare / perMean)
  const halfWidth = studentizedRangeQuantile(confidence, means.length, errorDegrees) * standardError
  return means.flatMap((from, first) =>
    means.slice(first + 1).map((to, offset) => {
      const difference = to - from
      const q = Math.abs(difference) / standardError
      const p = studentizedRangeAbove(q, means.length, errorDegrees)
      return {
        first,
        second: first + 1 + offset,
        difference,
        low: difference - halfWidth,
        high: difference + halfWidth,
        q,
        p,
      }
    }),
  )
}

/** The pairs of conditions of an analysis with repeated measures. */
export function tukeyOf({ means, subjects, errorMeanSquare, errorDegrees }: RepeatedMeasures): Comparison[] {
  return tukey({ means, perMean: subjects, errorMeanSquare, errorDegrees })
}

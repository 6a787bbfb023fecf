/**
 * One-way analysis of variance with repeated measures: whether techniques differ in what they need,
 * when each is measured on the same bugs. Bugs differ from each other far more than techniques do;
 * their share of the variance is taken out.
 *
 * After Winer, "Statistical Principles in Experimental Design" (1971), section 4.2. F takes for
 * granted that differences between any two techniques vary alike (sphericity). Greenhouse & Geisser
 * (1959) estimate how far that is from true, after Box (1954): epsilon is 1 where it holds and 1 /
 * (k - 1) at worst, and both degrees of freedom, multiplied by it, give the corrected probability,
 * which is the one to report. Partial eta squared is the effect's part of effect and error.
 *
 * Invariant: rows are subjects (bugs), columns are conditions (techniques), none is missing.
 */
import { fAbove } from './distributions.ts'
import { assertFinite } from './sample.ts'
import { mean } from './summary.ts'

export interface RepeatedMeasures {
  readonly f: number
  readonly effectDegrees: number
  readonly errorDegrees: number
  /** With sphericity taken for granted. */
  readonly p: number
  /** With both degrees of freedom multiplied by epsilon. */
  readonly correctedP: number
  readonly partialEtaSquared: number
  /** Greenhouse and Geisser's, in [1 / (k - 1), 1]. */
  readonly epsilon: number
  /** Of the conditions, in the order of the columns. */
  readonly means: readonly number[]
  readonly subjects: number
  readonly sumsOfSquares: { readonly effect: number; readonly subjects: number; readonly error: number }
  /** What remains of the variance of one measurement. */
  readonly errorMeanSquare: number
}

/** Squares that are smaller than this part of the values' own come from rounding alone. */
const ROUNDING = 1e-28

/**
 * @param measurements one row a subject, one finite value a condition; two of each at least
 * @throws where rows differ in length, and where nothing remains as an error to compare the effect
 *   with
 */
export function repeatedMeasures(measurements: readonly (readonly number[])[]): RepeatedMeasures {
  const subjects = measurements.length
  const conditions = measurements[0]?.length ?? 0
  if (subjects < 2 || conditions < 2)
    throw new RangeError(
      `repeated measures want two subjects and two conditions at least, not ${subjects} × ${conditions}`,
    )
  for (const [at, row] of measurements.entries()) {
    assertFinite(row, `subject ${at}`)
    if (row.length !== conditions)
      throw new RangeError(`subject ${at} has ${row.length} conditions, the first has ${conditions}: leave it out`)
  }
  const means = Array.from({ length: conditions }, (_, at) => mean(measurements.map((row) => row[at]!)))
  const ofSubjects = measurements.map(mean)
  const grand = mean(means)
  const residuals = measurements.map((row, i) => row.map((value, j) => value - ofSubjects[i]! - means[j]! + grand))
  const sumsOfSquares = {
    effect: subjects * squares(means.map((each) => each - grand)),
    subjects: conditions * squares(ofSubjects.map((each) => each - grand)),
    error: squares(residuals.flat()),
  }
  if (sumsOfSquares.error <= ROUNDING * squares(measurements.flat()))
    throw new RangeError('every subject differs between the conditions by the same: there is no error to compare with')
  const effectDegrees = conditions - 1
  const errorDegrees = effectDegrees * (subjects - 1)
  const errorMeanSquare = sumsOfSquares.error / errorDegrees
  const f = sumsOfSquares.effect / effectDegrees / errorMeanSquare
  const epsilon = greenhouseGeisser(residuals)
  return {
    f,
    effectDegrees,
    errorDegrees,
    p: fAbove(f, effectDegrees, errorDegrees),
    correctedP: fAbove(f, epsilon * effectDegrees, epsilon * errorDegrees),
    partialEtaSquared: sumsOfSquares.effect / (sumsOfSquares.effect + sumsOfSquares.error),
    epsilon,
    means,
    subjects,
    sumsOfSquares,
    errorMeanSquare,
  }
}

function squares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0)
}

/**
 * The square of the trace over (k - 1) times the sum of squares of the covariances of the
 * conditions, centred both ways. Those are the products of the residuals' columns, as residuals are
 * centred both ways already; what both are divided by falls out.
 */
function greenhouseGeisser(residuals: readonly (readonly number[])[]): number {
  const conditions = residuals[0]!.length
  let trace = 0
  let sumOfSquares = 0
  for (let i = 0; i < conditions; i++) {
    for (let j = 0; j < conditions; j++) {
      const product = residuals.reduce((sum, row) => sum + row[i]! * row[j]!, 0)
      sumOfSquares += product * product
      if (i === j) trace += product
    }
  }
  return Math.min(1, (trace * trace) / ((conditions - 1) * sumOfSquares))
}

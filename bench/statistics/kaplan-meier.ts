/**
 * Kaplan and Meier's estimate of how long something takes that was not always waited for: of first
 * detections where some trials ended without one.
 *
 * After Kaplan & Meier, "Nonparametric estimation from incomplete observations" (1958). Leaving out
 * the trials that found nothing makes a slow technique look quick, counting them as found at their
 * end too; this does neither. The standard error is Greenwood's (1926). Of a detection and a
 * censoring at the same time the detection comes first, by convention.
 *
 * The median is the first time at which half of the trials or fewer are left without a detection.
 * Where the estimate stays above one half to the end there is none, and none is made up. Where it
 * is exactly one half until a later detection, the median is the middle between the two, as in R's
 * `survival`.
 */
import { assertFinite } from './sample.ts'

/** One trial. */
export interface Observation {
  /**
   * Executions (or milliseconds) until the first detection; or, if there was none, until the trial
   * ended.
   */
  readonly after: number
  readonly detected: boolean
}

/** The estimate from one time of a detection to the next. */
interface SurvivalStep {
  readonly after: number
  /** Trials that were still looking just before. */
  readonly atRisk: number
  readonly detections: number
  /** Share of trials, in [0, 1], estimated to have found nothing by then. */
  readonly survival: number
  /** Greenwood's standard error of that share; 0 where none is left. */
  readonly standardError: number
}

export interface Survival {
  /** In ascending order of time; before the first, all survive. */
  readonly steps: readonly SurvivalStep[]
  /**
   * The estimated median time of the first detection; undefined where fewer than half are estimated
   * to detect.
   */
  readonly median: number | undefined
  readonly trials: number
  readonly detected: number
}

export function kaplanMeier(observations: readonly Observation[]): Survival {
  assertFinite(
    observations.map(({ after }) => after),
    'the times of the trials',
  )
  const sorted = observations.toSorted((a, b) => a.after - b.after)
  const steps: SurvivalStep[] = []
  let survival = 1
  let greenwood = 0
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const { after } = sorted[from]!
    let detections = 0
    for (; to < sorted.length && sorted[to]!.after === after; to++) if (sorted[to]!.detected) detections++
    if (detections === 0) continue
    const atRisk = sorted.length - from
    survival *= (atRisk - detections) / atRisk
    greenwood += detections / (atRisk * (atRisk - detections))
    const standardError = survival === 0 ? 0 : survival * Math.sqrt(greenwood)
    steps.push({ after, atRisk, detections, survival, standardError })
  }
  const detected = observations.filter((observation) => observation.detected).length
  return { steps, median: medianOf(steps), trials: observations.length, detected }
}

/**
 * Products of fractions that make one half may miss it by a few units in the last place; R allows
 * as much.
 */
const ROUNDING = 1e-9

function medianOf(steps: readonly SurvivalStep[]): number | undefined {
  const at = steps.findIndex(({ survival }) => survival <= 0.5 + ROUNDING)
  if (at < 0) return undefined
  const { after, survival } = steps[at]!
  if (survival < 0.5 - ROUNDING) return after
  return (after + (steps[at + 1]?.after ?? after)) / 2
}

/** The trials as `first executions` say them: undefined where none found it within the budget. */
export function firstDetections(found: readonly (number | undefined)[], budget: number): Observation[] {
  return found.map((after) => {
    if (after === undefined) return { after: budget, detected: false }
    if (after > budget) throw new RangeError(`found after ${after}, past the budget of ${budget}`)
    return { after, detected: true }
  })
}

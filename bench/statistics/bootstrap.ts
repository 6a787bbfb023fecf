/**
 * Bootstrap intervals: how far a statistic of a sample would move if the trials were drawn again.
 *
 * After Efron & Tibshirani, "An Introduction to the Bootstrap" (1993): the percentile interval of
 * chapter 13, and the BCa interval of chapter 14, which corrects for bias and for a spread that
 * changes with the value. BCa takes its acceleration from leaving out one value at a time, which
 * says nothing of a median (it takes two or three values in all): ask for percentiles there.
 * Resamples that give just the value of the sample count half as below it.
 *
 * Invariant: an interval is a function of sample, statistic and options; chance is norn's own, from
 * the seed. Two calls with the same seed over samples of the same size draw the same places, so
 * that intervals at neighbouring checkpoints of the same trials move together, and make a smooth
 * band.
 */
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { normalBelow, normalQuantile } from './distributions.ts'
import { assertFinite } from './sample.ts'
import { mean, quantileOfSorted } from './summary.ts'

export interface BootstrapOptions {
  /** 1 unless set. */
  readonly seed?: number
  /** How many times the sample is drawn again; 2,000 unless set, 100,000 at most. */
  readonly resamples?: number
  /** Share of the distribution that the interval holds, in (0, 1); 0.95 unless set. */
  readonly confidence?: number
  /** Percentiles unless set. */
  readonly method?: 'percentile' | 'bca'
}

export interface Interval {
  /** The statistic of the sample itself. */
  readonly estimate: number
  readonly low: number
  readonly high: number
}

const MAX_RESAMPLES = 100_000

/** Sets these draws apart from all others that begin with the same seed. */
const BOOTSTRAP_DOMAIN = 0x626f6f74

/**
 * The interval of a statistic. Of a single value, or of values that are all equal, it has no width:
 * nothing is known of how they vary.
 *
 * @param sample finite values, one a trial; at least one
 * @param statistic of a sample of that size, in any order
 */
export function bootstrap(
  sample: readonly number[],
  statistic: (sample: readonly number[]) => number,
  { seed = 1, resamples = 2000, confidence = 0.95, method = 'percentile' }: BootstrapOptions = {},
): Interval {
  assertFinite(sample, 'the sample')
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence lies between 0 and 1, not ${confidence}`)
  if (!(Number.isInteger(resamples) && resamples >= 1 && resamples <= MAX_RESAMPLES))
    throw new RangeError(`resamples are a whole number from 1 to ${MAX_RESAMPLES}, not ${resamples}`)
  const estimate = statistic(sample)
  const drawn = resampled(sample, statistic, resamples, seed)
  const tail = (1 - confidence) / 2
  const [low, high] = method === 'bca' ? corrected(sample, statistic, estimate, drawn, tail) : [tail, 1 - tail]
  return { estimate, low: quantileOfSorted(drawn, low), high: quantileOfSorted(drawn, high) }
}

/** The statistic of each resample, in ascending order. */
function resampled(
  sample: readonly number[],
  statistic: (sample: readonly number[]) => number,
  resamples: number,
  seed: number,
): number[] {
  const random = chance(BOOTSTRAP_DOMAIN, seed)
  const drawn: number[] = []
  for (let resample = 0; resample < resamples; resample++) {
    const values = sample.map(() => sample[random.integer(0, sample.length - 1)]!)
    const value = statistic(values)
    if (Number.isNaN(value)) throw new RangeError('the statistic is not a number for some resample')
    drawn.push(value)
  }
  return drawn.sort((a, b) => a - b)
}

/** The two percentiles that BCa takes instead of the two tails; formula 14.10 of the book. */
function corrected(
  sample: readonly number[],
  statistic: (sample: readonly number[]) => number,
  estimate: number,
  drawn: readonly number[],
  tail: number,
): [number, number] {
  const below = drawn.reduce((sum, value) => sum + (value < estimate ? 1 : value === estimate ? 0.5 : 0), 0)
  const bias = normalQuantile(below / drawn.length)
  // All resamples on one side of the estimate: no correction can be read off them.
  if (!Number.isFinite(bias)) return [tail, 1 - tail]
  const a = acceleration(sample, statistic)
  const share = (z: number) => normalBelow(bias + (bias + z) / (1 - a * (bias + z)))
  return [share(normalQuantile(tail)), share(normalQuantile(1 - tail))]
}

/**
 * Formula 14.15: the skewness of what the statistic becomes when one value is left out, over six; 0
 * where it never moves.
 */
export function acceleration(sample: readonly number[], statistic: (sample: readonly number[]) => number): number {
  if (sample.length < 2) return 0
  const without = sample.map((_, at) => statistic(sample.toSpliced(at, 1)))
  const centre = mean(without)
  let squares = 0
  let cubes = 0
  for (const value of without) {
    squares += (centre - value) ** 2
    cubes += (centre - value) ** 3
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}

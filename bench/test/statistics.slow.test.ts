/**
 * The statistics that benches share: equal to four digits to what was published, or to what R and
 * SciPy 1.17 say of the same data; and the laws that hold of any data.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceleration, bootstrap } from '../statistics/bootstrap.ts'
import { fAbove, normalBelow, studentizedRangeAbove, studentizedRangeQuantile } from '../statistics/distributions.ts'
import { firstDetections, kaplanMeier } from '../statistics/kaplan-meier.ts'
import { mannWhitney } from '../statistics/mann-whitney.ts'
import { repeatedMeasures } from '../statistics/repeated-measures.ts'
import { mean, median, quantileOfSorted, variance } from '../statistics/summary.ts'
import { tukey, tukeyOf } from '../statistics/tukey.ts'
import { a12, magnitude } from '../statistics/vargha-delaney.ts'

/** Four digits: no farther than half a unit in the fourth place. */
const toFourDigits = (value: number, reference: number) =>
  expect(Number(value.toPrecision(4)), `${value} against ${reference}`).toBe(Number(reference.toPrecision(4)))

/**
 * Water diffusion across the human chorioamnion, at term and before: Hollander & Wolfe (1973), as
 * in R's wilcox.test.
 */
const AT_TERM = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
const BEFORE = [1.15, 0.88, 0.9, 0.74, 1.21]

/** Ages at the diagnosis of diabetes: the example of SciPy's mannwhitneyu. */
const MALES = [19, 22, 16, 29, 24]
const FEMALES = [20, 11, 17, 12]

/** Ozone in New York, R's airquality, as in its wilcox.test; with ties. */
const MAY = [41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37]
const AUGUST = [
  39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85,
]

const small = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 })
const twoSamples = fc.tuple(small, small)

describe('summaries', () => {
  test('the median is the middle, or the mean of the two in the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])]).toEqual([2, 2.5, 7])
    expect(median([])).toBeNaN()
  })

  test('mean and variance, with n - 1 below', () => {
    expect([mean([2, 4, 4, 4, 5, 5, 7, 9]), variance([2, 4, 4, 4, 5, 5, 7, 9])]).toEqual([5, 32 / 7])
    expect(variance([1])).toBeNaN()
  })

  test('quantiles lie on straight lines between the order statistics, as those of R', () => {
    const sorted = [1, 2, 4, 8]
    expect([0, 0.25, 0.5, 0.9, 1].map((share) => quantileOfSorted(sorted, share))).toEqual([
      1, 1.75, 3, 6.800000000000001, 8,
    ])
    expect(() => quantileOfSorted(sorted, 1.1)).toThrow('share from 0 to 1')
  })
})

describe('distributions', () => {
  test('are those of the printed tables', () => {
    toFourDigits(normalBelow(-1.959964), 0.025)
    toFourDigits(fAbove(3.490295, 3, 12), 0.05)
    toFourDigits(fAbove(5.952545, 3, 12), 0.01)
  })

  // Harter, "Tables of range and studentized range" (1960), upper 5 % points; further digits from
  // SciPy.
  test.each([
    [2, 5, 3.63535],
    [3, 2, 8.33078],
    [3, 10, 3.87678],
    [4, 20, 3.95829],
    [5, 60, 3.97742],
    [10, 120, 4.55954],
  ])(
    'the studentized range of %i means with %i degrees of freedom exceeds %d one time in twenty',
    (means, degrees, q) => {
      toFourDigits(studentizedRangeQuantile(0.95, means, degrees), q)
      toFourDigits(studentizedRangeAbove(q, means, degrees), 0.05)
    },
  )

  test('the tail of the studentized range is integrated right', () => {
    toFourDigits(studentizedRangeAbove(10, 4, 12), 6.664362811970026e-5)
    toFourDigits(studentizedRangeAbove(6, 14, 39), 0.008428826478136697)
    expect(studentizedRangeAbove(100, 3, 10)).toBe(1e-9)
    expect(() => studentizedRangeQuantile(0.95, 3, 1)).toThrow('compare more subjects')
  })
})

describe('Mann-Whitney U', () => {
  test('counts the probability where samples are small and nothing is tied', () => {
    const { u, p, method } = mannWhitney(AT_TERM, BEFORE)
    expect({ u, method }).toEqual({ u: 35, method: 'exact' })
    toFourDigits(p, 0.2544)
    expect(mannWhitney(MALES, FEMALES)).toEqual({ u: 17, p: expect.closeTo(1 / 9, 12), method: 'exact' })
  })

  test('approximates it where values are tied, with the variance that ties leave', () => {
    const { u, p, method } = mannWhitney(MAY, AUGUST)
    expect({ u, method }).toEqual({ u: 127.5, method: 'normal' })
    toFourDigits(p, 0.0001208)
    toFourDigits(mannWhitney([5, 5, 5, 7], [5, 5, 6, 8]).p, 0.6198391186854187)
  })

  test('approximates it for fifty values and more', () => {
    const first = Array.from({ length: 50 }, (_, at) => at)
    const second = Array.from({ length: 40 }, (_, at) => at + 20.5)
    expect(mannWhitney(first, second)).toEqual({ u: 435, p: expect.closeTo(4.6e-6, 7), method: 'normal' })
  })

  test('the farthest samples of twenty have the probability of two arrangements of all', () => {
    const first = Array.from({ length: 20 }, (_, at) => at)
    const second = first.map((value) => value + 100)
    toFourDigits(mannWhitney(first, second).p, 2 / 137_846_528_820)
  })

  test('counted probabilities are those of writing out every arrangement', () => {
    const places = Array.from({ length: 9 }, (_, at) => at)
    const arrangements = subsets(places, 4).map((first) => {
      const second = places.filter((place) => !first.includes(place))
      return { ...mannWhitney(first, second), first, second }
    })
    expect(arrangements.length).toBe(126)
    for (const { first, second, u, p } of arrangements) {
      const pairs = first.flatMap((one) => second.filter((other) => one > other)).length
      const asFar = arrangements.filter((other) => Math.abs(other.u - 10) >= Math.abs(u - 10)).length
      expect({ u, p }).toEqual({ u: pairs, p: expect.closeTo(asFar / 126, 12) })
    }
  })

  test('both ways U add up to the number of pairs, at the same probability, whatever the order', () => {
    fc.assert(
      fc.property(twoSamples, ([first, second]) => {
        const forth = mannWhitney(first, second)
        const back = mannWhitney(second, first)
        expect(forth.u + back.u).toBe(first.length * second.length)
        expect(back).toMatchObject({ p: forth.p, method: forth.method })
        expect(mannWhitney(first.toReversed(), second.toSorted())).toEqual(forth)
        expect(forth.p).toBeGreaterThan(0)
        expect(forth.p).toBeLessThanOrEqual(1)
      }),
      { seed: 1 },
    )
  })

  test('depends on the order of values alone, not on their size', () => {
    fc.assert(
      fc.property(twoSamples, ([first, second]) => {
        const stretched = (sample: number[]) => sample.map((value) => Math.exp(value) - 7)
        expect(mannWhitney(stretched(first), stretched(second))).toEqual(mannWhitney(first, second))
      }),
      { seed: 1 },
    )
  })

  test('samples that are all the same show no difference; what was not found is larger than what was', () => {
    expect(mannWhitney([3, 3], [3, 3, 3])).toEqual({ u: 3, p: 1, method: 'normal' })
    const never = Number.POSITIVE_INFINITY
    expect(mannWhitney([5, never, never], [1, 2, never])).toMatchObject({ u: 2 + 2.5 + 2.5, method: 'normal' })
  })

  test('refuses what cannot be ranked', () => {
    expect(() => mannWhitney([], [1])).toThrow('the first sample is empty')
    expect(() => mannWhitney([1], [2, Number.NaN])).toThrow('the second sample[1] is not a number')
  })
})

describe('Vargha-Delaney A', () => {
  test('is U over the number of pairs', () => {
    expect([a12(MALES, FEMALES), a12(AT_TERM, BEFORE)]).toEqual([0.85, 0.7])
    toFourDigits(a12(MAY, AUGUST), 0.1886)
  })

  test('is the share of pairs in which the first is larger, equal ones half', () => {
    fc.assert(
      fc.property(twoSamples, ([first, second]) => {
        const pairs = first.flatMap((one) => second.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
        expect(a12(first, second)).toBeCloseTo(mean(pairs), 12)
      }),
      { seed: 1 },
    )
  })

  test('the other way around it is the rest to one; of a sample with itself, one half', () => {
    fc.assert(
      fc.property(twoSamples, ([first, second]) => {
        expect(a12(first, second)).toBeCloseTo(1 - a12(second, first), 12)
        expect(a12(first, first)).toBe(0.5)
        expect(a12(first.toReversed(), second)).toBe(a12(first, second))
      }),
      { seed: 1 },
    )
  })

  test('words for its magnitude begin at the bounds of the paper, on both sides', () => {
    expect([0.5, 0.559, 0.56, 0.639, 0.64, 0.709, 0.71, 1].map(magnitude)).toEqual([
      'negligible',
      'negligible',
      'small',
      'small',
      'medium',
      'medium',
      'large',
      'large',
    ])
    expect([0.44, 0.36, 0.29, 0].map(magnitude)).toEqual(['small', 'medium', 'large', 'large'])
    expect(() => magnitude(1.55)).toThrow('A is a probability, not 1.55')
  })
})

describe('Kaplan-Meier', () => {
  const relapse = (after: number) => ({ after, detected: true })
  const censored = (after: number) => ({ after, detected: false })

  /** Weeks of remission of leukaemia under 6-MP and under placebo: Freireich et al. (1963). */
  const SIX_MP = [
    ...[6, 6, 6, 7, 10, 13, 16, 22, 23].map(relapse),
    ...[6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(censored),
  ]
  const PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23].map(relapse)

  test('the remissions of Freireich are those of the textbooks: median 23 weeks under 6-MP, 8 under placebo', () => {
    const { steps, median, trials, detected } = kaplanMeier(SIX_MP)
    expect({ median, trials, detected }).toEqual({ median: 23, trials: 21, detected: 9 })
    expect(steps.map(({ after, atRisk, detections }) => [after, atRisk, detections])).toEqual([
      [6, 21, 3],
      [7, 17, 1],
      [10, 15, 1],
      [13, 12, 1],
      [16, 11, 1],
      [22, 7, 1],
      [23, 6, 1],
    ])
    const shares = [0.85714286, 0.80672269, 0.75294118, 0.69019608, 0.62745098, 0.53781513, 0.44817927]
    const errors = [0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346]
    for (const [at, { survival, standardError }] of steps.entries()) {
      toFourDigits(survival, shares[at]!)
      expect(standardError).toBeCloseTo(errors[at]!, 4)
    }
    expect(kaplanMeier(PLACEBO).median).toBe(8)
  })

  test('where nothing is censored it is the share that is left, and ends at none', () => {
    const { steps } = kaplanMeier(PLACEBO)
    for (const { after, survival } of steps)
      expect(survival).toBeCloseTo(PLACEBO.filter((each) => each.after > after).length / 21, 12)
    expect(steps.at(-1)).toMatchObject({ survival: 0, standardError: 0 })
  })

  test('there is no median where too few are detected', () => {
    expect(kaplanMeier(firstDetections([100, undefined, undefined], 10_000)).median).toBeUndefined()
    expect(kaplanMeier(firstDetections([undefined], 10_000))).toMatchObject({ steps: [], trials: 1, detected: 0 })
  })

  test('where one half are left for a while, the median is the middle of it, or its beginning if it does not end', () => {
    expect(kaplanMeier([10, 20, 40, 50].map(relapse)).median).toBe(30)
    expect(kaplanMeier(firstDetections([10, 20, undefined, undefined], 10_000)).median).toBe(20)
  })

  // The products come out at 0.4999999999999999 and 0.5000000000000001.
  test.each([12, 24])('of %i trials, a half that rounding misses is a half', (count) => {
    const trials = Array.from({ length: count }, (_, at) => relapse(at + 1))
    const { steps, median } = kaplanMeier(trials)
    expect(steps[count / 2 - 1]!.survival).not.toBe(0.5)
    expect(median).toBe((count + 1) / 2)
  })

  test('a detection and a censoring at one time: the detection was first', () => {
    expect(kaplanMeier([censored(5), relapse(5)]).steps).toMatchObject([{ after: 5, atRisk: 2, survival: 0.5 }])
  })

  test('the order of trials does not matter, and the estimate never rises', () => {
    const trial = fc.record({ after: fc.integer({ min: 1, max: 20 }), detected: fc.boolean() })
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 30 }), (trials) => {
        const survival = kaplanMeier(trials)
        expect(kaplanMeier(trials.toReversed())).toEqual(survival)
        const shares = [1, ...survival.steps.map((step) => step.survival)]
        expect(shares.every((share, at) => at === 0 || (share < shares[at - 1]! && share >= 0))).toBe(true)
      }),
      { seed: 1 },
    )
  })

  test('refuses trials that cannot be', () => {
    expect(() => kaplanMeier([])).toThrow('the times of the trials is empty')
    expect(() => firstDetections([11], 10)).toThrow('past the budget of 10')
  })
})

describe('bootstrap intervals', () => {
  /**
   * The spatial test data A of Efron & Tibshirani, table 14.1, and the statistic they take of it.
   */
  const SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]
  const plugInVariance = (sample: readonly number[]) => mean(sample.map((value) => (value - mean(sample)) ** 2))

  test('the acceleration of the spatial data is that of the book', () => {
    toFourDigits(plugInVariance(SPATIAL), 171.534)
    toFourDigits(acceleration(SPATIAL, plugInVariance), 0.06124)
  })

  // The ends of 200,000 resamples of SciPy; the book, with 2,000, has 100.8 to 233.9 and 115.8 to
  // 259.6. The ends of 20,000 vary by 0.6 and 0.7 (measured), those of BCa by up to 1.5, as they
  // lie farther out.
  test.each([
    { method: 'percentile' as const, low: 98.0, high: 235.5 },
    { method: 'bca' as const, low: 115.4, high: 260.3 },
  ])('the $method interval of the spatial data is that of the book, but for chance', ({ method, low, high }) => {
    const interval = bootstrap(SPATIAL, plugInVariance, { method, confidence: 0.9, resamples: 20_000 })
    expect(Math.abs(interval.low - low)).toBeLessThan(2)
    expect(Math.abs(interval.high - high)).toBeLessThan(2)
  })

  test('the percentiles of three values are those of their 27 resamples, all written out', () => {
    const sample = [1, 2, 4]
    const all = sample.flatMap((a) => sample.flatMap((b) => sample.map((c) => mean([a, b, c])))).sort((a, b) => a - b)
    const { low, high } = bootstrap(sample, mean, { confidence: 0.5, resamples: 50_000 })
    // A quarter of the 27 is within the seventh of them, three quarters within the twenty-first.
    expect([low, high]).toEqual([all[6], all[20]])
  })

  test('an interval is a function of the seed: these are frozen', () => {
    expect(bootstrap(AT_TERM, mean)).toMatchInlineSnapshot(`
      {
        "estimate": 1.313,
        "high": 1.5670250000000001,
        "low": 1.055975,
      }
    `)
    expect(bootstrap(AT_TERM, mean, { seed: 2, method: 'bca' })).toMatchInlineSnapshot(`
      {
        "estimate": 1.313,
        "high": 1.584367374515494,
        "low": 1.0599999999999998,
      }
    `)
  })

  test('where the statistic cannot move, the interval has no width, under either method', () => {
    for (const method of ['percentile', 'bca'] as const) {
      expect(bootstrap([5, 5, 5], median, { method })).toEqual({ estimate: 5, low: 5, high: 5 })
      expect(bootstrap([5], mean, { method })).toEqual({ estimate: 5, low: 5, high: 5 })
    }
  })

  test('where all resamples lie to one side, nothing can be corrected: BCa takes the plain percentiles', () => {
    const sample = Array.from({ length: 20 }, (_, at) => at)
    const different = (values: readonly number[]) => new Set(values).size
    const options = { resamples: 200 }
    const interval = bootstrap(sample, different, { ...options, method: 'bca' })
    expect(interval).toEqual(bootstrap(sample, different, options))
    expect(interval.high).toBeLessThan(interval.estimate)
  })

  test('refuses what it cannot answer', () => {
    expect(() => bootstrap([1, Number.POSITIVE_INFINITY], mean)).toThrow('the sample[1] is Infinity')
    expect(() => bootstrap([1], mean, { confidence: 95 })).toThrow('between 0 and 1, not 95')
    expect(() => bootstrap([1], mean, { resamples: 1e9 })).toThrow('from 1 to 100000')
    expect(() => bootstrap([1, 2], variance, { resamples: 100 })).not.toThrow()
    expect(() => bootstrap([1], variance)).toThrow('not a number for some resample')
  })
})

describe('analysis of variance with repeated measures', () => {
  /** Reaction times of five people under each of four drugs: Winer (1971), page 268. */
  const DRUGS = [
    [30, 28, 16, 34],
    [14, 18, 10, 22],
    [24, 20, 18, 30],
    [38, 34, 20, 44],
    [26, 28, 14, 30],
  ]

  /** Hours of sleep that two drugs add, in ten people: Student (1908), R's `sleep`. */
  const SLEEP = [
    [0.7, 1.9],
    [-1.6, 0.8],
    [-0.2, 1.1],
    [-1.2, 0.1],
    [-0.1, -0.1],
    [3.4, 4.4],
    [3.7, 5.5],
    [0.8, 1.6],
    [0, 4.6],
    [2, 3.4],
  ]

  test('the drugs of Winer differ as his book and later packages say', () => {
    const result = repeatedMeasures(DRUGS)
    expect(result).toMatchObject({ effectDegrees: 3, errorDegrees: 12, subjects: 5 })
    toFourDigits(result.sumsOfSquares.effect, 698.2)
    toFourDigits(result.sumsOfSquares.subjects, 680.8)
    toFourDigits(result.sumsOfSquares.error, 112.8)
    toFourDigits(result.f, 24.75887)
    toFourDigits(result.p, 1.9925013e-5)
    toFourDigits(result.epsilon, 0.604874)
    toFourDigits(result.correctedP, 0.00064903)
    toFourDigits(result.partialEtaSquared, 0.860912)
  })

  test('of two conditions it is the paired t-test: of the sleep of Student, t = 4.0621 with p = 0.002833', () => {
    const { f, p, correctedP, epsilon, ...rest } = repeatedMeasures(SLEEP)
    toFourDigits(Math.sqrt(f), 4.0621)
    toFourDigits(p, 0.002833)
    toFourDigits(correctedP, 0.002833)
    expect(epsilon).toBeCloseTo(1, 12)
    expect(rest).toMatchObject({ effectDegrees: 1, errorDegrees: 9 })
  })

  test('of two conditions epsilon is one, and never more by rounding', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }))
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const { epsilon } = repeatedMeasures([...rows, [0, 1], [2, 0.1]])
        expect(epsilon <= 1 && epsilon > 1 - 1e-9).toBe(true)
      }),
      { seed: 1 },
    )
  })

  test('what a subject adds to all conditions changes nothing but the part of the subjects', () => {
    const shifted = DRUGS.map((row, at) => row.map((value) => value + 1000 * at))
    const result = repeatedMeasures(shifted)
    toFourDigits(result.f, 24.75887)
    toFourDigits(result.epsilon, 0.604874)
    expect(result.sumsOfSquares.subjects).toBeGreaterThan(1e6)
  })

  test('epsilon lies between 1 / (k - 1) and 1, and subjects may come in any order', () => {
    const row = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 8 }), (rows) => {
        // So that an error remains: a row that no other runs in parallel to.
        const measurements = [...rows, [0, 1, 4, 9], [9, 0, 1, 4]]
        const result = repeatedMeasures(measurements)
        expect(result.epsilon).toBeGreaterThan(1 / 3 - 1e-9)
        expect(result.epsilon).toBeLessThanOrEqual(1)
        expect(repeatedMeasures(measurements.toReversed()).f).toBeCloseTo(result.f, 8)
        expect(result.correctedP).toBeLessThanOrEqual(1)
      }),
      { seed: 1 },
    )
  })

  test('refuses tables with holes, with too little in them, and with no error', () => {
    expect(() => repeatedMeasures([[1, 2]])).toThrow('not 1 × 2')
    expect(() => repeatedMeasures([[1, 2], [3]])).toThrow('subject 1 has 1 conditions, the first has 2')
    expect(() =>
      repeatedMeasures([
        [1, Number.POSITIVE_INFINITY],
        [3, 4],
      ]),
    ).toThrow('subject 0[1] is Infinity')
    expect(() =>
      repeatedMeasures([
        [0.1, 0.2],
        [0.3, 0.4],
        [0.7, 0.8],
      ]),
    ).toThrow('there is no error to compare with')
  })

  test("Tukey's comparisons of the drugs: all but three pairs differ", () => {
    const comparisons = tukeyOf(repeatedMeasures(DRUGS))
    const reference = [
      [0, 1, -0.8, 0.5834599, 0.9752612],
      [0, 2, -10.8, 7.8767095, 0.00060887771],
      [0, 3, 5.6, 4.0842198, 0.05747436],
      [1, 2, -10, 7.2932496, 0.0011761374],
      [1, 3, 6.4, 4.6676797, 0.02807569],
      [2, 3, 16.4, 11.9609293, 1.1011762e-5],
    ] as const
    expect(comparisons.map(({ first, second }) => [first, second])).toEqual(reference.map(([i, j]) => [i, j]))
    for (const [at, { difference, q, p, low, high }] of comparisons.entries()) {
      toFourDigits(difference, reference[at]![2])
      toFourDigits(q, reference[at]![3])
      toFourDigits(p, reference[at]![4])
      toFourDigits((high - low) / 2, 5.756913)
    }
  })
})

describe('Tukey HSD', () => {
  test('the breaks of warp: as R prints them in the example of TukeyHSD', () => {
    // Two wools and three tensions, nine looms each; the error is that of the additive model.
    const comparisons = tukey({
      means: [655 / 18, 475 / 18, 390 / 18],
      perMean: 18,
      errorMeanSquare: 6747.888888888889 / 50,
      errorDegrees: 50,
    })
    const printed = [
      [-10, -19.35342, -0.6465793, 0.0336262],
      [-14.722222, -24.07564, -5.3688015, 0.0011218],
      [-4.722222, -14.07564, 4.6311985, 0.447421],
    ] as const
    for (const [at, { difference, low, high, p }] of comparisons.entries()) {
      toFourDigits(difference, printed[at]![0])
      toFourDigits(low, printed[at]![1])
      toFourDigits(high, printed[at]![2])
      toFourDigits(p, printed[at]![3])
    }
  })

  test("the three groups of SciPy's tukey_hsd", () => {
    const groups = [
      [24.5, 23.5, 26.4, 27.1, 29.9],
      [28.4, 34.2, 29.5, 32.2, 30.1],
      [26.1, 28.3, 24.3, 26.2, 27.8],
    ]
    const errorMeanSquare = mean(groups.map(variance))
    const [first, second, third] = tukey({ means: groups.map(mean), perMean: 5, errorMeanSquare, errorDegrees: 12 })
    toFourDigits(first!.p, 0.01444833)
    toFourDigits(second!.p, 0.98031072)
    toFourDigits(third!.p, 0.02033114)
    toFourDigits(first!.low, 0.950841)
    toFourDigits(first!.high, 8.249159)
  })

  test('of two means it is the F test', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        fc.integer({ min: 2, max: 60 }),
        (difference, degrees) => {
          const [pair] = tukey({ means: [0, difference], perMean: 8, errorMeanSquare: 4, errorDegrees: degrees })
          expect(pair!.p).toBeCloseTo(fAbove((difference * difference * 8) / 2 / 4, 1, degrees), 6)
        },
      ),
      { seed: 1, numRuns: 30 },
    )
  })

  test('refuses an error of nothing', () => {
    expect(() => tukey({ means: [1, 2], perMean: 5, errorMeanSquare: 0, errorDegrees: 8 })).toThrow(
      'nothing to compare with',
    )
  })
})

test('another process says the same, digit by digit', () => {
  const program = `
    import { bootstrap } from './bench/statistics/bootstrap.ts'
    import { mean } from './bench/statistics/summary.ts'
    import { mannWhitney } from './bench/statistics/mann-whitney.ts'
    const sample = ${JSON.stringify(AT_TERM)}
    console.log(JSON.stringify([bootstrap(sample, mean, { seed: 3, method: 'bca' }), mannWhitney(sample, ${JSON.stringify(BEFORE)})]))`
  const said = execFileSync(process.execPath, ['--no-warnings', '--input-type=module-typescript', '-e', program], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  })
  expect(said.trim()).toBe(
    JSON.stringify([bootstrap(AT_TERM, mean, { seed: 3, method: 'bca' }), mannWhitney(AT_TERM, BEFORE)]),
  )
})

function subsets<T>(values: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return values.flatMap((value, at) => subsets(values.slice(at + 1), size - 1).map((rest) => [value, ...rest]))
}

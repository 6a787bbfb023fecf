/**
 * The stopping suite: the error of estimates of new species in the next 1,000 samples, over
 * simulated populations (simulation.ts), beside Chao's lower bound, which others use.
 *
 * A row counts the simulations in which each was within a quarter of the truth, of those with an
 * estimate: very few species give none. Where the truth is below 20, chance alone decides, and
 * there is no row.
 */
import { expectedIn } from '../../packages/norn/src/search/extrapolation.ts'
import type { SpeciesCounts } from '../../packages/norn/src/search/species.ts'

import { printer } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { type CommonOptions, defineSuite } from '../suite.ts'
import { probabilities, simulate } from './simulation.ts'

const MORE = 1000
const NEAR = 0.25
const EXPONENTS = [0.8, 1, 1.2, 1.5, 2]
const SAMPLES = [300, 1000, 3000, 10_000]
/** The least truth of a row. */
const LEAST = 20
const PER_SAMPLE = 10

export const suite = defineSuite({
  summary: 'estimates of new behaviours still to come, against simulated truth',
  options: {},
  run,
})

async function run({ smoke, json }: CommonOptions): Promise<void> {
  const say = printer(json)
  const trials = smoke ? 10 : 100
  for (const exponent of EXPONENTS) {
    for (const species of smoke ? [3000] : [3000, 30_000]) {
      const likelihoods = probabilities({ exponent, species, perSample: PER_SAMPLE })
      for (const samples of SAMPLES) {
        const trial = Array.from({ length: trials }, (_, at) => {
          const { seenIn, unseenIn } = simulate(likelihoods, samples, at + 1)
          const counts = countsIn(seenIn, samples)
          return { truth: unseenIn(MORE), estimate: expectedIn(MORE, counts), chao: chaoIn(MORE, counts) }
        })
        const truth = median(trial.map((each) => each.truth))
        if (truth < LEAST) continue
        const given = trial.filter((each) => each.estimate !== undefined)
        const ratios = given.map(({ estimate, truth }) => estimate! / truth - 1)
        const chaoRatios = trial.map(({ chao, truth }) => chao / truth - 1)
        const near = (errors: readonly number[]) => errors.filter((error) => Math.abs(error) <= NEAR).length
        const error = (errors: readonly number[]) => (errors.length === 0 ? null : Math.round(100 * median(errors)))
        const row = {
          suite: 'stopping',
          exponent,
          species,
          samples,
          trials,
          truth: Math.round(truth),
          given: given.length,
          near: near(ratios),
          medianErrorPercent: error(ratios),
          chaoNear: near(chaoRatios),
          chaoMedianErrorPercent: error(chaoRatios),
        }
        const mine =
          given.length === 0
            ? 'no estimate'
            : `within a quarter ${row.near}/${given.length} (median error ${row.medianErrorPercent} %)`
        const text = `exponent ${exponent}, ${species} species, ${samples} samples: ${row.truth} new in ${MORE} more; ${mine}, Chao ${row.chaoNear}/${trials} (${row.chaoMedianErrorPercent} %)`
        say(row, text)
      }
    }
  }
}

export function countsIn(seenIn: readonly number[], samples: number): SpeciesCounts {
  const times = (wanted: number) => seenIn.filter((count) => count === wanted).length
  const species = seenIn.length - times(0)
  return { samples, species, once: times(1), twice: times(2), thrice: times(3) }
}

function chaoIn(more: number, { samples, once, twice }: SpeciesCounts): number {
  const unseen = (once * (once - 1)) / (2 * (twice + 1))
  return unseen === 0 ? 0 : unseen * -Math.expm1(more * Math.log1p(-once / (samples * unseen + once)))
}

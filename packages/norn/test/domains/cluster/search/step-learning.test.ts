/** What a campaign learns of classes of steps. */
import { expect, test } from 'vitest'
import type { DrawnSteps } from '../../../../src/contract/observation.ts'
import { NO_WEIGHTS, type StepWeights } from '../../../../src/contract/plan.ts'
import { ALL_PIECES } from '../../../../src/domains/cluster/search/pieces.ts'
import { StepLearning } from '../../../../src/domains/cluster/search/step-learning.ts'

const [PLENTY, SOME, NONE, BEFORE] = [1, 2, 3, 4]

/** Steps of these classes, in situations that are all the same, or of these numbers. */
function drawn(classes: readonly (number | undefined)[], situations = classes.map(() => 0)): DrawnSteps {
  return { classes: [...classes], situations }
}

/** A thousand executions in which PLENTY shows two new things, SOME shows one, and BEFORE precedes them. */
function taught(learning: StepLearning): StepLearning {
  for (let n = 0; n < 500; n++) {
    learning.learn(drawn([BEFORE, PLENTY, SOME, NONE, NONE, NONE]), [0, 2, 1, 0, 0, 0])
    learning.learn(drawn([NONE, NONE, NONE, BEFORE, PLENTY, SOME]), [0, 0, 0, 0, 2, 1])
  }
  return learning
}

function factorOf({ classes, factors }: StepWeights, stepClass: number): number {
  return factors[classes.indexOf(stepClass)]!
}

test('steps that show more get larger factors, in relation to the mean', () => {
  const weights = taught(new StepLearning()).weights(1)
  const [plenty, some, none] = [PLENTY, SOME, NONE].map((stepClass) => factorOf(weights, stepClass))
  expect(plenty).toBeGreaterThan(some!)
  expect(some).toBeGreaterThan(none!)
  expect(none).toBeGreaterThan(0)
})

test('what leads to steps that show something is worth more than what leads nowhere', () => {
  const weights = taught(new StepLearning()).weights(1)
  expect(factorOf(weights, BEFORE)).toBeGreaterThan(2 * factorOf(weights, NONE))
  const withoutGains = taught(new StepLearning({ ...ALL_PIECES, gains: false, situations: false })).weights(1)
  expect(factorOf(withoutGains, BEFORE)).toBeCloseTo(factorOf(withoutGains, NONE), 1)
})

test('a step has no merit in what is usual in the situation where it was made', () => {
  const [RICH, POOR, LAST] = [1, 2, 3]
  const ratioWith = (situations: boolean) => {
    const learning = new StepLearning({ ...ALL_PIECES, situations })
    for (let n = 0; n < 5000; n++) {
      // In a rich situation whatever is done leads on. SOME is done there, and NONE elsewhere.
      learning.learn(drawn([SOME, PLENTY], [RICH, LAST]), [0, 3])
      learning.learn(drawn([NONE, BEFORE], [POOR, LAST]), [0, 0])
    }
    const weights = learning.weights(1)
    return factorOf(weights, SOME) / factorOf(weights, NONE)
  }
  expect(ratioWith(false)).toBeGreaterThan(2)
  expect(ratioWith(true)).toBeLessThan(1.5)
})

test('news of a class that has shown little count for more than as many of one that has shown much', () => {
  const [COMMON, RARE] = [1, 2]
  const ratioWith = (rarity: boolean) => {
    const learning = new StepLearning({ ...ALL_PIECES, rarity })
    for (let n = 0; n < 5000; n++) {
      learning.learn(drawn([COMMON, NONE, COMMON, NONE, COMMON]), [1, 0, 1, 0, 1])
      if (n % 20 === 0) learning.learn(drawn([RARE, NONE]), [1, 0])
    }
    const weights = learning.weights(1)
    return factorOf(weights, RARE) / factorOf(weights, COMMON)
  }
  expect(ratioWith(true)).toBeGreaterThan(4 * ratioWith(false))
})

test('it does not matter how much there is to see, but how it is divided', () => {
  const few = new StepLearning()
  const many = new StepLearning()
  for (let n = 0; n < 5000; n++) {
    few.learn(drawn([PLENTY, NONE]), [4, 0])
    many.learn(drawn([PLENTY, NONE]), [400, 0])
  }
  for (const stepClass of [PLENTY, NONE]) {
    const ratio = factorOf(few.weights(1), stepClass) / factorOf(many.weights(1), stepClass)
    expect(Math.abs(Math.log2(ratio))).toBeLessThan(0.5)
  }
})

test('once hardly anything is new, all classes are alike again', () => {
  const learning = taught(new StepLearning())
  for (let n = 0; n < 50_000; n++) learning.learn(drawn([BEFORE, PLENTY, SOME, NONE]), [0, 0, 0, 0])
  for (const factor of learning.weights(1).factors) expect(factor).toBeCloseTo(1, 1)
})

test('a power weakens the factors; the power 0 leaves nothing of them', () => {
  const learning = taught(new StepLearning())
  expect(factorOf(learning.weights(0.5), PLENTY)).toBeCloseTo(Math.sqrt(factorOf(learning.weights(1), PLENTY)), 2)
  expect(learning.weights(0)).toBe(NO_WEIGHTS)
})

test('a table stays as it is while the campaign goes on learning', () => {
  const learning = taught(new StepLearning())
  const weights = learning.weights(1)
  const before = JSON.stringify(weights)
  for (let n = 0; n < 200; n++) learning.learn(drawn([NONE]), [5])
  expect(JSON.stringify(weights)).toBe(before)
  expect(factorOf(learning.weights(1), NONE)).toBeGreaterThan(factorOf(weights, NONE))
})

test('steps without a class, and classes beyond the bound, are left alone', () => {
  const learning = new StepLearning()
  learning.learn(drawn([undefined, NONE, undefined]), [1, 1, 1])
  expect(learning.weights(1).classes).toEqual([NONE])
  for (let stepClass = 0; stepClass < 10_000; stepClass++) learning.learn(drawn([stepClass]), [1])
  expect(learning.weights(1).classes.length).toBe(4096)
})

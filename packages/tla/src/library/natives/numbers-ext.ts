/** Natives of Combinatorics and Statistics. */
import { printCut } from '../../values/print.ts'
import { refusal } from '../../values/refuse.ts'
import type { Value } from '../../values/value.ts'
import { type NativeTable, plain } from '../native.ts'
import { integer, listedFunction, natural, text, wrongOperand } from '../operands.ts'
import { binomial } from './k-subsets.ts'
import { LARGEST, overflow } from './numbers.ts'

export const COMBINATORICS: NativeTable = {
  choose: plain((size: Value, count: Value) => {
    const [of, chosen] = [natural(size, 'first', 'choose'), natural(count, 'second', 'choose')]
    const result = binomial(of, chosen)
    if (result > LARGEST) throw overflow(`choose(${of}, ${chosen})`)
    return result
  }),
}

/** Upper tail of the chi-square distribution: regularised gamma (Numerical Recipes, 6.2). */
function tail(statistic: number, degrees: number): number {
  const [shape, at] = [degrees / 2, statistic / 2]
  if (at === 0) return 1
  const scale = Math.exp(shape * Math.log(at) - at - logGamma(shape))
  if (at < shape + 1) {
    let term = 1 / shape
    let total = term
    for (let step = 1; step < 10_000 && term > total * 1e-16; step++) {
      term *= at / (shape + step)
      total += term
    }
    return 1 - total * scale
  }
  // Lentz's algorithm for the continued fraction.
  let denominator = at + 1 - shape
  let [c, d] = [1e300, 1 / denominator]
  let fraction = d
  for (let step = 1; step < 10_000; step++) {
    const factor = -step * (step - shape)
    denominator += 2
    d = 1 / (factor * d + denominator || 1e-300)
    c = denominator + factor / c || 1e-300
    fraction *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return fraction * scale
}

/** For multiples of 1/2, by recursion: log(pi) / 2 for 1/2, 0 for 1. */
function logGamma(shape: number): number {
  let result = shape % 1 === 0 ? 0 : Math.log(Math.PI) / 2
  for (let at = shape - 1; at > 0; at--) result += Math.log(at)
  return result
}

/** Whether Pearson's test accepts the frequencies; the expected ones are scaled to the same total. */
function isAsExpected(expected: readonly number[], actual: readonly number[], alpha: number): boolean {
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  const scale = total(actual) / total(expected)
  let statistic = 0
  for (let at = 0; at < expected.length; at++)
    statistic += (actual[at]! - expected[at]! * scale) ** 2 / (expected[at]! * scale)
  return tail(statistic, expected.length - 1) >= alpha
}

function frequencies(value: Value, ordinal: 'first' | 'second', least: number): number[] {
  return listedFunction(value, ordinal, 'ChiSquare').elements.map((count) => {
    const frequency = integer(count, ordinal, 'ChiSquare')
    if (frequency < least) throw refusal(`ChiSquare: a frequency of ${printCut(value)} is below ${least}`)
    return frequency
  })
}

export const STATISTICS: NativeTable = {
  ChiSquare: plain((expected: Value, actual: Value, level: Value) => {
    const [wanted, seen] = [frequencies(expected, 'first', 1), frequencies(actual, 'second', 0)]
    const alpha = Number(text(level, 'third', 'ChiSquare'))
    if (!(alpha > 0 && alpha <= 0.5))
      throw wrongOperand('third', 'ChiSquare', 'a string such as "0.05", above 0 and at most 0.5', level)
    if (wanted.length !== seen.length || wanted.length < 2) {
      throw refusal(
        `ChiSquare compares two functions with the same two arguments or more, not ${wanted.length} and ${seen.length}`,
      )
    }
    return isAsExpected(wanted, seen, alpha)
  }),
}

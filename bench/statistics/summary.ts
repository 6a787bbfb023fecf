/**
 * Plain summaries of a sample: mean, median, quantiles, variance.
 *
 * Imports nothing, so that a bench that measures memory or time may use it without loading anything
 * else. Quantiles are those of definition 7 of Hyndman & Fan, "Sample quantiles in statistical
 * packages" (1996), the default of R and NumPy: straight lines between the order statistics. The
 * median is the half of them.
 *
 * Invariant: what is handed in is neither sorted in place nor changed.
 */

/** The middle of some numbers; of an even count the mean of the two in the middle; of none NaN. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The arithmetic mean; of none NaN. */
export function mean(numbers: readonly number[]): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum / numbers.length
}

/**
 * The variance of a sample, with n - 1 below: that of the population without bias; of fewer than
 * two NaN.
 */
export function variance(numbers: readonly number[]): number {
  const centre = mean(numbers)
  let squares = 0
  for (const number of numbers) squares += (number - centre) ** 2
  return numbers.length < 2 ? Number.NaN : squares / (numbers.length - 1)
}

/**
 * The quantile of numbers that are sorted in ascending order.
 *
 * @param share in [0, 1]: 0 is the smallest, 1 the largest
 */
export function quantileOfSorted(sorted: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a quantile wants a share from 0 to 1, not ${share}`)
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  return place === below ? low : low + (place - below) * (sorted[below + 1]! - low)
}

/**
 * What the tests of this folder ask of a sample before they say anything of it. They refuse, with
 * the sample's name and the place of the number: a NaN would sort somewhere and give a probability
 * that looks like any other.
 */

/**
 * Refuses an empty sample and what is not a number; infinite is a number here, and larger than all
 * others.
 */
export function assertSample(sample: readonly number[], name: string): void {
  if (sample.length === 0) throw new RangeError(`${name} is empty: there is nothing to compare`)
  const at = sample.findIndex((value) => Number.isNaN(value))
  if (at >= 0) throw new RangeError(`${name}[${at}] is not a number`)
}

/** Refuses an empty sample and what is not a finite number: what is summed must have a sum. */
export function assertFinite(sample: readonly number[], name: string): void {
  assertSample(sample, name)
  const at = sample.findIndex((value) => !Number.isFinite(value))
  if (at >= 0) throw new RangeError(`${name}[${at}] is ${sample[at]}: a mean wants finite numbers`)
}

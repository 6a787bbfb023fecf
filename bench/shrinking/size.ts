/** The size of a minimum: its parts (numbers, characters, lists), then the sum of its numbers. */

export interface Shrunk {
  readonly value: unknown
  /** Executions that shrinking took. */
  readonly executions: number
}

export type Size = readonly [parts: number, sum: number]

export function sizeOf(value: unknown): Size {
  if (typeof value === 'number') return [1, Math.abs(value)]
  if (typeof value === 'string') return [value.length, 0]
  if (!Array.isArray(value)) return [1, 0]
  return value.map(sizeOf).reduce<Size>(([parts, sum], size) => [parts + size[0], sum + size[1]], [1, 0])
}

/** The size of an order: its pairs in which the later step ended first. */
export function inversions(order: readonly number[]): Size {
  const pairs = order.map((n, index) => order.slice(index).filter((other) => other < n).length)
  return [pairs.reduce((total, n) => total + n, 0), 0]
}

export function compareSizes(a: Size, b: Size): number {
  return a[0] - b[0] || a[1] - b[1]
}

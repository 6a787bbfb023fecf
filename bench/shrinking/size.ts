/** How small a minimum is: by the parts it is made of (numbers, characters, lists), then by the sum of its numbers. */

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

/** Of an order in which things happened: in how many pairs the later one came first. */
export function inversions(order: readonly number[]): Size {
  const late = order.map((n, index) => order.slice(index).filter((other) => other < n).length)
  return [late.reduce((total, n) => total + n, 0), 0]
}

export function compareSizes(a: Size, b: Size): number {
  return a[0] - b[0] || a[1] - b[1]
}

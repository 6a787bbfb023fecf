export interface Difference {
  /** The path to the difference, such as `.votes.b[2]`; empty if the values differ as a whole. */
  readonly path: string
  readonly left: unknown
  readonly right: unknown
}

/**
 * The first difference between two values of plain data; undefined if they are equal. An `undefined`
 * property counts as absent, and the order of keys does not count.
 */
export function firstDifference(left: unknown, right: unknown): Difference | undefined {
  if (left === right) return undefined
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return { path: '', left, right }
  }
  if (Array.isArray(left) !== Array.isArray(right)) return { path: '', left, right }
  if (Array.isArray(left)) {
    const items = right as readonly unknown[]
    for (let at = 0; at < Math.max(left.length, items.length); at++) {
      const found = firstDifference(left[at], items[at])
      if (found !== undefined) return below(`[${at}]`, found)
    }
    // Arrays that differ only in `undefined` items at the end are different too.
    return left.length === items.length ? undefined : { path: '.length', left: left.length, right: items.length }
  }
  const one = left as Record<string, unknown>
  const other = right as Record<string, unknown>
  for (const key in one) {
    const found = firstDifference(one[key], other[key])
    if (found !== undefined) return below(`.${key}`, found)
  }
  for (const key in other) {
    if (other[key] !== undefined && one[key] === undefined) {
      return { path: `.${key}`, left: undefined, right: other[key] }
    }
  }
  return undefined
}

function below(step: string, { path, left, right }: Difference): Difference {
  return { path: step + path, left, right }
}

/** A path without its leading dot. */
export function pathText(path: string): string {
  return path.replace(/^\./, '')
}

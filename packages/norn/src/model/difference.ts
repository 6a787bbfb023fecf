/**
 * Where two values of plain data differ: what a person needs to see of two states that should
 * agree.
 */

export interface Difference {
  /** The way to what differs: `votes.b[2]`; empty if the values differ as a whole. */
  readonly path: string
  readonly left: unknown
  readonly right: unknown
}

/**
 * The first difference of two values, in the order of keys; undefined if they are equal as plain
 * data: a property that is `undefined` counts as not being there, and the order of keys as nothing.
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
    // A hole, or `undefined`, at the end of one is a difference too.
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

/** A path as people write it. */
export function pathText(path: string): string {
  return path.replace(/^\./, '')
}

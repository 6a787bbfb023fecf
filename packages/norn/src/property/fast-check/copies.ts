/**
 * The copies of fast-check in this process: norn's own, and those of the project, of whatever major
 * version. Norn never swaps one for another: arbitraries draw from the tape, and predicates run, by
 * the copy that made them.
 *
 * Invariant: a value of one copy is recognised by that copy alone, since the symbols of fast-check 2
 * differ in each copy.
 */
import own from 'fast-check'

/** The exports of a copy. Older versions lack some, and fast-check 2 has more. */
export type FastCheck = typeof own

const copies: FastCheck[] = [own]

/** @returns false if the copy was known */
export function addCopy(copy: FastCheck): boolean {
  if (copies.includes(copy)) return false
  copies.push(copy)
  return true
}

/**
 * Whether an error says that an input does not meet a precondition (`fc.pre`). Reads no property of
 * the error.
 */
export function isPreconditionFailure(error: unknown): boolean {
  return copies.some((copy) => error instanceof preconditionFailureOf(copy))
}

/** fast-check 2.0 does not export the class. */
function preconditionFailureOf(copy: FastCheck): FastCheck['PreconditionFailure'] {
  if (copy.PreconditionFailure !== undefined) return copy.PreconditionFailure
  try {
    copy.pre(false)
  } catch (error) {
    return (error as Error).constructor as FastCheck['PreconditionFailure']
  }
  throw new Error('fc.pre(false) did not throw')
}

/** The copy whose methods describe a value or clone it, as of commands and schedulers. */
export function copyOf(value: unknown): FastCheck | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return copies.find(({ cloneMethod, toStringMethod }) =>
    [cloneMethod, toStringMethod].some((method) => method !== undefined && method in value),
  )
}

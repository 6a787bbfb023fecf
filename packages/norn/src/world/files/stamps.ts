/**
 * Stamps: the times that files get from the running execution, kept as its virtual time. What they are
 * by the wall clock is asked when a program reads them: one that does not draws no start of the clock.
 */

/** Before any time that a `Date`, and so a program, can name; integers from here are exact. */
const FIRST_STAMP = -9e15
const LAST_STAMP = -8.7e15

/** @param us virtual time, in whole microseconds */
export function stampOf(us: number): number {
  return FIRST_STAMP + us
}

export function isStamp(time: number): boolean {
  return time < LAST_STAMP
}

/** The virtual time of a stamp. */
export function usOf(stamp: number): number {
  return stamp - FIRST_STAMP
}

/** Loading is a part of the time of a call: a file that takes longer is given up. */
import { UndecidedError } from './errors.ts'

/** The longest timer of Node, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * What loading a file gives.
 *
 * @param end when it has to be loaded, on the clock of `performance`
 * @param timeMs the time that it had, for the message
 * @throws UndecidedError at the end of the time
 */
export async function loadedBy<Result>(
  end: number,
  loading: Promise<Result>,
  file: string,
  timeMs: number,
): Promise<Result> {
  if (end === Number.POSITIVE_INFINITY) return loading
  const { promise: isUp, reject } = Promise.withResolvers<never>()
  const limit = `${Number((timeMs / 1000).toFixed(1))} s`
  const why = `inconclusive: loading ${file} took longer than the call may (${limit}), so no property was run. Raise --time`
  const leftMs = Math.min(LONGEST_TIMER_MS, Math.max(0, end - performance.now()))
  const timer = setTimeout(() => reject(new UndecidedError(why)), leftMs)
  try {
    return await Promise.race([loading, isUp])
  } finally {
    clearTimeout(timer)
    loading.catch(() => {})
  }
}

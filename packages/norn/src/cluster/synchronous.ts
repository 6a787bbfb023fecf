/**
 * The result of a user's function, which must not be a promise: a simulation cannot wait, and would
 * take the promise of a failing check for one that passed.
 *
 * @param what the function, for the error
 * @throws TypeError if the result is a promise
 */
export function synchronous<Result>(result: Result, what: () => string): Result {
  if (typeof result === 'object' && result !== null && typeof (result as { then?: unknown }).then === 'function') {
    // Its rejection is not reported: the TypeError is the failure.
    Promise.resolve(result).catch(() => {})
    throw new TypeError(`${what()} returned a promise: it must be synchronous`)
  }
  return result
}

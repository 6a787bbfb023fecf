/**
 * Real input and output for the parts of norn that need it during an execution, such as programs
 * driven over pipes. Works without a world too, so it imports nothing of it.
 */

type Outside = <Result>(action: () => Result) => Result

let around: Outside = (action) => action()

/** Called by the world on installation. */
export function setOutside(outside: Outside): void {
  around = outside
}

/** Runs an action with the original functions of Node. */
export function outside<Result>(action: () => Result): Result {
  return around(action)
}

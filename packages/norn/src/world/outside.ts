/**
 * Real input and output for the few parts of norn that need it while an execution is under way, such as a program that
 * is talked to over pipes. They may be used where no world is installed too, so nothing of it is imported here.
 */

type Outside = <Result>(action: () => Result) => Result

let around: Outside = (action) => action()

/** Called by the world when it is installed. */
export function setOutside(outside: Outside): void {
  around = outside
}

/** Runs an action with the original functions of Node. */
export function outside<Result>(action: () => Result): Result {
  return around(action)
}

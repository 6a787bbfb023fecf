/**
 * Runs an action in a macrotask of its own: the real loop turns between two executions, and microtasks can be drained
 * while the action runs (inside a microtask they could not).
 */
export function inMacrotask<Result>(action: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(action())
      } catch (error) {
        reject(error)
      }
    })
  })
}

/**
 * Runs an action outside of any microtask, where microtasks can be drained while it runs (inside
 * one they could not).
 *
 * A tick does: Node runs ticks from its own loop, between two drains of the microtasks. It costs a
 * tenth of a turn of the real loop, which asks the operating system for events; that is only done
 * every TURN_MS, so that messages get through. Invariant: no tick of anybody else waits behind it,
 * as those would run inside of the action: what was queued before runs before, and norn awaits the
 * action without doing anything else.
 */
const TURN_MS = 5

let lastTurn = Number.NEGATIVE_INFINITY

export function inMacrotask<Result>(action: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const act = () => {
      try {
        resolve(action())
      } catch (error) {
        reject(error)
      }
    }
    if (performance.now() - lastTurn < TURN_MS) process.nextTick(act)
    else {
      setImmediate(() => {
        lastTurn = performance.now()
        // As ever, so that the stacks a program prints are the same.
        process.nextTick(act)
      })
    }
  })
}

/**
 * Runs an action outside of any microtask, so that the action can drain microtasks.
 *
 * A tick suffices, because Node runs ticks between two drains of the microtask queue, and it costs
 * a tenth of a turn of the event loop. Every TURN_MS the loop gets a turn, so that messages arrive.
 * Invariant: no other tick is queued behind the action, where it would run inside the action. Ticks
 * queued earlier run earlier, and norn does nothing else while it awaits the action.
 */
import process from 'node:process'

const TURN_MS = 5

/** Captured before any program can replace them. */
const nextTurn = setImmediate
const { nextTick } = process
const now = performance.now.bind(performance)

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
    if (now() - lastTurn < TURN_MS) nextTick(act)
    else {
      nextTurn(() => {
        lastTurn = now()
        // In a tick here too, so that the stacks a program prints are the same.
        nextTick(act)
      })
    }
  })
}

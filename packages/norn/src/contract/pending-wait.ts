/** The waits on the way from a body that never settled to the promises that nothing settled. */
import type { Frame } from './divergence.ts'

/** A line of the program. */
export interface PlacedLine extends Frame {
  /** Its text, cut; absent if the file cannot be read. */
  readonly code?: string
}

export interface PendingWait {
  /**
   * `await`, `then`, `catch`, `finally`; `all`, `race`, … of `Promise`; `made` for a promise that waits for nothing
   * that V8 knows; `cycle` for one that waits for itself.
   */
  readonly how: string
  /** Where the program waits, or made the promise: innermost first, up to a bound. */
  readonly frames: readonly PlacedLine[]
  /** Of `all`, `race`, …: the members that are pending, counted from 0, and how many there are. */
  readonly members?: { readonly pending: readonly number[]; readonly count: number }
  /** Of `made`: the function that the program called for it, such as `new Promise` or `once`. */
  readonly by?: string
  /** Of `made`: neither the promise nor what could settle it is reachable any more. */
  readonly isLost?: true
  /** Of `made`: where the resolve or reject is that could settle it, in words: `Pool.#waiting[0]`. */
  readonly holder?: string
  /** What it waits for in turn; one entry for each pending member. */
  readonly on: readonly PendingWait[]
}

/** The lines of waits, innermost first: those of the first pending member, where there are several. */
export function waitingFrames(waits: readonly PendingWait[]): readonly PlacedLine[] {
  const [first] = waits
  return first === undefined ? [] : [...waitingFrames(first.on), ...first.frames]
}

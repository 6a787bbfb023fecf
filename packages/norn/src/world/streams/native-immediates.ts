/**
 * Immediates that C++ sets (`Environment::SetImmediate`, src/env.cc): they run in the check phase of
 * the real loop, after the execution, where they find nothing left to do.
 *
 * C++ counts them together with those of JavaScript, which keep norn's loop alive. So norn notices
 * them by that count, takes them out of it, and gives them back when the execution ends.
 */
import { internalBinding } from '../../loader/internals.ts'

const REFS = 1

/** What learns that C++ has set immediates within a call. */
export type Noticed = (count: number) => void

export class NativeImmediates {
  readonly #info = internalBinding('timers').immediateInfo as Uint32Array
  #expected = 0
  #noticed: Noticed | undefined
  /** Those set since the execution began. */
  #set = 0

  /** Calls C++. */
  calls<Result>(noticed: Noticed, action: () => Result): Result {
    const [expected, outer] = [this.#expected, this.#noticed]
    if (outer !== undefined) this.#take()
    this.#noticed = noticed
    this.#expected = this.#info[REFS]!
    try {
      return action()
    } finally {
      this.#take()
      this.#noticed = outer
      this.#expected = outer === undefined ? expected : this.#info[REFS]!
    }
  }

  /** Calls the program, within a call to C++. */
  callsBack<Result>(action: () => Result): Result {
    const noticed = this.#noticed
    if (noticed === undefined) return action()
    this.#take()
    this.#noticed = undefined
    try {
      return action()
    } finally {
      this.#noticed = noticed
      this.#expected = this.#info[REFS]!
    }
  }

  /** The real loop runs them: it has to count them. After the real count is back. */
  leave(): void {
    this.#info[REFS]! += this.#set
    this.#set = 0
    this.#noticed = undefined
  }

  #take(): void {
    const count = this.#info[REFS]! - this.#expected
    if (count <= 0) return
    this.#info[REFS]! -= count
    this.#set += count
    this.#noticed!(count)
  }
}

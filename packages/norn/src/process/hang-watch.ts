/**
 * Decides from outside whether the execution under way hangs. Pure: the clock and what is seen of
 * the process are given.
 *
 * Invariant: time in which this process did not run counts as at most two looks, so a machine that
 * stands still, or runs neither process, accuses no program.
 */
export const LOOK_MS = 250

/** Real time of one execution unless set, in milliseconds. */
export const HANG_MS = 10_000

/** Real time in which a process has to start and to load its file, at least. */
const START_MS = 30_000

/**
 * A process that is filling its memory may take this many times as long: collecting garbage is the
 * machine's time.
 */
const FILLING_FACTOR = 3

/** What is seen of a process at one look. */
export interface Look {
  readonly nowMs: number
  /** Number of the execution under way, counted by the process; undefined before its first. */
  readonly sequence: number | undefined
  /** Whether its memory is nearly full. */
  readonly isFilling: boolean
}

export class HangWatch {
  readonly #hangMs: number
  /** The sequence before the first execution of this request. */
  readonly #before: number | undefined
  #sequence: number | undefined
  #waitedMs = 0
  #lookedMs: number

  /** @param sequence of the last execution before this request, if there was one */
  constructor(hangMs: number, nowMs: number, sequence: number | undefined) {
    this.#hangMs = hangMs
    this.#lookedMs = nowMs
    this.#before = sequence
    this.#sequence = sequence
  }

  /** Whether the process hangs. */
  isHung({ nowMs, sequence, isFilling }: Look): boolean {
    this.#waitedMs += Math.min(nowMs - this.#lookedMs, 2 * LOOK_MS)
    this.#lookedMs = nowMs
    if (sequence !== this.#sequence) {
      this.#sequence = sequence
      this.#waitedMs = 0
      return false
    }
    const isStarting = sequence === this.#before
    const limitMs = isStarting ? Math.max(this.#hangMs, START_MS) : this.#hangMs * (isFilling ? FILLING_FACTOR : 1)
    return this.#waitedMs > limitMs
  }
}

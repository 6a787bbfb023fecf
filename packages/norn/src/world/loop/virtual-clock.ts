/**
 * The virtual clock, in whole microseconds since the execution began.
 *
 * It advances when the loop sleeps, with each step, and with each read, so that busy waits end: a
 * read costs 1 us, and ten times more after every thousand reads of one step, up to 1 ms.
 * Invariants: time never goes back and never passes the bound; at the bound `onBound` throws or
 * ends the execution.
 */
import { LoopTimes } from './loop-times.ts'

export class Clock {
  /** How the loop spends the time. */
  readonly loopTimes = new LoopTimes()
  #nowUs = 0
  #readings = 0
  #boundUs: number
  readonly #onBound: () => void

  constructor(boundUs: number, onBound: () => void) {
    this.#boundUs = boundUs
    this.#onBound = onBound
  }

  /** Returns to zero, with a bound for the next execution. */
  reset(boundUs: number): void {
    this.#nowUs = 0
    this.#readings = 0
    this.#boundUs = boundUs
    this.loopTimes.reset()
  }

  /** The bound on virtual time, in microseconds. */
  get boundUs(): number {
    return this.#boundUs
  }

  /** The time, without advancing it. */
  get nowUs(): number {
    return this.#nowUs
  }

  /** Reads the time as the program does, which advances it. */
  read(): number {
    const cost = 10 ** Math.min(3, Math.floor(this.#readings++ / 1000))
    this.advance(cost)
    return this.#nowUs
  }

  advance(byUs: number): void {
    this.advanceTo(this.#nowUs + byUs)
  }

  advanceTo(timeUs: number): void {
    if (timeUs <= this.#nowUs) return
    this.#nowUs = Math.min(timeUs, this.#boundUs)
    if (timeUs > this.#boundUs) this.#onBound()
  }

  /** Advances the clock while the loop sleeps. */
  sleepTo(timeUs: number): void {
    const fromUs = this.#nowUs
    this.advanceTo(timeUs)
    this.loopTimes.slept(fromUs, this.#nowUs)
  }

  /** Resets the cost of reads for a new step. */
  beginStep(): void {
    this.#readings = 0
  }
}

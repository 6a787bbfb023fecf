/**
 * The virtual clock, in whole microseconds since the execution began.
 *
 * It moves when the loop sleeps, a little with each step, and a little with each reading, so that a program that waits
 * for the time to pass gets there: a reading costs 1 us, and within one step readings grow dearer by ten for each
 * thousand of them, up to a millisecond. Invariants: it never goes back, and it never passes its bound (`onBound`
 * decides what then happens; it has to throw or end the execution).
 */
export class Clock {
  #nowUs = 0
  #readings = 0
  #boundUs: number
  readonly #onBound: () => void

  constructor(boundUs: number, onBound: () => void) {
    this.#boundUs = boundUs
    this.#onBound = onBound
  }

  /** Back to zero, with a bound for the next execution. */
  reset(boundUs: number): void {
    this.#nowUs = 0
    this.#readings = 0
    this.#boundUs = boundUs
  }

  /** The time that is never passed. */
  get boundUs(): number {
    return this.#boundUs
  }

  /** The time, without moving it. */
  get nowUs(): number {
    return this.#nowUs
  }

  /** The time as the program reads it. */
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

  /** A new step begins: readings are cheap again. */
  beginStep(): void {
    this.#readings = 0
  }
}

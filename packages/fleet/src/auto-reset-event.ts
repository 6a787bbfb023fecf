import { pause } from './pause.ts'

/** An event that wakes one who waits, and is reset by that; set while nobody waits, it lets the next wait pass. */
export class AutoResetEvent {
  #isSet = new AbortController()

  set(): void {
    this.#isSet.abort()
  }

  /** Waits some real time, or until the event is set, or until the signal. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, signal, this.#isSet.signal)
    if (this.#isSet.signal.aborted) this.#isSet = new AbortController()
  }
}

import { pause } from './pause.ts'

/** Wakes one who waits; rung while nobody does, it lets the next wait pass at once. */
export class Bell {
  #rung = new AbortController()

  ring(): void {
    this.#rung.abort()
  }

  /** Waits some real time, or until the bell rings, or until the signal. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, signal, this.#rung.signal)
    if (this.#rung.signal.aborted) this.#rung = new AbortController()
  }
}

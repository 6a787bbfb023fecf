/**
 * Counts the entries of a log that only grows: each is looked at once, however often somebody asks.
 */
import type { LogEntry } from '../log.ts'

export class LogTally {
  readonly #log: readonly LogEntry[]
  readonly #entries = new Map<string, number>()
  readonly #events = new Map<string, number>()
  #counted = 0

  constructor(log: readonly LogEntry[]) {
    this.#log = log
  }

  /** Entries of a kind so far. */
  entries(kind: string): number {
    this.#count()
    return this.#entries.get(kind) ?? 0
  }

  /** Events of a name so far. */
  events(name: string): number {
    this.#count()
    return this.#events.get(name) ?? 0
  }

  #count(): void {
    for (; this.#counted < this.#log.length; this.#counted++) {
      const { kind, name } = this.#log[this.#counted]!
      this.#entries.set(kind, (this.#entries.get(kind) ?? 0) + 1)
      if (kind === 'event') this.#events.set(name, (this.#events.get(name) ?? 0) + 1)
    }
  }
}

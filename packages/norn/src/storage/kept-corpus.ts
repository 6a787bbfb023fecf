/**
 * Keeps the corpus of a campaign and its folder on disk alike: writes what the campaign adds,
 * removes what it drops, and polls for what other workers have written. If the folder fails, the
 * campaign goes on without it and warns once.
 *
 * A search may poll at each execution. Polls that find nothing take at most a share of the time, so
 * the folder is looked at more rarely where executions are short or the folder is large.
 *
 * Invariants: only executions whose input is drawn from the tape are stored, since only those can
 * be rerun from their choices; entries of other workers are removed only when no other worker runs.
 */

import type { Choices } from '../contract/choices.ts'
import type { CorpusEntry, CorpusObserver, Resumed } from '../search/domain.ts'
import { type CorpusStore, nameOf } from './corpus-store.ts'
import { OWNER, systemReason } from './files.ts'

/** The share of the time that polls which find nothing may take. */
const POLLING_SHARE = 0.05

export class KeptCorpus implements CorpusObserver {
  readonly polledEvery?: number
  readonly author: string | undefined
  readonly #store: CorpusStore
  readonly #warn: (text: string) => void
  readonly #nowMs: () => number
  /** Entries that this process wrote. */
  readonly #names = new Map<CorpusEntry, string>()
  /** Entries a file stands for: two may have the same choices. */
  readonly #entriesOf = new Map<string, number>()
  #broken = false
  #nextPollMs = Number.NEGATIVE_INFINITY

  /** @param warn called once, if the folder fails */
  constructor(store: CorpusStore, warn: (text: string) => void, polledEvery?: number, nowMs = () => performance.now()) {
    if (polledEvery !== undefined) this.polledEvery = polledEvery
    this.author = store.hasMetadata ? OWNER : undefined
    this.#store = store
    this.#warn = warn
    this.#nowMs = nowMs
  }

  /** What earlier campaigns stored, in the order of the file names. */
  load(): readonly Resumed[] {
    return this.#guarded(() => this.#store.load()) ?? []
  }

  /** What other workers have stored since the last call; none if it is too early to look again. */
  poll(): readonly Resumed[] {
    const beganMs = this.#nowMs()
    if (beganMs < this.#nextPollMs) return []
    const found = this.#guarded(() => this.#store.poll()) ?? []
    if (found.length === 0) this.#nextPollMs = beganMs + (this.#nowMs() - beganMs) / POLLING_SHARE
    return found
  }

  added(entry: CorpusEntry): void {
    if (entry.input.from !== 'tape') return
    const known = nameOf(entry.record)
    if (this.#store.has(known) && !this.#entriesOf.has(known)) return
    const name = this.#guarded(() => this.#store.add(entry.record, entry.metadata))
    if (name === undefined) return
    this.#names.set(entry, name)
    this.#entriesOf.set(name, (this.#entriesOf.get(name) ?? 0) + 1)
  }

  removed(entry: CorpusEntry): void {
    const name = this.#names.get(entry)
    if (name === undefined) return
    this.#names.delete(entry)
    const left = this.#entriesOf.get(name)! - 1
    if (left > 0) this.#entriesOf.set(name, left)
    else {
      this.#entriesOf.delete(name)
      this.#guarded(() => this.#store.remove(name))
    }
  }

  /**
   * Leaves on disk the entries of the corpus and the choices it has not tried. Only when no other
   * worker runs.
   */
  minimise(entries: readonly CorpusEntry[], unseen: readonly Choices[]): void {
    this.#guarded(() => {
      const kept = entries.filter(({ input }) => input.from === 'tape')
      const names = kept.flatMap(({ record, metadata }) => this.#store.add(record, metadata) ?? [])
      this.#store.minimise([...names, ...unseen.map((choices) => nameOf(choices))])
    })
  }

  #guarded<Result>(action: () => Result): Result | undefined {
    if (this.#broken) return undefined
    try {
      return action()
    } catch (error) {
      this.#broken = true
      const reason = systemReason(error) ?? (error as Error).message
      this.#warn(`cannot use the corpus in ${this.#store.folder}, and continues without: ${reason}`)
      return undefined
    }
  }
}

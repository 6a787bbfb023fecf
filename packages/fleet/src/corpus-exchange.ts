/**
 * Keeps a folder of a corpus and the shared one of the fleet alike: pulls what is new before a search, and
 * pushes what nobody has after it.
 *
 * A search that ends leaves the entries that its features need, and removes the others: the set cover of one
 * process. What it has removed is removed for all, if it began with all there was.
 */
import { mkdirSync, watch } from 'node:fs'
import type { CorpusStore } from 'norn/internal/session'
import type { Ledger } from './ledger.ts'
import type { PropertyName } from './shard.ts'

export class CorpusExchange {
  readonly #ledger: Ledger
  readonly #of: PropertyName
  readonly #store: CorpusStore
  #position = 0
  /** Entries that the fleet has. */
  readonly #known = new Set<string>()

  /** @param store the folder of this process */
  constructor(ledger: Ledger, of: PropertyName, store: CorpusStore) {
    this.#ledger = ledger
    this.#of = of
    this.#store = store
  }

  /** Calls when there may be something to push or to pull. @returns ends the subscription */
  onChange(changed: () => void): () => void {
    const end = this.#ledger.onEntry(this.#of, changed)
    try {
      mkdirSync(this.#store.folder, { recursive: true })
      const watcher = watch(this.#store.folder, changed).on('error', () => watcher.close())
      return () => {
        watcher.close()
        end()
      }
    } catch {
      // A system without watches of folders, or without any left.
      return end
    }
  }

  async pull(): Promise<void> {
    const { entries, position } = await this.#ledger.entriesSince(this.#of, this.#position)
    for (const [name, text] of entries) {
      if (!this.#known.has(name)) this.#store.put(name, text)
      this.#known.add(name)
    }
    this.#position = position
  }

  /** @param isWhole whether what the search has removed is needed by nobody */
  async push(isWhole: boolean): Promise<void> {
    const names = new Set(this.#store.names())
    for (const name of names) {
      const text = this.#known.has(name) ? undefined : this.#store.text(name)
      if (text === undefined) continue
      await this.#ledger.addEntry(this.#of, name, text)
      this.#known.add(name)
    }
    if (!isWhole) return
    for (const name of this.#known) if (!names.has(name)) await this.#ledger.removeEntry(this.#of, name)
  }
}

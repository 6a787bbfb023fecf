/**
 * The corpus of a campaign and its folder on disk: what the campaign keeps is written as it is kept, what it lets go is
 * removed, and what other workers have written since is looked for now and then.
 *
 * The folder is an aid: where it cannot be written or read, the campaign goes on without, and says so once.
 *
 * Invariants: only executions whose input is drawn from the tape are kept, for the others cannot be run from their choices
 * alone; entries of others are removed only where no others are at work.
 */

import type { Choices } from '../contract/choices.ts'
import type { CorpusEntry, CorpusObserver } from '../search/domain.ts'
import { type CorpusStore, nameOf } from './corpus-store.ts'

export class KeptCorpus implements CorpusObserver {
  readonly #store: CorpusStore
  readonly #remark: (text: string) => void
  /** Of what was written here; what others wrote is theirs. */
  readonly #names = new Map<CorpusEntry, string>()
  /** How many entries are in a file: two may have the same choices. */
  readonly #entriesOf = new Map<string, number>()
  #broken = false

  /** @param remark told of what is wrong with the folder, once */
  constructor(store: CorpusStore, remark: (text: string) => void) {
    this.#store = store
    this.#remark = remark
  }

  /** What earlier campaigns kept, in an order that depends on nothing else. */
  load(): readonly Choices[] {
    return this.#guarded(() => this.#store.load().map(({ choices }) => choices)) ?? []
  }

  /** What others have kept since the last look. */
  poll(): readonly Choices[] {
    return this.#guarded(() => this.#store.poll().map(({ choices }) => choices)) ?? []
  }

  added(entry: CorpusEntry): void {
    if (entry.input.from !== 'tape') return
    const known = nameOf(entry.record)
    if (this.#store.has(known) && !this.#entriesOf.has(known)) return
    const name = this.#guarded(() => this.#store.add(entry.record))
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

  /** Leaves on disk what the corpus holds, in its last form, and what it did not get to look at; for one who is alone. */
  minimise(entries: readonly CorpusEntry[], unseen: readonly Choices[]): void {
    this.#guarded(() => {
      const kept = entries.filter(({ input }) => input.from === 'tape')
      const names = kept.flatMap(({ record }) => this.#store.add(record) ?? [])
      this.#store.minimise([...names, ...unseen.map((choices) => nameOf(choices))])
    })
  }

  #guarded<Result>(action: () => Result): Result | undefined {
    if (this.#broken) return undefined
    try {
      return action()
    } catch (error) {
      this.#broken = true
      const { code, message } = error as NodeJS.ErrnoException
      this.#remark(`the corpus in ${this.#store.folder} is not used any more: ${code ?? message}`)
      return undefined
    }
  }
}
